import CSQLite
import Foundation
import Larder
import LarderFiles
import Testing
@testable import AdapterTestSupport
@testable import LarderSQLite

/// A file that another process writes while it is opened.
@Suite struct `Opening beside a writer` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    /// Work of another process between the look at the header and that at the log.
    enum Work: String, CaseIterable {
        /// The log is written back, which makes the file longer.
        case grow = "PRAGMA wal_checkpoint(TRUNCATE)"
        /// The file gets shorter.
        case shrink = "DELETE FROM Recipe WHERE id > 1; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"
    }

    /// A store most of which is in its log, or in its file, and the connection that has written it.
    private func makeStore(inLog isInLog: Bool) throws -> RawDatabase {
        try TestStore(at: url).adapter.close()
        let raw = try RawDatabase(url)
        try raw.execute("PRAGMA wal_autocheckpoint = 0; BEGIN")
        for id in 1...400 {
            try raw.execute(
                "INSERT INTO Recipe VALUES (\(id), hex(randomblob(500)), 1.5, 'recipe-\(id)', NULL)")
        }
        try raw.execute("COMMIT")
        if !isInLog { try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        return raw
    }

    @Test(arguments: Work.allCases, [StoreRecovery.refuse, .recreate { _ in Issue.record("set aside") }])
    func `finds a sound store whose log is written back at that moment`(
        _ work: Work, _ recovery: StoreRecovery
    ) throws {
        let raw = try makeStore(inLog: work == .grow)
        let before = try url.fileBytes
        let looks = Locked(0)
        var options = SQLiteOptions.forTests
        // On the thread of the test, which has the connection.
        nonisolated(unsafe) let other = raw
        options.openingProbe = {
            let isFirst = looks.withLock { looks in
                looks += 1
                return looks == 1
            }
            if isFirst { #expect(throws: Never.self) { try other.execute(work.rawValue) } }
        }
        var storeOptions = DataStoreOptions()
        storeOptions.recovery = recovery

        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self], options: options, storeOptions: storeOptions)
        try store.setup()

        #expect((try url.fileBytes > before) == (work == .grow))
        #expect((try url.fileBytes < before) == (work == .shrink))
        #expect(try store.read { try $0.countItems(for: Recipe.all) } == (work == .grow ? 400 : 1))
        // A look that shows damage is compared with another one, and a third is judged.
        #expect(looks.withLock { $0 } == (work == .grow ? 1 : 3))
        try store.tearDown()
    }

    @Test func `a file that is too short is damaged, looked at twice`() throws {
        _ = try makeStore(inLog: false)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(url.fileBytes / 2))
        try handle.close()
        let looks = Locked(0)
        var options = SQLiteOptions.forTests
        options.openingProbe = { looks.withLock { $0 += 1 } }

        #expect(code { try TestStore(at: url, options: options) } == .damaged)

        #expect(looks.withLock { $0 } == 2)
    }

    @Test func `a store that another process has just made is not taken for the log of a lost one`() throws {
        let other = try TestStore(at: url)
        try other.insert([Recipe(1)])
        #expect(try url.adding("-wal").fileBytes > 0)

        // This process has looked for the file before.
        try StoreCreation(path: url.path, options: .forTests, schema: other.schema, plan: nil).run()

        #expect(try other.all(Recipe.self) == [Recipe(1)])
        #expect(try folder.names == ["store.db", "store.db-shm", "store.db-wal"])
    }

    @Test func `a file that goes while it is opened was moved, so that the store is looked for again`() throws
    {
        try TestStore(at: url).adapter.close()
        let status = try #require(try FileAccess.status(at: url.path))
        try FileManager.default.removeItem(at: url)

        #expect(
            code { try ClaimedFile(at: url.path, status, options: .forTests) } == .storeFileMoved)
    }

    @Test func `the schema and the tables are those of one moment`() throws {
        try TestStore(at: url).adapter.close()
        let raw = try RawDatabase(url)
        try raw.execute("CREATE TEMP TABLE former AS SELECT key, value FROM larder_meta")
        try TestStore(at: url, storing: [Recipe.self, Tag.self]).adapter.close()
        let connection = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .zero)
        defer { connection.close() }
        // As another process does that changes the schema.
        let interruption = Interruption(
            before: "SELECT name, sql FROM main.sqlite_schema", on: raw,
            """
            BEGIN IMMEDIATE; DROP TABLE Tag;
            UPDATE main.larder_meta SET value = (SELECT value FROM former WHERE former.key = larder_meta.key);
            COMMIT
            """)
        interruption.install(on: connection)

        #expect(try TableAgreement.schema(on: connection).entities.map(\.name) == ["Recipe", "Tag"])
        #expect(try TableAgreement.schema(on: connection).entities.map(\.name) == ["Recipe"])
        #expect(interruption.count == 2)
    }

    @Test func `an upgraded store that another process upgrades further is not brought back`() throws {
        func store(
            at url: URL, upTo version: Int, _ options: DataStoreOptions = DataStoreOptions()
        ) -> SQLiteDataStore {
            let all: SchemaHistory = [
                "1": [Dish.Bare.self], "2": [Dish.First.self], "3": [Dish.Unique.self],
            ]
            let history = SchemaHistory(Array(all.versions.prefix(version)))
            return SQLiteDataStore(at: url, storing: history, options: .forTests, storeOptions: options)
        }
        let early = store(at: url, upTo: 1)
        try early.setup()
        try early.writeSync { _ = try $0.insert(Dish.Bare(1, "Soup", 5)) }
        try early.tearDown()
        let later = folder.file("later.db")
        try FileManager.default.copyItem(at: url, to: later)
        let further = store(at: later, upTo: 3)
        try further.setup()
        try further.tearDown()
        var options = DataStoreOptions()
        options.schemaUpgrade = .copying()
        let swaps = Locked(0)
        // As another process does that upgrades it in a copy, too.
        options.upgradeProbe = { [url] place in
            if place != "swapped" { return }
            swaps.withLock { $0 += 1 }
            #expect(throws: Never.self) {
                try FileManager.default.removeItem(at: url)
                try FileManager.default.moveItem(at: later, to: url)
            }
        }
        let overtaken = store(at: url, upTo: 2, options)

        let error = thrown { try overtaken.setup() }

        #expect(swaps.withLock(\.self) == 1)
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message == "The store has version 3 of the schema, and the app knows only 1, 2.")
        #expect(try overtaken.coordinator.adapter.storedSchema()?.version == "3")
    }

    // MARK: What a power cut leaves

    @Test(arguments: [
        (FileStoreOptions.Durability.full, 2, 1, 1), (.normal, 1, 0, 1), (.none, 0, 0, 0),
    ])
    func `Apple's disks are told to write where durability needs it`(
        _ durability: FileStoreOptions.Durability, _ synchronous: Int, _ commits: Int, _ checkpoints: Int
    ) throws {
        let store = try TestStore(at: url, options: SQLiteOptions(durability: durability))
        let opened = try store.adapter.files.current()
        let writer = try opened.acquireWriter()
        defer { opened.releaseWriter() }
        let connection = writer.session.connection
        #expect(try connection.integer("PRAGMA synchronous") == synchronous)
        #expect(try connection.integer("PRAGMA fullfsync") == commits)
        #expect(try connection.integer("PRAGMA checkpoint_fullfsync") == checkpoints)
        // The last connection that is closed writes the log back, and a reader may be that.
        let reader = try opened.acquireReader()
        defer { opened.readers.release(reader) }
        #expect(try reader.connection.integer("PRAGMA checkpoint_fullfsync") == checkpoints)
    }

    @Test func `the page cache has the size that the options say, or 16 MB`() throws {
        func cacheSize(_ options: SQLiteOptions) throws -> Int {
            let store = try TestStore(at: url, options: options)
            defer { withExtendedLifetime(store) {} }
            let opened = try store.adapter.files.current()
            let writer = try opened.acquireWriter()
            defer { opened.releaseWriter() }
            return try writer.session.connection.integer("PRAGMA cache_size")
        }

        // Negative numbers are kilobytes.
        #expect(try cacheSize(SQLiteOptions(cacheBytes: 4 << 20)) == -4096)
        #expect(try cacheSize(SQLiteOptions()) == -16384)
    }

    // MARK: Another tool's rollback mode

    /// What a tool leaves that is killed while it commits: the new number of pages, the first of them, and the journal.
    private func leaveHalfACommit() throws {
        let origin = folder.file("origin.db")
        let store = try TestStore(at: origin)
        try store.insert([Recipe(1), Recipe(2), Recipe(3)])
        try store.adapter.close()
        // Without a cache, pages are written before the commit.
        let raw = try RawDatabase(origin)
        try raw.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN")
        for id in 4...400 {
            try raw.execute(
                "INSERT INTO Recipe VALUES (\(id), hex(randomblob(500)), 1.5, 'recipe-\(id)', NULL)")
        }
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(at: origin.adding(suffix), to: url.adding(suffix))
        }
        try raw.execute("ROLLBACK")
        var bytes = try Data(contentsOf: url)
        // The commit writes the first page first, with the number of pages at this offset.
        let count = UInt32(bytes.count / 8192 + 10)
        bytes.replaceSubrange(28..<32, with: withUnsafeBytes(of: count.bigEndian) { Array($0) })
        try bytes.write(to: url)
    }

    @Test(arguments: [StoreRecovery.refuse, .recreate { _ in Issue.record("set aside") }])
    func `a commit of another tool that was killed is undone`(_ recovery: StoreRecovery) throws {
        try leaveHalfACommit()
        #expect(try url.adding("-journal").fileBytes > 0)
        var storeOptions = DataStoreOptions()
        storeOptions.recovery = recovery

        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self], options: .forTests, storeOptions: storeOptions)
        try store.setup()

        #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1), Recipe(2), Recipe(3)])
        #expect(try store.checkIntegrity() == [])
        try store.tearDown()
        #expect(try folder.names == ["origin.db", "store.db"])
    }

    @Test(arguments: [false, true])
    func `half a commit of another tool is not read, and stays`(_ assumesNoWriter: Bool) throws {
        try leaveHalfACommit()
        let before = try folder.contents
        let options = SQLiteOptions(isReadOnly: true, assumesNoWriter: assumesNoWriter)

        let error = thrown { try TestStore(at: url, options: options) }

        #expect(error?.code == .readOnly)
        #expect(error?.message.hasPrefix("Another program's commit has not ended") == true, "\(error as Any)")
        #expect(try folder.contents == before)
    }

    @Test func `a file that is too short is damaged beside a journal whose commit has ended`() throws {
        _ = try makeStore(inLog: false)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(url.fileBytes / 2))
        try handle.close()
        try Data(repeating: 0, count: 512).write(to: url.adding("-journal"))

        #expect(code { try TestStore(at: url, options: .forTests) } == .damaged)
    }

    /// Its owner has closed the store after the reader had found them.
    @Test func `a reader that may not make the log and its index opens no store without them`() throws {
        try TestStore(at: url).adapter.close()
        let status = try #require(try FileAccess.status(at: url.path))
        let connector = StoreConnector(
            file: try StoreFile(at: url.path, status, of: .sqlite), options: SQLiteOptions(isReadOnly: true),
            access: .readOnly, needsLog: true, firstState: status.stateText)

        let refused = thrown { try connector.connect(for: .reading) }

        #expect(refused?.code == .busy)
        #expect(refused?.message == "Another process has closed the store while it was being opened.")
        #expect(try folder.names == ["store.db"])
    }

    #if os(Linux)
        @Test func `a reader has to find the log if it may not write to the store`() async throws {
            try TestStore(at: url).adapter.close()
            #expect(try Self.readerNeedsLog(at: url.path) == false)
            #expect(chmod(url.path, 0o444) == 0)
            #expect(chmod(folder.path, 0o755) == 0)

            await #expect(processExitsWith: .success) { [path = url.path as String] in
                // No mode binds the superuser.
                if geteuid() == 0 {
                    setgid(65534)
                    setuid(65534)
                }
                guard try Self.readerNeedsLog(at: path) else { exit(2) }
            }
        }

        /// True if an opening that only reads needs the log and its index.
        private static func readerNeedsLog(at path: String) throws -> Bool {
            guard let status = try FileAccess.status(at: path) else { return false }
            let claimed = try ClaimedFile(at: path, status, options: SQLiteOptions(isReadOnly: true))
            defer { claimed.release() }
            return claimed.connector.needsLog
        }
    #endif

    @Test(.timeLimit(.minutes(10)))
    func `a store without a log that is only read follows what others commit`() async throws {
        let first = try TestStore(at: url)
        try first.insert([Recipe(1)])
        try first.adapter.close()
        let raw = try RawDatabase(url, busyMilliseconds: 5000)
        try raw.execute("PRAGMA journal_mode = DELETE")
        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self], options: SQLiteOptions(isReadOnly: true))
        try store.setup()
        var counts = store.values(ofCount: Recipe.all).makeAsyncIterator()
        #expect(try await counts.next() == 1)

        for id in 2...4 {
            try raw.execute("INSERT INTO Recipe VALUES (\(id), 'Soup', 1.5, 'soup \(id)', NULL)")
            #expect(try await counts.next() == id)
        }
        try store.tearDown()
    }
}

/// Work of another connection just before a statement begins for the first time.
private final class Interruption {
    private let words: String
    private let other: RawDatabase
    private let sql: String
    /// The number of times that the statement has begun.
    private(set) var count = 0

    init(before words: String, on other: RawDatabase, _ sql: String) {
        self.words = words
        self.other = other
        self.sql = sql
    }

    func install(on connection: SQLiteConnection) {
        sqlite3_trace_v2(
            connection.handle, UInt32(SQLITE_TRACE_STMT),
            { _, context, _, text in
                guard let context, let text else { return 0 }
                Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue()
                    .begin(String(cString: text.assumingMemoryBound(to: CChar.self)))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func begin(_ statement: String) {
        guard statement.hasPrefix(words) else { return }
        count += 1
        if count > 1 { return }
        do {
            try other.execute(sql)
        } catch {
            Issue.record(error)
        }
    }
}
