import LarderText
public import LarderKernel

extension UntypedReader {
    /// The digests of all item types, in the order of ``entities``.
    ///
    ///     let isEqual = try left.read { try $0.digests() } == right.read { try $0.digests() }
    ///
    /// Rows that cannot be decoded are left out. *Cost:* reads everything; keeps one row in memory.
    ///
    /// - Parameter progress: Called periodically with the number of items read so far.
    /// - Throws: `.cancelled` when the task is cancelled; rethrows errors of the engine.
    public func digests(progress: ((Int) -> Void)? = nil) throws(DataStoreError) -> [EntityDigest] {
        try digests(UndecodableRows(.skip), progress: progress)
    }

    /// The digests of what a copy holds that leaves out items that cannot be decoded.
    ///
    /// *Cost:* as ``digests(progress:)``; twice that if there are such items.
    func digestsOfCopy() throws(DataStoreError) -> [EntityDigest] {
        let undecodable = UndecodableRows(.skip)
        let digests = try digests(undecodable, progress: nil)
        if undecodable.skipped.count == 0 { return digests }
        let skipped = try SkippedItems(in: self) { () throws(DataStoreError) in
            try Cancellation.check("The reading")
        }
        return try self.digests(UndecodableRows(.skip, skipping: skipped), progress: nil)
    }

    private func digests(
        _ undecodable: UndecodableRows, progress: ((Int) -> Void)?
    ) throws(DataStoreError) -> [EntityDigest] {
        var digests: [EntityDigest] = []
        var tally = ReadingTally(progress)
        for number in schema.entities.indices {
            let digest = try digest(ofEntity: number, undecodable) { () throws(DataStoreError) in
                try Cancellation.check("The reading")
                tally.passItem()
            }
            digests.append(digest)
        }
        return digests
    }

    /// The digest of one item type.
    ///
    /// - Throws: `.unknownItemType`; `.cancelled` when the task is cancelled; rethrows errors of the engine.
    public func digest(of entity: String) throws(DataStoreError) -> EntityDigest {
        try digest(ofEntity: try schema.number(ofEntityNamed: entity))
    }

    /// - Parameter passItem: Called after every row; may end the reading.
    func digest(
        ofEntity number: Int, _ undecodable: UndecodableRows = UndecodableRows(.skip),
        passItem: () throws(DataStoreError) -> Void = { () throws(DataStoreError) in
            try Cancellation.check("The reading")
        }
    ) throws(DataStoreError) -> EntityDigest {
        let entity = schema.entities[number]
        let rows = try RowWalk(
            over: number, of: schema, in: transaction, undecodable: undecodable,
            order: entity.isOrderedLink ? entity.linkOrder : [])
        defer { rows.close() }
        let hasher = RowHasher(of: rows.entity)
        var digest = EntityDigest(entity: rows.entity.name)
        while let cells = try rows.next() {
            digest.add(hasher.digest(of: cells))
            try passItem()
        }
        return digest
    }

    /// The rows of an item type by ascending identifier.
    func rows(
        ofEntity number: Int, _ undecodable: UndecodableRows
    ) throws(DataStoreError) -> RowWalk {
        try RowWalk(over: number, of: schema, in: transaction, undecodable: undecodable)
    }

    /// The links of an item type's own relationships, for its rows by ascending identifier.
    func linkWalks(
        from rows: RowWalk, ofEntity number: Int, _ undecodable: UndecodableRows
    ) throws(DataStoreError) -> [LinkWalk] {
        try schema.linkWalks(from: rows, ofEntity: number, in: transaction, undecodable)
    }

    /// The number of rows, including those that cannot be decoded.
    func countAll(withLinks: Bool = true) throws(DataStoreError) -> Int {
        var count = 0
        for (number, entity) in schema.entities.enumerated() where withLinks || !entity.isLink {
            count += try transaction.count(for: RequestPlan(entity: number, schema: entity))
        }
        return count
    }
}

/// Counts the items that a walk has read, and reports them periodically.
struct ReadingTally {
    /// The number of items between two reports.
    private static let step = 256

    private let progress: ((Int) -> Void)?
    private var count = 0

    init(_ progress: ((Int) -> Void)?) {
        self.progress = progress
    }

    mutating func passItem() {
        count += 1
        if count % Self.step == 0 { progress?(count) }
    }
}
