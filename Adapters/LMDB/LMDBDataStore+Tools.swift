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
    /// - Throws: `.cannotOpen` when something is in the place already.
    public func backup(to url: URL) throws(DataStoreError) {
        try coordinator.runTool("backup(to:)") { () throws(DataStoreError) in
            let store = try engine.openStore()
            let snapshot = try store.beginReading()
            defer { snapshot.end() }
            try StoreBackup(environment: store.environment, path: url.absoluteURL.path).run()
        }
    }

    /// What is wrong with the store, a sentence each, up to a limit; nothing when it is sound.
    ///
    /// The structure of every page is looked at, every row, and every index. *Cost:* reads everything, twice.
    public func checkIntegrity() throws(DataStoreError) -> [String] {
        try coordinator.runTool("checkIntegrity()") { () throws(DataStoreError) in
            let store = try engine.openStore()
            // Pages that a reading may need are not used again, so that nothing moves under the walk.
            let snapshot = try store.beginReading()
            defer { snapshot.end() }
            let problems = try LMDBFileCheck.problems(inFileAt: store.file.path)
            // LMDB trusts what it reads, and would end the process.
            return problems.isEmpty ? try adapter.checkTables() : problems
        }
    }

    /// Writes the file anew without empty pages, and gives the room back.
    ///
    /// *Rule:* the store must be closed: before `setup()` or after `tearDown()`. *Cost:* reads and writes
    /// everything.
    ///
    /// - Throws: `.alreadyOpen` when it is open, in this process; `.busy` when it is in another.
    public func compact() throws(DataStoreError) {
        if options.isReadOnly {
            throw DataStoreError(.readOnly, "The store is to be read only.", path: engine.location)
        }
        try StoreCompaction(path: engine.location).run()
    }

    /// How large the store is, and how many items of each type are in it.
    public func statistics() throws(DataStoreError) -> LMDBStatistics {
        try coordinator.runTool("statistics()") { () throws(DataStoreError) in
            let store = try engine.openStore()
            let counts = try adapter.itemCounts()
            let snapshot = try store.beginReading()
            defer { snapshot.end() }
            let environment = store.environment
            return LMDBStatistics(
                pageBytes: environment.pageBytes, pageCount: environment.pageCount,
                freePageCount: try snapshot.freePageCount(),
                fileBytes: try FileAccess.status(at: store.file.path)?.byteCount ?? 0,
                mapBytes: environment.mapBytes, itemCounts: counts)
        }
    }

    private var options: LMDBOptions { engine.options }
}
