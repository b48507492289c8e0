import Larder

/// Rows by their identifiers, in the order these are given.
final class IdentifiedRows: RowSource {
    private let entity: EntityTable
    private let snapshot: any KeyValueSnapshot
    private var identifiers: [Cell] = []
    private var position = 0
    // The identifiers' text and bytes.
    private let arena = RowArena(chunkBytes: 512)

    init(
        _ values: [Constant], over entity: EntityTable, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) {
        self.entity = entity
        self.snapshot = snapshot
        for value in values {
            let identifier = try arena.cell(of: value)
            if entity.identifier.accepts(identifier) { identifiers.append(identifier) }
        }
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        while position < identifiers.count {
            let identifier = identifiers[position]
            position += 1
            if let bytes = try entity.bytes(ofRow: identifier, in: snapshot) {
                row.identifier = identifier
                row.bytes = bytes
                return true
            }
        }
        return false
    }

    func close() {}
}

extension EntityTable {
    /// The bytes of the row with this identifier, or nil.
    func bytes(
        ofRow identifier: Cell, in snapshot: any KeyValueSnapshot
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        try self.identifier.withKey(identifier) { key throws(DataStoreError) in
            try snapshot.value(at: key, in: rows)
        }
    }
}
