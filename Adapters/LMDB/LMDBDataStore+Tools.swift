public import Larder
import LarderKeyValue
public import struct Foundation.URL

/// What an app or a tool can ask of LMDB beyond the contract.
extension LMDBDataStore {
    /// Copies the store, as it is at this moment, to a file that does not exist yet.
    ///
    /// Others may read and write meanwhile. The copy has no empty pages. *Cost:* reads the whole file; pages
    /// that are replaced meanwhile are kept until it ends.
    ///
    /// - Throws: `.cannotOpen` when something is in the place already, or its folder is missing; `.storeFull`;
    ///   `.cancelled` when the task was cancelled meanwhile, and then leaves no file.
    public func backup(to url: URL) throws(DataStoreError) {
        try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in try adapter.backup(to: url) }
    }

    /// What is wrong with the store, a sentence each, up to a limit; nothing when it is sound.
    ///
    /// The structure of every page is looked at, every row, and every index. *Cost:* reads everything, twice.
    ///
    /// - Throws: `.cancelled` when the task is cancelled.
    public func checkIntegrity() throws(DataStoreError) -> [String] {
        try coordinator.runTool("checkIntegrity()") { () throws(DataStoreError) in
            try adapter.checkIntegrity()
        }
    }

    /// Writes the file anew without empty pages, and gives the room back.
    ///
    /// *Rule:* the store must be closed: before `setup()` or after `tearDown()`. *Cost:* reads and writes
    /// everything.
    ///
    /// - Throws: `.alreadyOpen` when it is open, in this process; `.busy` when it is in another; `.cancelled` when
    ///   the task was cancelled meanwhile, and then leaves the file as it was.
    public func compact() throws(DataStoreError) {
        if options.isReadOnly {
            throw DataStoreError(.readOnly, "The store is to be read only.", path: engine.location)
        }
        try StoreCompaction(place: engine.place).run()
    }

    /// How large the store is, and how many items of each type are in it.
    public func statistics() throws(DataStoreError) -> LMDBStatistics {
        try coordinator.runTool("statistics()") { () throws(DataStoreError) in try adapter.statistics() }
    }

    private var options: LMDBOptions { engine.options }
}
