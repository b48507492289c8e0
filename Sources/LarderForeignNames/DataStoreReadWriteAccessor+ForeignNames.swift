public import LarderKernel

// Names that Core Data, GRDB, Realm, CoreStore and SwiftData use, so that the compiler can say Larder's. Each
// is unavailable: no code runs here.

extension DataStoreReadWriteAccessor {
    @available(*, unavailable, renamed: "insert(_:)")
    public func add<Item: DataStoreItem>(_ item: Item) throws {}

    @available(*, unavailable, renamed: "insert(contentsOf:)")
    public func add<Item: DataStoreItem>(_ items: some Sequence<Item>) throws {}

    @available(*, unavailable, renamed: "insert(contentsOf:)")
    public func insert<Item: DataStoreItem>(_ items: some Sequence<Item>) throws {}

    @available(*, unavailable, message: "Make the item and insert it: insert(Recipe(name: …))")
    public func insert<Item: DataStoreItem>(into type: Item.Type) throws {}

    @available(*, unavailable, message: "Make the item and insert it: insert(Recipe(name: …))")
    public func create<Item: DataStoreItem>(_ type: Item.Type) throws {}

    @available(
        *, unavailable, message: "Use mutableVersion(of:) for a handle, or update(_:) for a changed value"
    )
    public func edit<Item: DataStoreItem>(_ item: Item?) throws -> Mutable<Item>? { nil }

    @available(
        *, unavailable, message: "Leave the call out: what is set on a handle is stored when the block ends"
    )
    public func update<Item: DataStoreItem>(_ handle: Mutable<Item>) throws {}

    @available(
        *, unavailable,
        message: "Use update(_:) for a stored item, insert(_:) for a new one, upsert(_:) for both"
    )
    public func save<Item: DataStoreItem>(_ item: Item) throws {}

    @available(*, unavailable, message: "Leave the call out: the changes are stored when the block ends")
    public func save() throws {}

    @available(*, unavailable, message: "Use cancel(), or throw an error: either undoes the whole block")
    public func rollback() throws {}

    @available(*, unavailable, renamed: "deleteItems(for:)")
    public func delete<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws {}

    @available(*, unavailable, renamed: "deleteItems(for:)")
    public func deleteAll<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws {}

    @available(*, unavailable, renamed: "deleteAllItems(of:)")
    public func deleteAll<Item: DataStoreItem>(_ type: Item.Type) throws {}

    @available(*, unavailable, renamed: "deleteAllItems(of:)")
    public func delete<Item: DataStoreItem>(model type: Item.Type) throws {}

    @available(
        *, unavailable, message: "Leave the call out: the block that gave this accessor is the transaction"
    )
    public func write<Result>(_ body: () throws -> Result) throws {}
}
