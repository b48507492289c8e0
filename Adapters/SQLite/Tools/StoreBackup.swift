import CSQLite
import LarderKernel

/// Copies a store page by page to a new file.
struct StoreBackup {
    private let source: SQLiteConnection

    /// - Parameter source: Has a snapshot open, so that it is one state that is copied.
    init(of source: SQLiteConnection) {
        self.source = source
    }

    /// The number of pages copied at a time.
    private static let stepPages: Int32 = 1024

    /// Writes the copy to a file that is there and empty.
    func write(to path: String) throws(DataStoreError) {
        let target = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .zero)
        defer { target.close() }
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.failure(sqlite3_errcode(target.handle))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK && !AwaitedThread.isCancelled {
            code = sqlite3_backup_step(backup, Self.stepPages)
        }
        let end = sqlite3_backup_finish(backup)
        try Cancellation.check("The backup")
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw target.failure(code == SQLITE_DONE ? end : code)
        }
    }
}
