import Foundation
import Larder
import LarderLMDB
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// What is particular to LMDB when several processes use one file.
struct LMDBProcessTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("store")
    }

    private func makeStore(_ options: LMDBOptions = LMDBOptions(durability: .none)) throws -> LMDBDataStore {
        let store = LMDBDataStore(at: file, storing: [Entry.self], options: options)
        try store.setup()
        return store
    }

    private func entries(_ ids: ClosedRange<Int64>) -> [Entry] {
        ids.map { Entry(id: $0, block: 0, text: String(repeating: "x", count: 500)) }
    }

    @Test func `a killed reader does not hold on to old pages for ever`() throws {
        let store = try makeStore()
        try store.writeSync { try $0.insert(contentsOf: entries(1...4000)) }
        let child = try ChildProcess(["lmdb", "read", file.path])
        #expect(child.nextLine() == "inside")

        func rewriteAll() throws -> Int {
            for block in 1...6 {
                try store.writeSync { accessor in
                    try accessor.forEachMutableItem(for: Entry.all) { $0.block = Int64(block) }
                }
            }
            return try store.statistics().pageCount
        }
        let pinned = try rewriteAll()
        child.kill()
        let first = try rewriteAll()
        let second = try rewriteAll()

        #expect(try store.statistics().freePageCount > 0)
        #expect(second == first, "The file has grown from \(pinned) to \(first) and \(second) pages.")
        try store.tearDown()
    }

    @Test func `a killed reader does not keep a store full that has reached its limit`() throws {
        var options = LMDBOptions(durability: .none)
        options.sizeLimit = 4 << 20
        let store = try makeStore(options)
        try store.writeSync { try $0.insert(contentsOf: entries(1...500)) }
        let child = try ChildProcess(["lmdb", "read", file.path])
        #expect(child.nextLine() == "inside")
        func rewriteAll(_ block: Int64) throws {
            try store.writeSync { accessor in
                try accessor.forEachMutableItem(for: Entry.all) { $0.block = block }
            }
        }

        var (block, full): (Int64, DataStoreError?) = (0, nil)
        while full == nil, block < 100 {
            block += 1
            full = thrown { try rewriteAll(block) }
        }
        #expect(full?.code == .storeFull)
        child.kill()

        for block in Int64(101)...110 { try rewriteAll(block) }
        let blocks = try store.read { try $0.items(for: Entry.all).map(\.block) }
        #expect(blocks == Array(repeating: Int64(110), count: 500))
        try store.tearDown()
    }

    @Test func `a reader of another process keeps its snapshot while this one writes`() throws {
        let store = try makeStore()
        try store.writeSync { try $0.insert(contentsOf: entries(1...100)) }
        let child = try ChildProcess(["lmdb", "read", file.path])
        #expect(child.nextLine() == "inside")

        try store.writeSync { try $0.insert(contentsOf: entries(101...200)) }

        #expect(try store.read { try $0.countItems(for: Entry.all) } == 200)
        child.kill()
        try store.tearDown()
    }

    @Test func `reading only leaves the lock file to another process that uses it`() throws {
        try makeStore().tearDown()
        let lock = URL(fileURLWithPath: file.path + "-lock")
        try FileManager.default.removeItem(at: lock)
        let reader = try makeStore(LMDBOptions(isReadOnly: true))
        let child = try ChildProcess(["lmdb", "hold", file.path])
        #expect(child.nextLine() == "inside")

        try reader.tearDown()

        #expect(FileManager.default.fileExists(atPath: lock.path))
        child.kill()
    }

    @Test func `compacting is refused while another process has the store open`() throws {
        let store = try makeStore()
        try store.writeSync { try $0.insert(contentsOf: entries(1...100)) }
        try store.tearDown()
        let child = try ChildProcess(["lmdb", "read", file.path])
        #expect(child.nextLine() == "inside")

        let error = #expect(throws: DataStoreError.self) { try store.compact() }
        #expect(error?.code == .busy)

        child.kill()
        try store.compact()
        try store.setup()
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 100)
        try store.tearDown()
    }

    @Test func `a store is not made anew while another process uses the one that was moved away`() throws {
        try makeStore().tearDown()
        let child = try ChildProcess(["lmdb", "read", file.path])
        #expect(child.nextLine() == "inside")
        let elsewhere = URL(fileURLWithPath: file.path + "-elsewhere")
        try FileManager.default.moveItem(at: file, to: elsewhere)

        let error = #expect(throws: DataStoreError.self) { try makeStore() }
        #expect(error?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: file.path))

        child.kill()
        try makeStore().tearDown()
    }

    @Test func `a file that another process makes larger than this one's map is read and written`() throws {
        var options = LMDBOptions(durability: .none)
        options.mapPolicy.first = 256 << 10
        options.mapPolicy.room = 64 << 10
        let store = try makeStore(options)
        #expect(try store.statistics().mapBytes < 1 << 20)
        let child = try ChildProcess(["lmdb", "append", file.path])
        while let line = child.nextLine(), line != "done 1500" {}
        child.kill()

        let acknowledged = 1500 * Int(Entry.entriesPerBlock)
        #expect(try store.read { try $0.countItems(for: Entry.all) } >= acknowledged)
        // A block the killed process had committed, and not yet said so, appears with the next write.
        let count = try store.writeSync { accessor in
            try accessor.insert(Entry(id: -1, block: 0, text: "mine"))
            return try accessor.countItems(for: Entry.all)
        }

        #expect(try store.read { try $0.countItems(for: Entry.all) } == count)
        #expect(try store.checkIntegrity() == [])
        try store.tearDown()
    }

    @Test(arguments: [true, false])
    func `a file with a limit grows no further, although another process has made it larger`(
        readsFirst: Bool
    ) throws {
        var options = LMDBOptions(durability: .none)
        options.sizeLimit = 256 << 10
        let store = try makeStore(options)
        let child = try ChildProcess(["lmdb", "append", file.path])
        while let line = child.nextLine(), line != "done 1500" {}
        child.kill()
        func expectAcknowledged() throws {
            let acknowledged = 1500 * Int(Entry.entriesPerBlock)
            #expect(try store.read { try $0.countItems(for: Entry.all) } >= acknowledged)
        }

        // The first of both maps the larger file.
        if readsFirst { try expectAcknowledged() }
        let text = String(repeating: "x", count: 3000)
        let error = thrown {
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...1000).map { Entry(id: -$0, block: 0, text: text) })
            }
        }

        #expect(error?.code == .storeFull)
        try expectAcknowledged()
        let statistics = try store.statistics()
        #expect(statistics.fileBytes > 256 << 10)
        #expect(statistics.mapBytes <= statistics.fileBytes)
        try store.tearDown()
    }
}
