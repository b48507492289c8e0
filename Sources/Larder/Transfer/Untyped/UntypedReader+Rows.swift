extension UntypedReader {
    /// The digests of all item types, in the order of ``entities``.
    ///
    ///     let isEqual = try left.read { try $0.digests() } == right.read { try $0.digests() }
    ///
    /// Rows that cannot be decoded are left out. *Cost:* reads everything; keeps one row in memory.
    ///
    /// - Throws: `.cancelled` when the task is cancelled; what the engine says.
    public func digests() throws(DataStoreError) -> [EntityDigest] {
        var digests: [EntityDigest] = []
        for number in schema.entities.indices { digests.append(try digest(ofEntity: number)) }
        return digests
    }

    /// The digest of one item type.
    ///
    /// - Throws: `.unknownItemType`; `.cancelled` when the task is cancelled; what the engine says.
    public func digest(of entity: String) throws(DataStoreError) -> EntityDigest {
        try digest(ofEntity: try schema.number(ofEntityNamed: entity))
    }

    /// - Parameter passItem: Is called behind every row, and may end the reading.
    func digest(
        ofEntity number: Int,
        passItem: () throws(DataStoreError) -> Void = { () throws(DataStoreError) in
            try Cancellation.check("The reading")
        }
    ) throws(DataStoreError) -> EntityDigest {
        let rows = try rows(ofEntity: number, UndecodableRows(.skip))
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

    /// How many rows there are, those that cannot be decoded among them.
    func countAll() throws(DataStoreError) -> Int {
        var count = 0
        for (number, entity) in schema.entities.enumerated() {
            count += try transaction.count(for: RequestPlan(entity: number, schema: entity))
        }
        return count
    }
}
