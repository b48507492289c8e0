#if os(Linux)
    import Foundation
    import Larder
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// A disk whose blocks are smaller than a page of memory, so that space for a page is found in parts.
    ///
    /// A file that is mapped and lacks one of the blocks of a page ends the process that writes to the page.
    struct SmallBlockTests {
        private static let blockBytes = 1024
        private static let isPossible = (try? SmallDisk(bytes: 1 << 20, blockBytes: blockBytes)) != nil
        private static let need: Comment =
            "1 kB blocks need the superuser, mkfs.ext4 and a loop device"

        private static func makeDisk(_ bytes: Int) throws -> SmallDisk {
            try #require(try SmallDisk(bytes: bytes, blockBytes: blockBytes))
        }

        @Test(.enabled(if: SmallBlockTests.isPossible, SmallBlockTests.need), arguments: Engine.inFiles)
        func `a disk that gets full refuses blocks and ends no process`(_ engine: Engine) async throws {
            let disk = try Self.makeDisk(4 << 20)
            let (name, path) = (engine.rawValue, disk.url.appendingPathComponent("store").path)
            for free in stride(from: 0, through: 176, by: 8) {
                try Self.makeStore(engine, on: disk)
                try disk.fill(leaving: free << 10)

                await #expect(processExitsWith: .success, "\(engine), \(free) kB") {
                    [name = name as String, path = path as String] in
                    let code = try Self.writeUntilFull(#require(Engine(rawValue: name)), path)
                    if code != .storeFull { exit(2) }
                }

                try disk.makeRoom()
                try Self.expectWhole(engine, on: disk)
            }
        }

        /// Makes a store of one entry, and no file beside it.
        private static func makeStore(_ engine: Engine, on disk: SmallDisk) throws {
            try disk.empty()
            let store = engine.makeStore(at: disk.url.appendingPathComponent("store"))
            try store.setup()
            try store.writeSync { try $0.insert(Entry(id: 1, block: 1, text: "kept")) }
            try store.tearDown()
            try? FileManager.default.removeItem(at: disk.url.appendingPathComponent("store-lock"))
        }

        /// Opens the store and inserts until an error comes, and returns its code.
        private static func writeUntilFull(_ engine: Engine, _ path: String) throws -> DataStoreError.Code? {
            let store = engine.makeStore(at: URL(fileURLWithPath: path))
            let text = String(repeating: "x", count: 300)
            let refused = thrown {
                try store.setup()
                for id in 2...2000 as ClosedRange<Int64> {
                    try store.writeSync { try $0.insert(Entry(id: id, block: 1, text: text)) }
                }
            }
            print("\(refused as Any)")
            try? store.tearDown()
            return refused?.code
        }

        private static func expectWhole(_ engine: Engine, on disk: SmallDisk) throws {
            let store = engine.makeStore(at: disk.url.appendingPathComponent("store"))
            try store.setup()
            #expect(try store.read { try $0.item(id: 1, of: Entry.self)?.text } == "kept")
            #expect(try Engine.problems(in: store) == [])
            try store.tearDown()
        }

        @Test(.enabled(if: SmallBlockTests.isPossible, SmallBlockTests.need), arguments: Engine.inFiles)
        func `an upgrade in a copy that finds the disk nearly full says so`(_ engine: Engine) throws {
            let disk = try Self.makeDisk(8 << 20)
            let file = disk.url.appendingPathComponent("store")
            let entries = (1...100 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))
            var refused = 0
            for place in ["copied", "1 → 2: 256", "step 1 → 2", "step 2 → 3"] {
                for free in stride(from: 3, through: 243, by: 24) {
                    let comment: Comment = "\(engine), \(free) kB left at \(place)"
                    try disk.empty()
                    let old = engine.makeVersion(at: file, upTo: 1)
                    try old.setup()
                    try old.writeSync { try $0.insert(contentsOf: entries) }
                    try old.tearDown()
                    var options = EntryHistory.options { line in
                        if line == place { try? disk.fill(leaving: free << 10) }
                    }
                    options.schemaUpgrade = .copying()
                    let new = engine.makeVersion(
                        at: file, storing: EntryHistory.history { _ in }, options: options)
                    do throws(DataStoreError) {
                        try new.setup()
                        try new.tearDown()
                    } catch {
                        refused += 1
                        #expect(error.code == .storeFull, "\(error), \(comment)")
                    }
                    try? disk.makeRoom()
                    let again = engine.makeVersion(
                        at: file, storing: EntryHistory.history { _ in }, options: DataStoreOptions())
                    try again.setup()
                    #expect(
                        try again.read { try $0.items(for: FinalEntry.all) } == entries.map(FinalEntry.init),
                        comment)
                    try again.tearDown()
                }
            }
            print("\(engine): \(refused) upgrades met a full disk")
            #expect(refused > 4)
        }
    }
#endif
