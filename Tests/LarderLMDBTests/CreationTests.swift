import Foundation
import Larder
import LarderEngine
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `Creating a store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    @Test func `a lock file that was left behind is used again`() throws {
        try Data("left behind".utf8).write(to: url.adding("-lock"))
        try Data().write(to: url.adding("-writer"))

        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])

        #expect(try store.all(Recipe.self) == [Recipe(1)])
    }

    @Test func `a folder in the place of the lock file is refused`() throws {
        try TestStore(at: url).close()
        try FileManager.default.removeItem(at: url.adding("-lock"))
        try FileManager.default.createDirectory(
            at: url.adding("-lock"), withIntermediateDirectories: false)

        #expect(code { try TestStore(at: url) } == .cannotOpen)
    }

    /// Instead of many types, one long name makes the schema large.
    @Test func `a new store begins with a copy of one that has a large schema`() throws {
        let source = folder.file("source.mdb")
        let original = try TestStore(at: source)
        try original.insert([Recipe(1)])
        try original.close()
        var schema = try #require(try original.seam.storedSchema())
        schema.version = String(repeating: "x", count: 5 << 18)
        let bytes = [UInt8](schema.encoded())
        try RawEnvironment(source).write { try RawEnvironment.put(bytes, at: "schema", in: "larder", $0) }

        let store = try TestStore(
            at: url, options: LMDBOptions(durability: .none, prepopulatedFrom: source))

        #expect(try store.all(Recipe.self) == [Recipe(1)])
    }

    #if os(Linux) || os(macOS)
        @Test func `a kill at any moment leaves nothing or an empty store`() async throws {
            var seed = Seed.ofProcess()
            for round in 0..<24 {
                let place = folder.file("\(round).mdb")
                let spins = Int.random(in: 0..<40_000, using: &seed)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = place.path as String, spins = spins as Int] in
                    let killer = Thread {
                        var count = 0
                        while count < spins * 100 { count = Spin.next(count) }
                        kill(getpid(), SIGKILL)
                    }
                    killer.start()
                    let store = try TestStore(at: URL(fileURLWithPath: path), options: LMDBOptions())
                    while true { _ = try store.all(Recipe.self) }
                }
                #expect(try TestStore(at: place).all(Recipe.self) == [])
            }
        }
    #endif
}
