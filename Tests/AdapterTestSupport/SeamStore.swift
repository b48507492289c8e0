import Larder

/// An open adapter, driven at the level of the seam as the store above it would.
protocol SeamStore {
    var seam: any StorageAdapter { get }
    var schema: StoreSchema { get }
}

extension SeamStore {
    /// Runs a body in a write transaction, which is committed unless the body throws.
    func write<Result>(_ body: (WriteScope) throws -> Result) throws -> Result {
        let transaction = try seam.beginWriting()
        defer { transaction.end() }
        let result = try body(WriteScope(transaction: transaction, schema: schema))
        try transaction.commit()
        return result
    }

    func read<Result>(_ body: (ReadScope) throws -> Result) throws -> Result {
        let transaction = try seam.beginReading()
        defer { transaction.end() }
        return try body(ReadScope(transaction: transaction, schema: schema))
    }

    /// Begins a reading that the test ends itself.
    func beginReading() throws -> ReadScope {
        ReadScope(transaction: try seam.beginReading(), schema: schema)
    }

    func beginWriting() throws -> WriteScope {
        WriteScope(transaction: try seam.beginWriting(), schema: schema)
    }

    func insert(_ items: [some DataStoreItem]) throws {
        try write { try $0.insert(items) }
    }

    func all<Item: DataStoreItem>(_ type: Item.Type) throws -> [Item] {
        try read { try $0.items(type) }
    }
}
