public import Larder
import LarderKeyValue
import LarderMemory

public final class ShelfDataStore: DataStore {
    public let coordinator: StoreCoordinator

    public init(
        at path: String, storing itemTypes: [any DataStoreItem.Type],
        options: DataStoreOptions = DataStoreOptions()
    ) {
        coordinator = StoreCoordinator(
            adapter: KeyValueAdapter(ShelfEngine(at: path)), storing: itemTypes, options: options,
            staging: { MemoryAdapter() })
    }
}

/// The engine of the page: a store in memory for each path.
typealias ShelfEngine = MemoryEngine

extension MemoryEngine {
    private static let storages = Locked<[String: MemoryStorage]>([:])

    convenience init(at path: String) {
        self.init(
            in: MemoryEngine.storages.withLock { storages in
                let storage = storages[path] ?? MemoryStorage()
                storages[path] = storage
                return storage
            })
    }
}
