import LarderKernel
import LarderFiles

extension StoreFile {
    /// The suffixes of the files that SQLite may keep beside a store's own, in the order in which they may be
    /// removed.
    ///
    /// The log goes first: with a new file of the same name, SQLite would take an old log for the new file's.
    static let companionSuffixes = ["-wal", "-journal", "-shm"]

    var logPath: String { path + "-wal" }

    /// The file through which the processes that have the store open share what is where in the log.
    var indexPath: String { path + "-shm" }

    /// The length of the log, or nil if there is none.
    func logBytes() throws(DataStoreError) -> Int? {
        try FileAccess.status(at: logPath)?.byteCount
    }
}
