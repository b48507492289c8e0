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
    /// - Throws: `.cancelled` when the task is cancelled.
    func checkIntegrity() throws(DataStoreError) -> [String]

    /// Returns the size of the store and the number of items of each type.
    ///
    /// *Cost:* may count every item.
    func statistics() throws(DataStoreError) -> StoreStatistics
}
