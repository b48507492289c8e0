import CSQLite
import Foundation
import Larder
import LarderSQLite
import LarderEngine
import LarderFiles
import Testing
@testable import AdapterTestSupport

@Suite struct `Creating a store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.db")
    }

    /// A number of four bytes in the file's header.
    private func headerNumber(at offset: Int, of url: URL) throws -> UInt32 {
        try Data(contentsOf: url)[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test func `the header on disk says whose file it is before anything is written`() throws {
        let store = try TestStore(at: url)

        #expect(try headerNumber(at: 68, of: url) == 0x4C72_6472)
        #expect(try headerNumber(at: 60, of: url) == 1)
        #expect(try Data(contentsOf: url)[18...19] == Data([2, 2]))
        try store.adapter.close()
    }

    @Test func `the file is complete when it gets its name and nothing else is left`() throws {
        try TestStore(at: url).adapter.close()

        #expect(try folder.names == ["store.db"])
        #expect(try url.fileBytes == Int(headerNumber(at: 28, of: url)) * 8192)
        #expect(try RawDatabase(url).rows("SELECT key FROM larder_meta") == [["generation"], ["schema"]])
    }

    @Test func `pages have the size that was asked for`() throws {
        let store = try TestStore(at: url, options: SQLiteOptions(pageBytes: 16384))

        #expect(try store.adapter.statistics().pageBytes == 16384)
    }

    @Test func `a log without its store is not given to a new one`() throws {
        try Data("old pages".utf8).write(to: url.adding("-wal"))

        let refused = thrown { try TestStore(at: url) }

        #expect(refused?.code == .cannotOpen)
        #expect(try folder.names == ["store.db-wal"])
    }

    // Apple's SQLite leaves it, and its index, when the last connection is closed.
    @Test(arguments: ["-wal", "-journal"])
    func `an empty log without its store is none`(suffix: String) throws {
        try Data().write(to: url.adding(suffix))
        try Data(repeating: 1, count: 32768).write(to: url.adding("-shm"))

        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        try store.adapter.close()

        #expect(try TestStore(at: url).all(Recipe.self) == [Recipe(1)])
    }

    @Test func `a copy whose tables another tool has changed is refused before it is a store`() throws {
        let source = folder.file("source.db")
        try TestStore(at: source).adapter.close()
        try RawDatabase(source).execute("ALTER TABLE Recipe ADD COLUMN extra TEXT")
        var storeOptions = DataStoreOptions()
        storeOptions.recovery = .recreate { _ in Issue.record("set aside") }
        let store = SQLiteDataStore(
            at: url, storing: [Recipe.self],
            options: SQLiteOptions(durability: .none, prepopulatedFrom: source), storeOptions: storeOptions)

        let refused = thrown { try store.setup() }

        #expect(refused?.code == .cannotOpen)
        #expect(refused?.path == source.path)
        #expect(try folder.names == ["source.db"])
    }

    @Test func `a store that appears meanwhile is opened and not replaced`() throws {
        let first = try TestStore(at: url)
        try first.insert([Recipe(1)])
        try first.adapter.close()
        let finished = folder.file("finished.db")
        try TestStore(at: finished).adapter.close()

        #expect(try !FileAccess.publish(finished.path, as: url.path))

        #expect(try TestStore(at: url).all(Recipe.self) == [Recipe(1)])
    }

    #if os(Linux) || os(macOS)
        @Test func `a kill at any moment leaves nothing or an empty store`() async throws {
            var seed = Seed.ofProcess()
            for round in 0..<24 {
                let place = folder.file("\(round).db")
                let spins = Int.random(in: 0..<40_000, using: &seed)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = place.path as String, spins = spins as Int] in
                    let killer = Thread {
                        var count = 0
                        while count < spins * 100 { count = Spin.next(count) }
                        kill(getpid(), SIGKILL)
                    }
                    killer.start()
                    let store = try TestStore(at: URL(fileURLWithPath: path), options: SQLiteOptions())
                    while true { _ = try store.all(Recipe.self) }
                }
                #expect(try TestStore(at: place).all(Recipe.self) == [])
            }
        }
    #endif
}
