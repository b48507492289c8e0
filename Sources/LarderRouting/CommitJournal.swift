import LarderKernel

import struct Foundation.Data

/// The changes of a block to all parts but the first, from which they can be repeated.
///
/// The first part stores it with its own changes, in pieces. It begins with the names of parts, entities and attributes,
/// as another version of the app may read it.
struct CommitJournal {
    /// The encoded changes, one after the other.
    private var changes: [UInt8] = []

    static let entity = EntitySchema(
        "larder.journal",
        attributes: [.attribute("id", Int64.self), .attribute("bytes", Data.self)])

    static let pieceBytes = 8 << 20

    /// The number of bytes so far.
    var count: Int { changes.count }

    /// Forgets the changes since it had this number of bytes.
    mutating func forget(after count: Int) { changes.removeSubrange(count...) }

    /// Adds a change that a part has applied.
    mutating func add(_ mutation: RowMutation, of part: Int, _ schema: EntitySchema) {
        changes.append(mutation.kind.rawValue)
        changes.append(integer: UInt32(part))
        changes.append(integer: UInt32(mutation.entity))
        let columns: [Int] =
            switch mutation.kind {
            case .insert: Array(schema.attributes.indices)
            case .update: [0] + mutation.columns.filter { $0 != 0 }
            case .delete: [0]
            case .deleteAll: []
            }
        changes.append(integer: UInt32(columns.count))
        for column in columns {
            changes.append(integer: UInt32(column))
            changes.append(mutation.cells[column])
        }
    }

    /// Replaces the stored journal.
    func store(in writing: any StorageWriting, _ schema: RoutedSchema, _ names: [String])
        throws(DataStoreError)
    {
        var bytes: [UInt8] = []
        bytes.append(integer: UInt32(names.count))
        for (part, name) in names.enumerated() {
            bytes.append(text: name)
            bytes.append(integer: UInt32(schema.parts[part].entities.count))
            for entity in schema.parts[part].entities {
                bytes.append(text: entity.name)
                bytes.append(integer: UInt32(entity.attributes.count))
                for attribute in entity.attributes { bytes.append(text: attribute.name) }
            }
        }
        bytes += changes
        let cells = CellBuffer(count: 2)
        try writing.apply(RowMutation(.deleteAll, entity: schema.journal, cells: cells.start))
        for (position, piece) in bytes.chunks(ofCount: Self.pieceBytes).enumerated() {
            cells.start[0] = .integer(Int64(position) + 1)
            _ = try piece.withUnsafeBytes { bytes in
                cells.start[1] = .blob(bytes)
                return Result { () throws(DataStoreError) in
                    try writing.apply(RowMutation(.insert, entity: schema.journal, cells: cells.start))
                }
            }.get()
        }
    }

    /// The stored journal.
    static func bytes(in reading: any StorageReading, _ entity: Int) throws(DataStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        try reading.forEachRow(of: RequestPlan(entity: entity, schema: Self.entity)) { bytes += $0[1].bytes }
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(text: String) {
        append(integer: UInt32(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(_ cell: Cell) {
        append(cell.kind.rawValue)
        switch cell.kind {
        case .null: break
        case .integer, .real: append(integer: cell.bits)
        case .text, .blob:
            append(integer: cell.length)
            append(contentsOf: cell.bytes)
        }
    }
}
