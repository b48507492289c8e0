import LarderKernel
import LarderFiles

extension FileEngine {
    /// SQLite's files: the log goes first, as SQLite would take an old log for the log of a new file of the
    /// same name.
    static let sqlite = FileEngine(
        "SQLite", companionSuffixes: ["-wal", "-journal", "-shm"], recognizesDamaged: true
    ) { (path) throws(DataStoreError) in
        _ = try StoreFileHeader(try FileAccess.firstBytes(StoreFileHeader.byteCount, of: path).bytes)
    }
}

extension StoreFile {
    var logPath: String { path + "-wal" }

    /// The file through which the processes that have the store open share what is where in the log.
    var indexPath: String { path + "-shm" }

    /// The length of the log, or nil if there is none.
    func logBytes() throws(DataStoreError) -> Int? {
        try FileAccess.status(at: logPath)?.byteCount
    }
}
