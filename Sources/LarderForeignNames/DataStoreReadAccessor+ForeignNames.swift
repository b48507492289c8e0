public import LarderKernel

// Names that Core Data, GRDB, Realm, CoreStore and SwiftData use, so that the compiler can say Larder's. Each
// is unavailable: no code runs here.

extension DataStoreReadAccessor {
    @available(*, unavailable, renamed: "items(for:)")
    public func fetch<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> [Item] { [] }

    @available(*, unavailable, renamed: "items(for:)")
    public func fetchAll<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> [Item] { [] }

    @available(*, unavailable, renamed: "items(for:)")
    public func items<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> [Item] { [] }

    @available(
        *, unavailable, message: "Use items(for:) with a request for all items: items(for: Recipe.all)"
    )
    public func items<Item: DataStoreItem>(_ type: Item.Type) throws -> [Item] { [] }

    @available(
        *, unavailable, message: "Use items(for:) with a request for all items: items(for: Recipe.all)"
    )
    public func fetchAll<Item: DataStoreItem>(_ type: Item.Type) throws -> [Item] { [] }

    @available(
        *, unavailable, message: "Use items(for:) with a request for all items: items(for: Recipe.all)"
    )
    public func objects<Item: DataStoreItem>(_ type: Item.Type) -> [Item] { [] }

    @available(*, unavailable, renamed: "firstItem(for:)")
    public func first<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> Item? { nil }

    @available(*, unavailable, renamed: "firstItem(for:)")
    public func fetchOne<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> Item? { nil }

    @available(*, unavailable, message: "Use firstItem(for:) with a request: firstItem(for: Recipe.where(…))")
    public func first<Item: DataStoreItem>(where filter: Filter<Item>) throws -> Item? { nil }

    @available(*, unavailable, message: "Use item(id:of:): item(id: 7, of: Recipe.self)")
    public func fetchOne<Item: DataStoreItem>(_ type: Item.Type, key: Item.ID) throws -> Item? { nil }

    @available(*, unavailable, message: "Use item(id:of:): item(id: 7, of: Recipe.self)")
    public func object<Item: DataStoreItem>(ofType type: Item.Type, forPrimaryKey key: Item.ID) -> Item? {
        nil
    }

    @available(*, unavailable, renamed: "countItems(for:)")
    public func count<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> Int { 0 }

    @available(*, unavailable, renamed: "countItems(for:)")
    public func count<Item: DataStoreItem>(for request: DataStoreRequest<Item>) throws -> Int { 0 }

    @available(*, unavailable, renamed: "countItems(for:)")
    public func fetchCount<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> Int { 0 }

    @available(*, unavailable, renamed: "contains(_:)")
    public func exists<Item: DataStoreItem>(_ request: DataStoreRequest<Item>) throws -> Bool { false }
}
