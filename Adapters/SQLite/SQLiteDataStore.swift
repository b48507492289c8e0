public import Larder
public import struct Foundation.URL

/// A store in a SQLite file.
///
///     let store: any DataStore = SQLiteDataStore(at: url, storing: [Recipe.self, Ingredient.self])
///     try store.setup()
///
/// Each type has a table of its own with real columns, readable by any SQLite tool. Beside the file SQLite keeps
/// two more, `-wal` and `-shm`, while the store is open. *Rule:* one store for a file in a process; several
/// processes may share it, on a local disk.
public final class SQLiteDataStore: AdapterDataStore {
    public let coordinator: StoreCoordinator
    private let adapter: SQLiteAdapter

    /// A store in the file at a place, which is created by `setup()` where it does not exist.
    ///
    /// - Parameters:
    ///   - url: Where the file is. Its folder is created too when only the folder itself is missing.
    ///   - itemTypes: Everything the store keeps.
    ///   - options: What is particular to SQLite: durability, cache, limits, read-only opening.
    ///   - storeOptions: What is common to all stores: logging, warnings.
    public init(
        at url: URL, storing itemTypes: [any DataStoreItem.Type], options: SQLiteOptions = SQLiteOptions(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        adapter = SQLiteAdapter(at: url, options: options)
        coordinator = StoreCoordinator(adapter: adapter, storing: itemTypes, options: storeOptions)
    }
}
