import Larder

/// Where a store's file is, and which file that is.
struct StoreFile: Sendable {
    /// Without links and relative parts, so that SQLite's files are beside the real one.
    let path: String
    let identity: FileIdentity

    var logPath: String { Self.logPath(of: path) }

    /// The file through which the processes that have the store open share what is where in the log.
    var indexPath: String { path + "-shm" }

    /// How long the log is; nil where there is none.
    func logBytes() throws(DataStoreError) -> Int? {
        try FileAccess.status(at: logPath)?.byteCount
    }

    /// Whether the path still leads to the file.
    ///
    /// - Throws: `.storeFileMoved`; in WAL mode SQLite would write on into a file that nobody finds again.
    func requireInPlace() throws(DataStoreError) {
        if !FileAccess.isFile(identity, at: path) {
            throw DataStoreError(
                .storeFileMoved, "The store's file was moved, replaced or deleted while it was open.",
                path: path)
        }
    }

    static func logPath(of path: String) -> String { path + "-wal" }

    /// The files that belong to a store beside its own, in the order in which they may be removed.
    ///
    /// The log goes first: with a new file of the same name, SQLite would take an old log for the new file's.
    static func companions(of path: String) -> [String] {
        [logPath(of: path), path + "-journal", path + "-shm"]
    }
}
