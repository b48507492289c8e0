import CSQLite
import LarderKernel
import LarderFiles

/// Opens connections to a store's file with the app's settings.
struct StoreConnector: Sendable {
    let file: StoreFile
    let options: SQLiteOptions
    let access: SQLiteConnection.Access
    /// True if the log and its index have to be there, as this process may not make them.
    let needsLog: Bool
    /// The state of the file before it was opened.
    let firstState: String

    /// The purpose of a connection.
    enum Purpose {
        case reading, writing
    }

    /// - Parameter keepsLog: True if closing the connection keeps the log.
    func connect(
        for purpose: Purpose, keepingLog keepsLog: Bool = false
    ) throws(DataStoreError) -> SQLiteConnection {
        let connection: SQLiteConnection
        do throws(DataStoreError) {
            connection = try SQLiteConnection(
                path: file.path, access: access, busyTimeout: options.busyTimeout)
        } catch {
            throw file.explained(error)
        }
        connection.keepsLog(keepsLog)
        do throws(DataStoreError) {
            // While any connection has this lock, no other process puts another file in the place of this one.
            if access != .immutable { try connection.lockShared() }
            // Nor does one remove the log, which it may have done before.
            if access == .readOnly && needsLog && !file.hasLogAndIndex {
                throw DataStoreError(
                    .busy, "Another process has closed the store while it was being opened.",
                    advice: "Repeat the call.", path: file.path)
            }
            try file.requireInPlace()
            // Once for the file, and once for its header, which is read meanwhile.
            try requireWritable(connection)
            try connection.execute(settings(for: purpose) + options.pragmaText())
            if purpose == .writing { try options.applySizeLimit(to: connection) }
            connection.isLimitedByDisks = purpose == .reading || options.sizeLimit == nil
            try requireWritable(connection)
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// True if a process has begun to write to a file that is read without SQLite's locks.
    ///
    /// One that has ended has copied its log into the file.
    ///
    /// *Cost:* two system calls for such a file; nothing for others.
    func hasWriter() throws(DataStoreError) -> Bool {
        guard access == .immutable, !options.assumesNoWriter else { return false }
        if try file.logBytes() ?? 0 > 0 { return true }
        // Another file in its place changes nothing in this one.
        guard let now = try FileAccess.status(at: file.path), now.identity == file.identity else {
            return false
        }
        return now.stateText != firstState
    }

    private func settings(for purpose: Purpose) -> String {
        // On Apple's systems a sync without these two does not reach the disk; elsewhere they do nothing. The
        // connection that is closed last writes the log back, whatever its purpose was.
        let (synchronous, syncsCommits, syncsCheckpoints) =
            switch options.durability {
            case .full: ("FULL", "ON", "ON")
            case .normal: ("NORMAL", "OFF", "ON")
            case .none: ("OFF", "OFF", "OFF")
            }
        return """
            PRAGMA cache_size = -\(max(1, options.cacheBytes / 1024));
            PRAGMA cell_size_check = ON;
            PRAGMA fullfsync = \(syncsCommits); PRAGMA checkpoint_fullfsync = \(syncsCheckpoints);
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

extension SQLiteOptions {
    private static let settablePragmas: Set = [
        "analysis_limit", "automatic_index", "cache_spill", "mmap_size", "reverse_unordered_selects",
        "temp_store", "threads",
    ]

    /// The statements that set the app's pragmas.
    ///
    /// - Throws: `.cannotOpen` for a pragma that the store sets itself.
    func pragmaText() throws(DataStoreError) -> String {
        for name in pragmas.keys.sorted() where !Self.settablePragmas.contains(name) {
            throw DataStoreError(
                .cannotOpen, "The options set the pragma \"\(name)\", which belongs to the store.",
                advice:
                    "Leave it out, or use one of \(Self.settablePragmas.sorted().joined(separator: ", ")).")
        }
        return pragmas.map { "; PRAGMA \($0.key) = \($0.value)" }.joined()
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

    /// The findings of one of SQLite's checks, one line of its report each; empty if there are none.
    ///
    /// SQLite puts several lines into one row, and a heading above them that names the database. It passes over an
    /// index that is filed under its table's name in another case. That index stays when the table goes, and then
    /// nothing can be read.
    func reportedProblems(_ check: String) throws(DataStoreError) -> [String] {
        let rows = try texts(check)
        let lines = rows.flatMap { $0.split(separator: "\n").map(String.init) }
            .filter { !$0.hasPrefix("*** in database ") }
        let problems = rows == ["ok"] ? [] : lines.isEmpty ? rows : lines
        return try problems
            + texts(
                """
                SELECT 'index ' || name || ' is filed under ' || tbl_name FROM main.sqlite_schema AS s \
                WHERE type = 'index' AND NOT EXISTS \
                (SELECT 1 FROM main.sqlite_schema AS t, pragma_index_list(t.name, 'main') AS i \
                WHERE t.type = 'table' AND t.name = s.tbl_name AND i.name = s.name)
                """)
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
