public import LarderFiles
public import LarderKernel
import LarderKeyValue
public import struct Foundation.URL

/// The tools of LMDB, for use while the store is open; ``compact()`` is for a closed one.
extension LMDBDataStore {
    /// Copies the store, as ``FileDataStore/backup(to:)`` says.
    ///
    /// The copy has no empty pages. LMDB writes it in one go, so a cancelled task is noticed only after that. *Cost:* reads
    /// the whole file; pages that are replaced meanwhile are kept until it ends.
    ///
    /// - Throws: As ``FileDataStore/backup(to:)``.
    public func backup(to url: URL) throws(DataStoreError) {
        try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in try adapter.backup(to: url) }
    }

    public func checkIntegrity() throws(DataStoreError) -> [String] {
        try coordinator.runTool("checkIntegrity()") { () throws(DataStoreError) in
            try adapter.checkIntegrity()
        }
    }

    /// Rewrites the file without its empty pages, which returns their space to the disk.
    ///
    /// *Rule:* the store must be closed: before `setup()` or after `tearDown()`. LMDB writes the file in one go, so
    /// a cancelled task is noticed only after that. *Cost:* reads and writes everything, and needs
    /// room for the new file beside the old one.
    ///
    /// - Throws: `.readOnly` when the options say so; `.alreadyOpen` when it is open, in this process; `.busy` when it is
    ///   in another; `.storeFull` when there is no room; `.unsupported` when the file has several names (hard links), of
    ///   which only one would lead to the new file; `.permissionDenied` when it belongs to another user or group, whose
    ///   rights the new file would not keep; `.cancelled` when the task was cancelled meanwhile; the file is then
    ///   unchanged.
    public func compact() throws(DataStoreError) {
        if engine.isReadOnly {
            throw DataStoreError(.readOnly, "The store was opened read-only.", path: engine.location)
        }
        try StoreCompaction(place: engine.files.place).run()
    }

    /// Rewrites the file without its empty pages as ``compact()`` does, without occupying the caller's actor.
    ///
    ///     try await store.tearDownAsync()
    ///     try await store.compactAsync()
    ///
    /// *Rule:* as ``compact()``. *Cost:* as ``compact()``; a thread while it runs.
    ///
    /// - Throws: As ``compact()``; `.inputOutput` if the system gives no thread.
    public func compactAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.compact() }
    }

    public func statistics() throws(DataStoreError) -> StoreStatistics {
        try coordinator.runTool("statistics()") { () throws(DataStoreError) in try adapter.statistics() }
    }

    /// Calls a body with LMDB's environment and a transaction that reads the last commit.
    ///
    ///     try store.withEnvironment { environment, transaction in print(environment, transaction) }
    ///
    /// The pointers are an `MDB_env` and an `MDB_txn` for the functions of LMDB's C library, such as `mdb_env_info`,
    /// `mdb_reader_list` and `mdb_stat`. The tables and the form of their rows are the library's own and may change.
    ///
    /// *Rule:* as ``FileDataStore`` says of tools; the pointers are valid during the body. The body does not write, does
    /// not begin, end or reset a transaction, and does not close, copy or resize the environment: LMDB checks none of
    /// this, and the file may be damaged. *Cost:* pages that are replaced meanwhile are kept until the body returns.
    ///
    /// - Throws: `.notSetUp`, `.closed`; `.nestedTransaction` inside a block of the store; the body's own error.
    public func withEnvironment<Result>(
        _ body: (_ environment: OpaquePointer, _ transaction: OpaquePointer) throws -> Result
    ) throws -> Result {
        try coordinator.runTool("withEnvironment") { () throws(DataStoreError) in
            let store = try engine.files.current()
            let transaction = try store.acquireReading()
            defer { store.endReading(transaction) }
            return Swift.Result { try body(store.environment.handle, transaction) }
        }.get()
    }
}
