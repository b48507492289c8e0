import CSQLite
import Larder

/// Opens connections to a store's file with the app's settings.
struct StoreConnector: Sendable {
    let file: StoreFile
    let options: SQLiteOptions

    /// What a connection is for.
    enum Purpose {
        case reading, writing
    }

    func connect(for purpose: Purpose) throws(DataStoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: file.path, access: access, busyTimeout: options.busyTimeout)
        do {
            try file.requireInPlace()
            try connection.execute(settings(for: purpose))
            if purpose == .writing { try options.applySizeLimit(to: connection) }
            try requireWritable(connection)
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    private var access: SQLiteConnection.Access {
        if !options.isReadOnly { return .readWrite }
        return options.assumesNoWriter ? .immutable : .readOnly
    }

    private func settings(for purpose: Purpose) -> String {
        let synchronous =
            switch options.durability {
            case .full: "FULL"
            case .normal: "NORMAL"
            case .none: "OFF"
            }
        return """
            PRAGMA cache_size = -\(max(1, options.cacheBytes / 1024));
            PRAGMA cell_size_check = ON;
            PRAGMA \(purpose == .reading ? "query_only = ON" : "synchronous = \(synchronous)")
            """
    }

    /// SQLite opens a file that may not be written to all the same, and would fail with the first write.
    private func requireWritable(_ connection: SQLiteConnection) throws(DataStoreError) {
        if !options.isReadOnly && sqlite3_db_readonly(connection.handle, "main") == 1 {
            throw DataStoreError(
                .permissionDenied, "The store's file may be read, but not written to.", path: file.path)
        }
    }

    /// Gives a file its write-ahead log back, which another tool has turned off.
    func useLog() throws(DataStoreError) {
        let connection = try connect(for: .writing)
        defer { connection.close() }
        try connection.useLog()
    }
}

extension SQLiteConnection {
    /// Makes the file be used with a write-ahead log from now on.
    func useLog() throws(DataStoreError) {
        guard try texts("PRAGMA journal_mode = WAL") == ["wal"] else {
            throw DataStoreError(
                .cannotOpen,
                "The file system cannot share memory between processes, which SQLite's log needs.",
                advice: "Keep the store on a local disk.", path: path)
        }
    }

    /// What one of SQLite's checks has found, a line of its report each; nothing when all is well.
    ///
    /// SQLite puts several lines into one row, and a heading above them that names the database.
    func reportedProblems(_ check: String) throws(DataStoreError) -> [String] {
        let rows = try texts(check)
        if rows == ["ok"] { return [] }
        let lines = rows.flatMap { $0.split(separator: "\n").map(String.init) }
            .filter { !$0.hasPrefix("*** in database ") }
        return lines.isEmpty ? rows : lines
    }

    /// Walks through all pages of the file.
    ///
    /// - Throws: `.damaged` with what SQLite has found.
    func requireSoundStructure() throws(DataStoreError) {
        let problems = try reportedProblems("PRAGMA quick_check")
        if !problems.isEmpty {
            throw DataStoreError(
                .damaged,
                "The structure of the file is wrong: \(problems.prefix(3).joined(separator: "; ")).",
                path: path)
        }
    }
}
