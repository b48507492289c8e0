import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

@Suite struct `Several processes` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private var impatient: SQLiteOptions {
        SQLiteOptions(durability: .none, busyTimeout: .milliseconds(20))
    }

    // MARK: Locks

    @Test func `a writer waits for another process and ends as busy`() throws {
        let store = try TestStore(at: url, options: impatient)
        try store.insert([Recipe(1)])
        let other = try RawDatabase(url)
        try other.execute("BEGIN IMMEDIATE")

        let started = ContinuousClock.now
        let refused = thrown { try store.insert([Recipe(2)]) }

        #expect(refused?.code == .busy)
        #expect(refused?.underlying?.source == "SQLite")
        #expect(ContinuousClock.now - started >= .milliseconds(20))
        #expect(try store.all(Recipe.self) == [Recipe(1)])
        try other.execute("COMMIT")
        try store.insert([Recipe(2)])
    }

    @Test func `what another process commits is read by the next transaction`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let reading = try store.beginReading()
        #expect(try reading.count(Recipe.self) == 1)

        try RawDatabase(url).execute("INSERT INTO Recipe VALUES (2, 'Soup', 1.5, 'soup', NULL)")

        #expect(try reading.count(Recipe.self) == 1)
        reading.transaction.end()
        #expect(try store.all(Recipe.self).last == Recipe(2, name: "Soup", rating: 1.5, slug: "soup"))
    }

    #if os(Linux) || os(macOS)
        @Test func `two processes write at the same time and neither loses a row`() async throws {
            try TestStore(at: url, options: SQLiteOptions(durability: .normal)).adapter.close()
            await withTaskGroup(of: Void.self) { group in
                for process in 0..<2 {
                    group.addTask { [path = url.path] in await Self.writeRows(path, process: process) }
                }
            }

            let store = try TestStore(at: url)
            #expect(try store.all(Recipe.self).map(\.id) == Array(0..<400))
            #expect(try store.adapter.checkIntegrity() == [])
        }

        private static func writeRows(_ path: String, process: Int) async {
            await #expect(processExitsWith: .success) { [path = path as String, process = process as Int] in
                let options = SQLiteOptions(durability: .normal, busyTimeout: .seconds(60))
                let store = try TestStore(at: URL(fileURLWithPath: path), options: options)
                for number in 0..<200 { try store.insert([Recipe(Int64(number * 2 + process))]) }
            }
        }

        @Test func `a process that is killed while it writes leaves whole transactions`() async throws {
            try TestStore(at: url).adapter.close()
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path))
                for number in 0..<20 { try store.insert((0..<10).map { Recipe(Int64(number * 10 + $0)) }) }
                let writing = try store.beginWriting()
                try writing.insert(
                    (1000..<1500).map { Recipe($0, note: String(repeating: "x", count: 5000)) })
                kill(getpid(), SIGKILL)
            }

            let store = try TestStore(at: url)
            #expect(try store.all(Recipe.self).map(\.id) == Array(0..<200))
            #expect(try store.adapter.checkIntegrity() == [])
        }

        @Test func `closing a store that was only read leaves the locks of the one in its place`()
            async throws
        {
            // A log and its index are there already when it is opened.
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path))
                try store.insert([Recipe(1)])
                kill(getpid(), SIGKILL)
            }
            let old = try TestStore(at: url, options: SQLiteOptions(isReadOnly: true))
            #expect(try old.all(Recipe.self) == [Recipe(1)])
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let url = URL(fileURLWithPath: path)
                try SQLiteAdapter(at: url).destroy()
                try TestStore(at: url).adapter.close()
            }
            let new = try TestStore(at: url)
            try new.insert([Recipe(2)])

            try old.adapter.close()

            await #expect(processExitsWith: .success) { [path = url.path as String] in
                if !URL(fileURLWithPath: path + "-shm").isLockedElsewhere { exit(2) }
            }
            #expect(try new.all(Recipe.self) == [Recipe(2)])
        }
    #endif

    // MARK: The schema

    /// Changes the schema as another process of a newer version of the app would.
    private func evolve(_ sql: String) throws {
        try RawDatabase(url).execute(
            "BEGIN IMMEDIATE; \(sql); UPDATE larder_meta SET value = value + 1 WHERE key = 'generation'; COMMIT"
        )
    }

    @Test func `a change of the schema is noticed by every kind of request`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        func warmUp() throws {
            try store.read { scope throws in
                _ = try scope.item(Recipe.self, 1)
                _ = try scope.items(Recipe.self)
                _ = try scope.count(Recipe.self)
            }
            try store.write { scope throws in
                try scope.update(Recipe(1), 1)
                try scope.delete(Recipe.self, [9])
            }
        }
        try warmUp()

        try evolve("CREATE INDEX other ON Recipe (name)")

        for _ in 0..<2 {
            #expect(code { try store.read { try $0.item(Recipe.self, 1) } } == .schemaChanged)
            #expect(code { try store.read { try $0.items(Recipe.self) } } == .schemaChanged)
            #expect(code { try store.insert([Recipe(2)]) } == .schemaChanged)
        }
        #expect(code { try store.read { try $0.count(Recipe.self) } } == .schemaChanged)
        #expect(code { try store.read { try $0.items(Recipe.self, limit: 1) } } == .schemaChanged)
        #expect(
            code { try store.read { try $0.transaction.explain($0.plan(Recipe.self)) } } == .schemaChanged)
        #expect(code { try store.adapter.statistics() } == .schemaChanged)
        #expect(code { try store.write { try $0.update(Recipe(1), 1) } } == .schemaChanged)
        #expect(code { try store.write { try $0.delete(Recipe.self, [1]) } } == .schemaChanged)
        #expect(code { try store.write { try $0.deleteAll(Recipe.self) } } == .schemaChanged)
        #expect(try RawDatabase(url).value("SELECT count(*) FROM Recipe") == "1")

    }

    @Test func `a table or a column that is gone is a changed schema and not a wrong answer`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1, note: "hot")])
        _ = try store.all(Recipe.self)

        try evolve("ALTER TABLE Recipe DROP COLUMN note")

        #expect(code { try store.all(Recipe.self) } == .schemaChanged)
        #expect(
            code { try store.read { try $0.count(Recipe.self, where: .isNull(column: 4)) } } == .schemaChanged
        )
        #expect(code { try store.insert([Recipe(2)]) } == .schemaChanged)
        try evolve("DROP TABLE Recipe")
        #expect(code { try store.all(Recipe.self) } == .schemaChanged)
    }

    @Test func `a reader that is opened after the change notices it`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let first = try store.beginReading()

        try evolve("CREATE INDEX other ON Recipe (name)")

        let second = try store.beginReading()
        #expect(code { try second.item(Recipe.self, 1) } == .schemaChanged)
        second.transaction.end()
        first.transaction.end()
    }

    @Test func `a snapshot from before the change is read to its end`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        let reading = try store.beginReading()
        #expect(try reading.count(Recipe.self) == 1)

        try evolve("ALTER TABLE Recipe DROP COLUMN note")

        #expect(try reading.items(Recipe.self) == [Recipe(1)])
        reading.transaction.end()
    }

    @Test func `another process may make indexes and compact the file`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        _ = try store.all(Recipe.self)

        try RawDatabase(url).execute("CREATE INDEX mine ON Recipe (name); ANALYZE; VACUUM")

        #expect(try store.all(Recipe.self) == [Recipe(1)])
        try store.insert([Recipe(2)])
        #expect(try store.all(Recipe.self).count == 2)
    }

    #if os(Linux) || os(macOS)
        @Test func `a newer version of the app in another process is noticed by the older one`() async throws
        {
            let old = try TestStore(at: url, storing: [Dish.First.self])
            try old.insert([Dish.First(1, "Soup", 5)])

            await #expect(processExitsWith: .success) { [path = url.path as String] in
                _ = try TestStore(at: URL(fileURLWithPath: path), storing: [Dish.Second.self])
            }

            #expect(code { try old.insert([Dish.First(2, "Cake", 7)]) } == .schemaChanged)
            #expect(code { try old.read { try $0.count(Dish.First.self) } } == .schemaChanged)
            try old.adapter.close()
            #expect(code { try old.adapter.open(old.schema) } == .schemaMismatch)
        }
    #endif
}
