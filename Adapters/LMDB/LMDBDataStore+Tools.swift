public import LarderKernel
import LarderKeyValue
public import struct Foundation.URL

/// The tools of LMDB beyond the contract.
extension LMDBDataStore {
    /// Copies the store, as it is at this moment, to a file that does not exist yet.
    ///
    /// Others may read and write meanwhile. The copy has no empty pages. LMDB writes it in one go, so a cancelled
    /// task is noticed only after that. *Cost:* reads the whole file; pages that are replaced meanwhile are kept
    /// until it ends.
    ///
    /// - Throws: `.cannotOpen` when something is in the place already, or its folder is missing;
    ///   `.storeFull`; `.cancelled` when the task was cancelled meanwhile, and then leaves no file.
    public func backup(to url: URL) throws(DataStoreError) {
        try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in try adapter.backup(to: url) }
    }

    /// Returns the defects of the store, one sentence each, up to a limit; empty if it is sound.
    ///
    /// Checks the structure of every page, every row and every index. *Cost:* reads everything, twice.
    ///
    /// - Throws: `.cancelled` when the task is cancelled.
    public func checkIntegrity() throws(DataStoreError) -> [String] {
        try coordinator.runTool("checkIntegrity()") { () throws(DataStoreError) in
            try adapter.checkIntegrity()
        }
    }

    /// Rewrites the file without its empty pages, which returns their space to the disk.
    ///
    /// *Rule:* the store must be closed: before `setup()` or after `tearDown()`. LMDB writes the file in one go, so
    /// a cancelled task is noticed only after that. *Cost:* reads and writes everything.
    ///
    /// - Throws: `.alreadyOpen` when it is open, in this process; `.busy` when it is in another; `.unsupported` when the
    ///   file has several names (hard links), of which only one would lead to the new file; `.cancelled` when the task
    ///   was cancelled meanwhile, and then leaves the file as it was.
    public func compact() throws(DataStoreError) {
        if options.isReadOnly {
            throw DataStoreError(.readOnly, "The store was opened read-only.", path: engine.location)
        }
        try StoreCompaction(place: engine.place).run()
    }

    /// Returns the size of the store and the number of items of each type.
    public func statistics() throws(DataStoreError) -> LMDBStatistics {
        try coordinator.runTool("statistics()") { () throws(DataStoreError) in try adapter.statistics() }
    }

    private var options: LMDBOptions { engine.options }
}
