import CSQLite
import Larder

/// Copies a store page by page to a new file, which gets its name when it is complete.
struct StoreBackup {
    private let source: SQLiteConnection
    private let place: StorePlace

    /// - Parameter source: Has a snapshot open, so that it is one state that is copied.
    init(of source: SQLiteConnection, to place: StorePlace) {
        self.source = source
        self.place = place
    }

    /// How many pages are copied at a time.
    private static let stepPages: Int32 = 1024

    func run() throws(DataStoreError) {
        let target = try place.pathOfNewFile()
        let isFree =
            !FileAccess.isTaken(target)
            && StoreFile.companions(of: target).allSatisfy { !FileAccess.isTaken($0) }
        guard isFree else { throw taken }
        let file = NewFile(at: target, companionSuffixes: StoreFile.companions(of: ""))
        let isMine = try file.make { (temporary) throws(DataStoreError) in try copy(to: temporary) }
        if !isMine { throw taken }
    }

    private var taken: DataStoreError {
        DataStoreError(
            .cannotOpen, "There is something in the place of the backup already.",
            advice: "Choose another name, or remove what is there.", path: place.path)
    }

    private func copy(to temporary: String) throws(DataStoreError) {
        let target = try SQLiteConnection(path: temporary, access: .readWrite, busyTimeout: .zero)
        defer { target.close() }
        try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.failure(sqlite3_errcode(target.handle))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK && !Task.isCancelled { code = sqlite3_backup_step(backup, Self.stepPages) }
        let end = sqlite3_backup_finish(backup)
        try Cancellation.check("The backup")
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw target.failure(code == SQLITE_DONE ? end : code)
        }
    }
}
