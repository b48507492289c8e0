import LarderKernel

/// Copies the rows of one item type by ascending identifier, so that the last one shows how far a copy has
/// come.
struct EntityCopy {
    private let rows: RowWalk
    private let number: Int
    private let adapter: any StorageAdapter
    private let batchLimit: Int
    private let tracker: TransferProgressTracker
    private let hasher: RowHasher
    /// The digest of everything the destination holds at the end, computed from the source.
    private(set) var digest: EntityDigest
    private(set) var copiedItems = 0

    /// - Parameters:
    ///   - number: The number of the item type in both schemas.
    ///   - adapter: An open adapter that is not used elsewhere.
    init(
        of rows: RowWalk, number: Int, to adapter: any StorageAdapter, batchLimit: Int,
        tracker: TransferProgressTracker
    ) {
        self.rows = rows
        self.number = number
        self.adapter = adapter
        self.batchLimit = max(1, batchLimit)
        self.tracker = tracker
        hasher = RowHasher(of: rows.entity)
        digest = EntityDigest(entity: rows.entity.name)
    }

    /// - Parameter isBegun: True if an earlier run may have copied some of them.
    mutating func run(isBegun: Bool) throws(DataStoreError) {
        var row = try rows.next()
        if isBegun { row = try passCopied(from: row) }
        let batch = RowBatch(of: number, rows.entity, limit: batchLimit)
        while let cells = row {
            digest.add(hasher.digest(of: cells))
            try batch.insert(cells)
            row = try rows.next()
            if batch.isFull || row == nil {
                let count = batch.count
                try batch.commit(to: adapter)
                copiedItems += count
                try tracker.passBatch(of: count)
            }
        }
    }

    /// Goes through what was copied as long as it equals the source, and deletes what is left of it.
    ///
    /// - Returns: The first row of the source to copy.
    private mutating func passCopied(
        from first: UnsafePointer<Cell>?
    ) throws(DataStoreError) -> UnsafePointer<Cell>? {
        let reading = try adapter.beginReading()
        defer { reading.end() }
        let cursor = try reading.rows(for: RequestPlan(entity: number, schema: rows.entity))
        defer { cursor.close() }
        let count = rows.entity.attributes.count
        let copied = CellBuffer(count: count)
        var row = first
        while try cursor.next(into: copied.start) {
            guard let cells = row,
                rows.entity.declaredAttributes.indices.allSatisfy({
                    cells[$0].hasSameBytes(as: copied.start[$0])
                })
            else {
                let identifier = Constant(copied.start[0], storage: rows.entity.storage(ofColumn: 0))
                cursor.close()
                reading.end()
                try deleteCopied(from: identifier)
                return row
            }
            digest.add(hasher.digest(of: cells))
            try tracker.passItem()
            row = try rows.next()
        }
        return row
    }

    /// Deletes what was copied from an identifier on, batch by batch.
    private func deleteCopied(from identifier: Constant) throws(DataStoreError) {
        let plan = RequestPlan(
            entity: number, schema: rows.entity, columns: .some([0]),
            predicate: .compare(column: 0, .greaterOrEqual, identifier), limit: batchLimit)
        let batch = RowBatch(of: number, rows.entity, limit: batchLimit)
        repeat {
            try batch.commit(to: adapter)
            try tracker.requireNotCancelled()
            let reading = try adapter.beginReading()
            defer { reading.end() }
            try reading.forEachRow(of: plan) { row throws(DataStoreError) in try batch.delete(row) }
        } while batch.count > 0
    }
}
