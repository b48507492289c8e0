import Larder

/// Rows to which the entries of an index lead that begin with some lists of values.
final class IndexRows<Snapshot: KeyValueSnapshot> {
    private let entity: EntityTable
    private let index: IndexTable
    private let snapshot: Snapshot
    private let cursor: Snapshot.Cursor
    /// The beginnings of the keys to look for, in ascending order, none twice.
    private var beginnings: [[UInt8]] = []
    private var position = 0
    private var isInside = false
    private var entry = KeyValueEntry()

    init(
        of index: IndexTable, beginningWith lists: [[Constant]], over entity: EntityTable,
        in snapshot: Snapshot
    ) throws(DataStoreError) {
        self.entity = entity
        self.index = index
        self.snapshot = snapshot
        let key = ByteBuffer()
        for list in lists {
            key.truncate()
            for (part, value) in zip(index.form.parts, list) {
                value.withCell { _ = part.append($0, to: key) }
            }
            beginnings.append(Array(key.bytes))
        }
        if beginnings.count > 1 {
            beginnings.sort { $0.lexicographicallyPrecedes($1) }
            // Texts that are cut at the same place begin alike.
            var previous: [UInt8]?
            beginnings.removeAll { beginning in
                defer { previous = beginning }
                return previous == beginning
            }
        }
        cursor = try snapshot.cursor(over: index.entries)
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        while position < beginnings.count {
            let isFound = try isInside ? cursor.next(&entry) : seek(beginnings[position])
            isInside = isFound && entry.key.starts(with: beginnings[position])
            if isInside {
                try find(&row)
                return true
            }
            position += 1
        }
        return false
    }

    func close() {
        cursor.close()
    }

    private func seek(_ beginning: [UInt8]) throws(DataStoreError) -> Bool {
        let result = beginning.withUnsafeBytes { key in
            Result { () throws(DataStoreError) in try cursor.seek(key, &entry) }
        }
        return try result.get()
    }

    /// Reads the row to which the entry leads.
    private func find(_ row: inout FoundRow) throws(DataStoreError) {
        let start = try index.form.identifierStart(in: entry.key).offset
        let rest = UnsafeRawBufferPointer(rebasing: entry.key[start...])
        row.identifier = try entity.identifier.identifier(inRest: rest)
        guard let bytes = try entity.bytes(ofRow: row.identifier, in: snapshot) else {
            throw DataStoreError(
                .damaged, "An entry of the index \(index.name) leads to no row.",
                advice: "Build the indexes anew from the rows.", itemType: entity.schema.name,
                identifier: AnyItemID(row.identifier, type: entity.schema.attributes[0].type))
        }
        row.bytes = bytes
    }
}
