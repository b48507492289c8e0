public import LarderVersions
public import LarderKernel

/// A store in memory, for tests, caches and data that need not outlive the process.
///
///     let store: any DataStore = MemoryDataStore(storing: [Recipe.self])
///     try store.setup()
///
/// Gives the same answers as every other store. *Rule:* each store has a ``MemoryStorage`` of its own, unless
/// it is given one; the data live as long as the storage, even through `tearDown()`. *Cost:* opens in
/// microseconds.
public final class MemoryDataStore: DataStore {
    public let coordinator: StoreCoordinator

    /// A store in new, empty memory, or in an earlier store's.
    ///
    /// - Parameters:
    ///   - itemTypes: All item types of the store; a call with another type throws `.unknownItemType`.
    ///   - storage: The memory that holds the data; it serves one open store at a time.
    ///   - storeOptions: The options of all stores: logging, warnings.
    public init(
        storing itemTypes: [any DataStoreItem.Type], in storage: MemoryStorage = MemoryStorage(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        coordinator = StoreCoordinator(
            adapter: MemoryAdapter(in: storage), storing: itemTypes, options: storeOptions,
            staging: { MemoryAdapter() })
    }

    /// A store in new memory, or in an earlier store's, which `setup()` brings to a history's current version
    /// from any other.
    ///
    /// - Parameters:
    ///   - history: The versions of everything the store keeps, and the steps between them.
    ///   - storage: The memory, as for a store of item types. The options mean the same there too.
    public init(
        storing history: SchemaHistory, in storage: MemoryStorage = MemoryStorage(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        coordinator = StoreCoordinator(
            adapter: MemoryAdapter(in: storage), storing: history, options: storeOptions,
            staging: { MemoryAdapter() })
    }
}
