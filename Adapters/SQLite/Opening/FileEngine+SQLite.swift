import LarderKernel
import LarderFiles

extension FileEngine {
    /// SQLite's files: the log goes first, as SQLite would take an old log for the log of a new file of the
    /// same name.
    static let sqlite = FileEngine(
        "SQLite", companionSuffixes: ["-wal", "-journal", "-shm"], logSuffixes: ["-wal", "-journal"],
        recognizesDamaged: true
    ) { (path) throws(DataStoreError) in
        _ = try StoreFileHeader(try FileAccess.firstBytes(StoreFileHeader.byteCount, of: path).bytes)
    }
}

extension StoreFile {
    var logPath: String { path + "-wal" }

    /// The file through which the processes that have the store open share what is where in the log.
    var indexPath: String { path + "-shm" }

    /// The file in which a tool that has turned the log off keeps what its commit changes.
    var journalPath: String { path + "-journal" }

    /// True if a commit has not ended, which SQLite undoes by the journal unless the program that makes it still runs.
    var hasJournal: Bool {
        guard FileAccess.isTaken(journalPath) else { return false }
        // As SQLite does, one that cannot be read is taken for such a commit's; one that is kept begins with zeros.
        guard let head = try? FileAccess.firstBytes(1, of: journalPath).bytes else { return true }
        return head.first ?? 0 != 0
    }

    /// The length of the log, or nil if there is none.
    func logBytes() throws(DataStoreError) -> Int? {
        try FileAccess.status(at: logPath)?.byteCount
    }
}
