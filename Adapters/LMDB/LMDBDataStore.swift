public import LarderKernel
public import LarderVersions
public import LarderFiles
package import LarderKeyValue
public import struct Foundation.URL
import LarderMemory

/// A store in an LMDB file.
///
///     let store: any DataStore = LMDBDataStore(at: url, storing: [Recipe.self, Ingredient.self])
///     try store.setup()
///
/// It has the fastest reads: they work in the mapped file, and wait for the writer only while it enlarges the map. Beside
/// the file are two more, `-lock` and `-writer`, which stay when the store is closed. *Rule:* one store for a file in a
/// process; several processes may share it, on a local disk, by the same path. Processes of several containers may do so if
/// these share one PID namespace. No file of the store is moved or removed while a process has it open.
public final class LMDBDataStore: FileDataStore {
    public let coordinator: StoreCoordinator
    package let engine: LMDBEngine
    package let adapter: KeyValueAdapter<LMDBEngine>

    /// A store in the file at a place, which is created by `setup()` if it does not exist.
    ///
    /// - Parameters:
    ///   - url: The location of the file: a file URL. Folders above it that are missing are created too.
    ///   - itemTypes: All item types of the store; a call with another type throws `.unknownItemType`.
    ///   - options: The options of LMDB: durability, limits, read-only opening.
    ///   - storeOptions: The options of all stores: logging, warnings.
    public init(
        at url: URL, storing itemTypes: [any DataStoreItem.Type], options: LMDBOptions = LMDBOptions(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        engine = LMDBEngine(
            at: StorePlace(url), newTables: KeyValueTables.count(for: itemTypes), options: options)
        adapter = KeyValueAdapter(engine)
        coordinator = StoreCoordinator(
            adapter: adapter, storing: itemTypes, options: storeOptions, staging: { MemoryAdapter() })
    }

    /// A store in the file at a place, which `setup()` brings to a history's current version from any other,
    /// and which it creates if it does not exist.
    ///
    ///     let store: any DataStore = LMDBDataStore(at: url, storing: AppSchema.history)
    ///
    /// - Parameters:
    ///   - history: The versions of everything the store keeps, and the steps between them.
    ///   - url: The location of the file, as for a store of item types. The options mean the same there too.
    public init(
        at url: URL, storing history: SchemaHistory, options: LMDBOptions = LMDBOptions(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        engine = LMDBEngine(
            at: StorePlace(url), newTables: KeyValueTables.count(for: history.currentTypes),
            options: options)
        adapter = KeyValueAdapter(engine)
        coordinator = StoreCoordinator(
            adapter: adapter, storing: history, options: storeOptions, staging: { MemoryAdapter() })
    }
}
