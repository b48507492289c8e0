public import LarderKernel

// Names that Core Data, GRDB, Realm, CoreStore and SwiftData use, so that the compiler can say Larder's. Each
// is unavailable: no code runs here.

extension DataStore {
    @available(*, unavailable, message: "Use writeSync(_:), or in async code writeAsync(_:)")
    public func write(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {}

    @available(*, unavailable, message: "Use writeSync(_:), or in async code writeAsync(_:)")
    public func transaction(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {}

    @available(*, unavailable, message: "Use writeSync(_:), or in async code writeAsync(_:)")
    public func inTransaction(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {}

    @available(*, unavailable, message: "Use writeSync(_:), or read(_:) if nothing is changed")
    public func performAndWait(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {}

    @available(*, unavailable, message: "Use writeAsync(_:), or readAsync(_:) if nothing is changed")
    public func perform(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {}

    @available(*, unavailable, message: "Use writeAsync(_:), or readAsync(_:) if nothing is changed")
    public func performBackgroundTask(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {}

    @available(*, unavailable, message: "Leave the call out: a write block is stored when it ends")
    public func save() throws {}

    @available(*, unavailable, message: "Read in a block: read { try $0.items(for: …) }")
    public func fetch<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> [Item] { [] }

    @available(*, unavailable, message: "Read in a block: read { try $0.items(for: …) }")
    public func items<Item: DataStoreItem>(for request: DataStoreRequest<Item>) throws -> [Item] { [] }

    @available(*, unavailable, message: "Write in a block: writeSync { try $0.insert(…) }")
    public func insert<Item: DataStoreItem>(_ item: Item) throws {}

    @available(*, unavailable, message: "Write in a block: writeSync { try $0.insert(…) }")
    public func add<Item: DataStoreItem>(_ item: Item) throws {}

    @available(*, unavailable, message: "Write in a block: writeSync { try $0.update(…) }")
    public func update<Item: DataStoreItem>(_ item: Item) throws {}

    @available(*, unavailable, message: "Write in a block: writeSync { try $0.delete(…) }")
    public func delete<Item: DataStoreItem>(_ item: Item) throws {}
}
