public import LarderFiles
public import LarderKernel
public import LarderVersions
public import struct Foundation.URL
import LarderMemory

/// A store in a SQLite file.
///
///     let store: any DataStore = SQLiteDataStore(at: url, storing: [Recipe.self, Ingredient.self])
///     try store.setup()
///
/// Each type has a table of its own with real columns, readable by any SQLite tool. Beside the file SQLite
/// keeps two more, `-wal` and `-shm`, while the store is open. *Rule:* one store for a file in a process;
/// several processes may share it, on a local disk, by the same path (not by two hard links). No file of the store is
/// moved or removed while a process has it open.
public final class SQLiteDataStore: FileDataStore {
    public let coordinator: StoreCoordinator
    private let adapter: SQLiteAdapter

    /// A store in the file at a place, which is created by `setup()` if it does not exist.
    ///
    /// - Parameters:
    ///   - url: The location of the file: a file URL. Folders above it that are missing are created too.
    ///   - itemTypes: All item types of the store; a call with another type throws `.unknownItemType`.
    ///   - options: The options of SQLite: durability, cache, limits, read-only opening.
    ///   - storeOptions: The options of all stores: logging, warnings.
    public init(
        at url: URL, storing itemTypes: [any DataStoreItem.Type], options: SQLiteOptions = SQLiteOptions(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        adapter = SQLiteAdapter(at: url, options: options)
        coordinator = StoreCoordinator(
            adapter: adapter, storing: itemTypes, options: storeOptions, staging: { MemoryAdapter() })
    }

    /// A store in the file at a place, which `setup()` brings to a history's current version from any other,
    /// and which it creates if it does not exist.
    ///
    ///     let store: any DataStore = SQLiteDataStore(at: url, storing: AppSchema.history)
    ///
    /// - Parameters:
    ///   - history: The versions of everything the store keeps, and the steps between them.
    ///   - url: The location of the file, as for a store of item types. The options mean the same there too.
    public init(
        at url: URL, storing history: SchemaHistory, options: SQLiteOptions = SQLiteOptions(),
        storeOptions: DataStoreOptions = DataStoreOptions()
    ) {
        adapter = SQLiteAdapter(at: url, options: options)
        coordinator = StoreCoordinator(
            adapter: adapter, storing: history, options: storeOptions, staging: { MemoryAdapter() })
    }
}

// MARK: Tools

/// The tools of SQLite, for use while the store is open.
///
/// *Rule:* as ``FileDataStore`` says; those that write take a writer's turn.
extension SQLiteDataStore {
    public func backup(to url: URL) throws(DataStoreError) {
        try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in try adapter.backup(to: url) }
    }

    /// Returns the defects of the store, as ``FileDataStore/checkIntegrity()`` says: the ones that SQLite
    /// finds in its pages and indexes, and the ones in items as the app reads them.
    ///
    /// - Throws: As ``FileDataStore/checkIntegrity()``.
    public func checkIntegrity() throws(DataStoreError) -> [String] {
        try coordinator.runTool("checkIntegrity()") { () throws(DataStoreError) in
            try adapter.checkIntegrity()
        }
    }

    /// Rewrites the file without its empty pages, which returns their space to the disk.
    ///
    /// *Cost:* reads and writes everything; needs as much free disk space as the store itself, and as much in the folder of
    /// SQLite's temporary files, which `SQLITE_TMPDIR` or `TMPDIR` names, else `/var/tmp` or `/tmp`. It blocks other writers
    /// while it runs.
    ///
    /// - Throws: `.readOnly`; `.busy` when another process writes for longer than the busy timeout; `.storeFull` when
    ///   either disk is full; `.cancelled` when the task is cancelled; the file is then unchanged. `.busy` or `.storeFull`
    ///   too when the log could not be emptied; the store is compacted then, and its space returns with the next
    ///   checkpoint.
    public func compact() throws(DataStoreError) {
        try coordinator.runTool("compact()", needsWriter: true) { () throws(DataStoreError) in
            try adapter.compact()
        }
    }

    /// Rewrites the file without its empty pages as ``compact()`` does, without occupying the caller's actor.
    ///
    ///     try await store.compactAsync()
    ///
    /// *Rule:* if the task is cancelled, it stops once it has the writer's turn. *Cost:* as ``compact()``; a thread while it runs.
    ///
    /// - Throws: As ``compact()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func compactAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.compact() }
    }

    /// Copies the write-ahead log into the file and empties it, as happens by itself from time to time.
    ///
    /// - Throws: `.readOnly`; `.busy` when a read block, or another process, uses the log for longer than the busy timeout.
    public func checkpoint() throws(DataStoreError) {
        try coordinator.runTool("checkpoint()", needsWriter: true) { () throws(DataStoreError) in
            try adapter.checkpoint()
        }
    }

    /// Copies the write-ahead log into the file as ``checkpoint()`` does, without occupying the caller's actor.
    ///
    ///     try await store.checkpointAsync()
    ///
    /// *Rule:* it runs to its end even if the task is cancelled. *Cost:* a thread while it runs.
    ///
    /// - Throws: As ``checkpoint()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func checkpointAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.checkpoint() }
    }

    public func statistics() throws(DataStoreError) -> StoreStatistics {
        try coordinator.runTool("statistics()") { () throws(DataStoreError) in try adapter.statistics() }
    }
}
