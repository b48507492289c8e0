import LarderKernel

/// Rows by their identifiers, in the order these are given.
final class IdentifiedRows: RowSource {
    /// The position of the condition that names them; nil for none.
    private let condition: Int?
    private let isAscending: Bool
    private let reading: PathReading
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var identifiers: [Cell] = []
    @exclusivity(unchecked) private var position = 0
    // The identifiers' text and bytes.
    private let arena = RowArena(chunkBytes: 512)

    init(at condition: Int?, isAscending: Bool, in reading: PathReading) {
        self.condition = condition
        self.isAscending = isAscending
        self.reading = reading
    }

    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        if !identifiers.isEmpty { forget() }
        guard let condition else { return false }
        var failure: DataStoreError?
        predicate.forEachValue(of: condition) { value in
            do throws(DataStoreError) {
                let identifier = try arena.cell(of: value)
                if reading.entity.identifier.accepts(identifier) { identifiers.append(identifier) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        if !isAscending { identifiers.reverse() }
        return false
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        while position < identifiers.count {
            let identifier = identifiers[position]
            position += 1
            if let bytes = try reading.entity.bytes(ofRow: identifier, in: reading.snapshot) {
                row.identifier = identifier
                row.bytes = bytes
                return true
            }
        }
        return false
    }

    // The rows of a sorted window point to the identifiers until they are forgotten.
    func close(keepsCursor: Bool) {
        position = identifiers.count
    }

    func forget() {
        identifiers.removeAll(keepingCapacity: identifiers.capacity <= 64)
        position = 0
        arena.forget()
    }

    var keptBytes: Int { identifiers.capacity * MemoryLayout<Cell>.stride + arena.byteCount }
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
