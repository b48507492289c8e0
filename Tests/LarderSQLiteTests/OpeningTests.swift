import CSQLite
import Foundation
import Larder
import Testing
@testable import AdapterTestSupport
@testable import LarderSQLite

@Suite struct `Opening a store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    private func openingError(options: SQLiteOptions = .forTests) -> DataStoreError? {
        thrown { try TestStore(at: url, options: options) }
    }

    /// The code with which opening fails, after which the folder is as it was.
    private func refusal(options: SQLiteOptions = .forTests) throws -> DataStoreError.Code? {
        let before = try folder.contents
        let code = openingError(options: options)?.code
        #expect(try folder.contents == before)
        return code
    }

    @Test func `a database of another program is refused and stays as it was`() throws {
        let raw = try RawDatabase(url)
        try raw.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")

        #expect(try refusal() == .foreignStore)
    }

    @Test func `a crashed database of another program keeps its log byte for byte`() throws {
        let origin = folder.file("origin.db")
        let raw = try RawDatabase(origin)
        try raw.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(at: origin.adding(suffix), to: url.adding(suffix))
        }

        #expect(try url.adding("-wal").fileBytes > 0)
        #expect(try refusal() == .foreignStore)
    }

    @Test func `a store of a newer format is refused`() throws {
        try TestStore(at: url).adapter.close()
        try RawDatabase(url).execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 3")

        #expect(try refusal() == .newerFormat)
    }

    @Test func `a store that ends inside its header is refused as damaged`() throws {
        try TestStore(at: url).adapter.close()
        try Data(contentsOf: url).prefix(60).write(to: url)

        #expect(try refusal() == .damaged)
    }

    /// SQLite would open it, only to read, and the refusal would be about permissions.
    @Test(arguments: [0, 3, 34, 255] as [UInt8])
    func `a write version that no SQLite writes is damage, and the rows can be read`(
        _ version: UInt8
    ) throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1), Recipe(2)])
        try store.adapter.close()
        var bytes = try Data(contentsOf: url)
        #expect(bytes[18] == 2)
        bytes[18] = version
        try bytes.write(to: url)

        #expect(try refusal() == .damaged)
        let reading = try TestStore(at: url, options: SQLiteOptions(isReadOnly: true))
        #expect(try reading.all(Recipe.self) == [Recipe(1), Recipe(2)])
    }

    @Test func `a damaged page is found before use when the structure is verified`() throws {
        let store = try TestStore(at: url)
        try store.insert((1...2000).map { Recipe(Int64($0)) })
        try store.adapter.close()
        var bytes = try Data(contentsOf: url)
        let page = bytes.count / 2 / 8192 * 8192
        for offset in page..<(page + 200) { bytes[offset] = 0xA5 }
        try bytes.write(to: url)

        #expect(openingError() == nil)
        #expect(openingError(options: SQLiteOptions(verification: .structure))?.code == .damaged)
    }

    @Test(arguments: [
        "DROP TABLE larder_meta", "ALTER TABLE larder_meta RENAME COLUMN value TO content",
    ])
    func `a store whose own table is missing or another is damaged`(_ change: String) throws {
        try TestStore(at: url).adapter.close()
        try RawDatabase(url).execute(change)

        let error = openingError()

        #expect(error?.code == .damaged)
        #expect(error?.message.hasPrefix("The table larder_meta") == true)
    }

    #if os(Linux)
        @Test func `a store that cannot be read for lack of memory is not damaged`() async throws {
            try TestStore(at: url).adapter.close()
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let connection = try SQLiteConnection(
                    path: path, access: .readWrite, busyTimeout: .zero)
                sqlite3_hard_heap_limit64(sqlite3_memory_used())
                if code({ try StoreMetadata.schema(on: connection) }) != .engine { exit(2) }
            }
        }
    #endif

    /// SQLite sets an index up anew; to remember a terabyte of it would end the process.
    @Test func `an index that is larger than any of SQLite's is not read`() throws {
        try TestStore(at: url).insert([Recipe(1)])
        try Data().write(to: url.adding("-shm"))
        #expect(truncate(url.path + "-shm", 1 << 40) == 0)

        #expect(try TestStore(at: url).all(Recipe.self) == [Recipe(1)])
    }

    @Test func `a store can be opened again after it was closed and keeps its rows`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1), Recipe(2)])

        try store.adapter.close()
        #expect(try folder.names == ["store.db"])
        #expect(code { try store.all(Recipe.self) } == .closed)

        try store.adapter.open(store.schema)
        #expect(try store.all(Recipe.self) == [Recipe(1), Recipe(2)])
    }

    @Test func `what a killed process has left in the log is there after opening`() throws {
        let origin = folder.file("origin.db")
        let store = try TestStore(at: origin)
        try store.insert([Recipe(1)])
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(at: origin.adding(suffix), to: url.adding(suffix))
        }

        #expect(try TestStore(at: url).all(Recipe.self) == [Recipe(1)])
    }

    @Test func `a size of pages that SQLite does not have is refused`() throws {
        var options = SQLiteOptions.forTests
        options.pageBytes = 3000
        #expect(openingError(options: options)?.code == .unsupported)
    }
}
