import LarderKernel

/// Repeats the changes of a stored journal in one part.
struct JournalReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// Applies the changes to a part, in their order.
    ///
    /// *Rule:* the part is in the state that the changes began with. An attribute that it has no longer is left out.
    ///
    /// - Parameter skipsUnknown: True if the schema has all item types of the part, or the part may lose changes.
    /// - Throws: `.damaged`; `.schemaMismatch` for a change of a type that the schema lacks; rethrows errors from the
    ///   engine.
    static func repeatChanges(
        of bytes: [UInt8], to part: String, in writing: any StorageWriting, _ schema: StoreSchema,
        skipsUnknown: Bool
    ) throws(DataStoreError) {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(DataStoreError) in
                var reader = JournalReader(bytes: bytes)
                try reader.repeatChanges(to: part, in: writing, schema, skipsUnknown)
            }
        }.get()
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func repeatChanges(
        to part: String, in writing: any StorageWriting, _ schema: StoreSchema, _ skipsUnknown: Bool
    ) throws(DataStoreError) {
        let tables = try readTables(of: part, in: schema)
        let width = schema.rowWidth
        let cells = CellBuffer(count: width)
        while position < bytes.count {
            guard let kind = RowMutation.Kind(rawValue: try read(UInt8.self)) else { throw damaged() }
            let place = Place(part: try readCount(), entity: try readCount())
            let table = tables[place]
            if let table, table.entity == nil, !skipsUnknown { throw Self.unnamed(table.type) }
            for column in 0..<width { cells.start[column] = .null }
            var columns = ColumnSet()
            for _ in 0..<(try readCount()) {
                let column = try readCount()
                let cell = try readCell()
                guard let table else { continue }
                guard table.columns.indices.contains(column) else { throw damaged() }
                guard let own = table.columns[column] else { continue }
                cells.start[own] = cell
                if own != 0 { columns.insert(own) }
            }
            guard let entity = table?.entity else { continue }
            // A row that is there was put there by a process that does not know of the routed store.
            if kind == .insert {
                try writing.apply(RowMutation(.delete, entity: entity, cells: cells.start))
            }
            try writing.apply(RowMutation(kind, entity: entity, cells: cells.start, columns: columns))
        }
    }

    private struct Place: Hashable {
        let part: Int
        let entity: Int
    }

    /// An entity of the part: its number, nil if the schema lacks it, and the number of each of the journal's columns.
    private struct Table {
        let type: String
        let entity: Int?
        let columns: [Int?]
    }

    private mutating func readTables(
        of part: String, in schema: StoreSchema
    ) throws(DataStoreError) -> [Place: Table] {
        var tables: [Place: Table] = [:]
        if bytes.isEmpty { return tables }
        for number in 0..<(try readCount()) {
            let isPart = UTF8Text.areEqual(try readText(), part)
            for entity in 0..<(try readCount()) {
                let type = try readText()
                let own = schema.number(named: type)
                var columns: [Int?] = []
                for _ in 0..<(try readCount()) {
                    let name = try readText()
                    // Folded texts too, which the changes have.
                    columns.append(
                        own.flatMap { own in
                            schema.entities[own].attributes.firstIndex { UTF8Text.areEqual($0.name, name) }
                        })
                }
                if !isPart { continue }
                tables[Place(part: number, entity: entity)] = Table(type: type, entity: own, columns: columns)
            }
        }
        return tables
    }

    private mutating func read<Value: FixedWidthInteger>(_ type: Value.Type) throws(DataStoreError) -> Value {
        let size = MemoryLayout<Value>.size
        guard bytes.count - position >= size else { throw damaged() }
        defer { position += size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: type))
    }

    private mutating func readCount() throws(DataStoreError) -> Int { Int(try read(UInt32.self)) }

    private mutating func readBytes() throws(DataStoreError) -> UnsafeRawBufferPointer {
        let count = try readCount()
        guard bytes.count - position >= count else { throw damaged() }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    private mutating func readText() throws(DataStoreError) -> String {
        String(decoding: try readBytes(), as: UTF8.self)
    }

    private mutating func readCell() throws(DataStoreError) -> Cell {
        guard let kind = Cell.Kind(rawValue: try read(UInt8.self)) else { throw damaged() }
        switch kind {
        case .null: return .null
        case .integer: return .integer(try read(Int64.self))
        case .real: return .real(Double(bitPattern: try read(UInt64.self)))
        case .text: return .text(try readBytes())
        case .blob: return .blob(try readBytes())
        }
    }

    private static func unnamed(_ type: String) -> DataStoreError {
        DataStoreError(
            .schemaMismatch,
            "A commit over several parts was not finished, and changes \(type), which the store does not name.",
            advice: "Close the store and set it up again: that finishes the commit.", itemType: type)
    }

    private func damaged() -> DataStoreError {
        DataStoreError(
            .damaged, "The journal of a commit over several parts ends early or holds an unknown change.")
    }
}
