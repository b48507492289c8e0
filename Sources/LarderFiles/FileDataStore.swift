public import LarderKernel
public import struct Foundation.URL

/// A store in a file, with the tools that every engine with files has.
///
///     func keepBackup(of store: any FileDataStore) throws(DataStoreError) {
///         try store.backup(to: folder.appendingPathComponent("recipes-backup"))
///     }
///
/// `compact()` is not among them: SQLite compacts an open store, LMDB a closed one.
///
/// *Rule:* a tool blocks the calling thread until it has ended, and throws `.notSetUp` or `.closed` when the store is not
/// open, `.nestedTransaction` inside a block of the store.
public protocol FileDataStore: DataStore {
    /// Copies the current state of the store to a file that does not exist yet.
    ///
    /// Others may read and write meanwhile, and what they write is not in the copy. The file gets its name when it
    /// is complete. *Cost:* reads the whole file.
    ///
    /// - Throws: `.cannotOpen` when something is in the place already, or its folder is missing;
    ///   `.storeFull`, `.inputOutput`; `.cancelled` when the task is cancelled, and then leaves no file.
    func backup(to url: URL) throws(DataStoreError)

    /// Returns the defects of the store, one sentence each, up to a limit; empty if it is sound.
    ///
    /// Checks the structure of every page, every row and every index: everything that reading or writing would refuse
    /// is reported. *Cost:* reads everything, two or three times.
    ///
    /// - Throws: `.cancelled` when the task is cancelled; rethrows errors from the engine, such as `.inputOutput`.
    func checkIntegrity() throws(DataStoreError) -> [String]

    /// Returns the size of the store and the number of items of each type.
    ///
    /// *Cost:* may count every item.
    ///
    /// - Throws: Rethrows errors from the engine, such as `.inputOutput` and `.damaged`.
    func statistics() throws(DataStoreError) -> StoreStatistics
}

extension FileDataStore {
    /// Copies the current state of the store as ``backup(to:)`` does, without occupying the caller's actor.
    ///
    ///     try await store.backupAsync(to: folder.appendingPathComponent("recipes-backup"))
    ///
    /// *Rule:* if the task is cancelled, no file is left. *Cost:* as ``backup(to:)``; a thread while it runs.
    ///
    /// - Throws: As ``backup(to:)``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func backupAsync(to url: URL) async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.backup(to: url) }
    }

    /// Returns the defects of the store as ``checkIntegrity()`` does, without occupying the caller's actor.
    ///
    ///     let defects = try await store.checkIntegrityAsync()
    ///
    /// *Rule:* the check stops if the task is cancelled. *Cost:* as ``checkIntegrity()``; a thread while it runs.
    ///
    /// - Throws: As ``checkIntegrity()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func checkIntegrityAsync() async throws(DataStoreError) -> [String] {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.checkIntegrity() }
    }

    /// Returns the size of the store as ``statistics()`` does, without occupying the caller's actor.
    ///
    ///     let statistics = try await store.statisticsAsync()
    ///
    /// *Cost:* as ``statistics()``; a thread while it runs.
    ///
    /// - Throws: As ``statistics()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func statisticsAsync() async throws(DataStoreError) -> StoreStatistics {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.statistics() }
    }
}
