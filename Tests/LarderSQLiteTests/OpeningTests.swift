import Foundation
import Larder
import LarderSQLite
import Testing
@testable import AdapterTestSupport

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

    @Test func `an empty file is refused as no database and stays empty`() throws {
        try Data().write(to: url)

        #expect(try refusal() == .notADatabase)
    }

    @Test func `a file that is no database is refused and stays as it was`() throws {
        try Data("This is a letter to my grandmother.".utf8).write(to: url)

        #expect(try refusal() == .notADatabase)
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

    @Test func `a store that has lost its end is refused as damaged`() throws {
        let store = try TestStore(at: url)
        try store.insert((1...2000).map { Recipe(Int64($0)) })
        try store.adapter.close()
        let whole = try Data(contentsOf: url)
        try whole.prefix(whole.count / 2).write(to: url)

        #expect(try refusal() == .damaged)
    }

    @Test func `a store that ends inside its header is refused as damaged`() throws {
        try TestStore(at: url).adapter.close()
        try Data(contentsOf: url).prefix(60).write(to: url)

        #expect(try refusal() == .damaged)
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

    @Test func `a folder in the place of the file is refused`() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)

        let refused = openingError()
        #expect(refused?.code == .cannotOpen)
        #expect(refused?.message == "The path leads to a folder.")
        #expect(refused?.path == url.path)
    }

    @Test func `the same file is refused under its name and under every other name`() throws {
        let store = try TestStore(at: url)
        let names = ["symbolic.db", "hard.db"].map(folder.file)
        try FileManager.default.createSymbolicLink(at: names[0], withDestinationURL: url)
        try FileManager.default.linkItem(at: url, to: names[1])
        let roundabout = folder.url.appendingPathComponent("../\(folder.url.lastPathComponent)/store.db")

        for name in [url, names[0], names[1], roundabout] {
            let refused = thrown { try TestStore(at: name) }
            #expect(refused?.code == .alreadyOpen)
            #expect(refused?.path == name.absoluteURL.path)
        }
        try store.adapter.close()
        #expect(thrown { try TestStore(at: names[0]) } == nil)
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

    @Test func `options that contradict themselves are refused`() throws {
        var options = SQLiteOptions.forTests
        options.pageBytes = 3000
        #expect(openingError(options: options)?.code == .unsupported)

        options = .forTests
        options.assumesNoWriter = true
        #expect(openingError(options: options)?.code == .unsupported)
    }
}
