import Larder

/// Rows to which the entries of an index lead that begin with some lists of values.
final class IndexRows: RowSource {
    private let entity: EntityTable
    private let index: IndexTable
    private let snapshot: any KeyValueSnapshot
    private let cursor: any KeyValueCursor
    /// The beginnings of the keys to look for, in ascending order, none twice.
    private let beginnings: [[UInt8]]
    private var position = 0
    private var isInside = false

    init(
        of index: IndexTable, beginningWith columns: [[Constant]], over entity: EntityTable,
        in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        self.entity = entity
        self.index = index
        self.snapshot = snapshot
        beginnings = index.form.beginnings(with: columns)
        cursor = try snapshot.cursor(over: index.entries)
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        var entry = KeyValueEntry()
        while position < beginnings.count {
            let beginning = beginnings[position]
            let isFound = try isInside ? cursor.next(&entry) : seek(beginning, &entry)
            isInside = isFound && entry.key.starts(with: beginning)
            if isInside {
                try find(entry.key, &row)
                return true
            }
            position += 1
        }
        return false
    }

    func close() {
        cursor.close()
    }

    private func seek(
        _ beginning: [UInt8], _ entry: inout KeyValueEntry
    ) throws(DataStoreError) -> Bool {
        let result = beginning.withUnsafeBytes { key in
            Result { () throws(DataStoreError) in try cursor.seek(key, &entry) }
        }
        return try result.get()
    }

    /// Reads the row to which an entry leads.
    private func find(_ key: UnsafeRawBufferPointer, _ row: inout FoundRow) throws(DataStoreError) {
        let start = try index.form.identifierStart(in: key).offset
        let rest = UnsafeRawBufferPointer(rebasing: key[start...])
        row.identifier = try entity.identifier.identifier(inRest: rest)
        guard let bytes = try entity.bytes(ofRow: row.identifier, in: snapshot) else {
            throw DataStoreError(
                .damaged, "An entry of the index \(index.name) leads to no row.",
                itemType: entity.schema.name,
                identifier: AnyItemID(row.identifier, type: entity.schema.attributes[0].type))
        }
        row.bytes = bytes
    }
}

extension IndexKeyForm {
    /// The beginnings of all keys that have one of these values in each leading column; ascending.
    fileprivate func beginnings(with columns: [[Constant]]) -> [[UInt8]] {
        let key = ByteBuffer()
        var beginnings: [[UInt8]] = []
        addBeginnings(with: columns[...], behind: key, to: &beginnings)
        guard beginnings.count > 1 else { return beginnings }
        beginnings.sort { $0.lexicographicallyPrecedes($1) }
        // Texts that are cut at the same place begin alike.
        var previous: [UInt8]?
        beginnings.removeAll { beginning in
            defer { previous = beginning }
            return previous == beginning
        }
        return beginnings
    }

    private func addBeginnings(
        with columns: ArraySlice<[Constant]>, behind key: ByteBuffer, to beginnings: inout [[UInt8]]
    ) {
        guard let values = columns.first else { return beginnings.append(Array(key.bytes)) }
        let start = key.count
        for value in values {
            key.truncate(to: start)
            value.withCell { _ = parts[columns.startIndex].append($0, to: key) }
            addBeginnings(with: columns.dropFirst(), behind: key, to: &beginnings)
        }
    }
}
