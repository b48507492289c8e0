#if os(Linux)
    import Foundation
    import Larder
    import LarderSQLite
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// A disk that is full at one place after the other of the same work, and a limit that is met like one.
    struct FullDiskTests {
        private static let diskBytes = 12 << 20
        private static let pageBytes = 4096
        private static let blocks = 60

        @Test(arguments: Engine.inFiles)
        func `a disk full at any write refuses whole blocks and the store works again with room`(
            _ engine: Engine
        ) throws {
            let seed = Seed.ofProcess()
            let found = try SmallDisk(bytes: Self.diskBytes)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let unlimited = try Self.run(engine, on: disk, leaving: nil, seed)
            let pages = (unlimited.bytesUsed + Self.pageBytes - 1) / Self.pageBytes
            #expect(unlimited.refused == 0)
            #expect(pages > 20)

            var refusing = 0
            var refused = 0
            let disks = Repetitions.count(24, long: pages)
            for free in stride(from: 0, to: pages, by: max(1, pages / disks)) {
                let outcome = try Self.run(engine, on: disk, leaving: free * Self.pageBytes, seed)
                refusing += outcome.refused > 0 ? 1 : 0
                refused += outcome.refused
            }
            print("\(engine): \(pages) pages, \(refusing) disks were too small, \(refused) blocks refused")
            #expect(refusing > min(disks, 24) * 2 / 5)
        }

        @Test(arguments: Engine.inFiles)
        func `a limit of the process for files is a full disk too`(_ engine: Engine) async throws {
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, name = engine.rawValue as String] in
                guard let engine = Engine(rawValue: name) else { exit(2) }
                let store = engine.makeStore(at: URL(fileURLWithPath: path))
                guard try Self.meetLimit(store) == .storeFull else { exit(3) }
                guard try Self.insert(2, into: store) == [1, 2] else { exit(4) }
            }
            let store = engine.makeStore(at: folder.file("store"))
            try store.setup()
            #expect(try Self.insert(3, into: store) == [1, 2, 3])
            try store.tearDown()
        }

        @Test func `a full folder of SQLite's temporary files is told from a full disk of the store`()
            async throws
        {
            let found = try SmallDisk(bytes: 256 << 10)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .success) {
                [path = folder.path("store") as String, temporary = disk.url.path as String] in
                // SQLite may read it once only, before it is used.
                setenv("SQLITE_TMPDIR", temporary, 1)
                let full = try Self.compact(path)
                print("\(full as Any)")
                let expected = "SQLite has no space for a temporary file; the store's disk is not full."
                guard full?.code == .storeFull, full?.message == expected else { exit(2) }
            }
            let store = Engine.sqlite.makeStore(at: folder.file("store"))
            try store.setup()
            #expect(try store.read { try $0.countItems(for: Entry.all) } == 2000)
            #expect(try Engine.problems(in: store) == [])
            try store.tearDown()
            withExtendedLifetime(disk) {}
        }

        /// Compacts a new store that is larger than SQLite's cache, and returns the error.
        private static func compact(_ path: String) throws -> DataStoreError? {
            let store = SQLiteDataStore(
                at: URL(fileURLWithPath: path), storing: [Entry.self],
                options: SQLiteOptions(cacheBytes: 64 << 10))
            try store.setup()
            try fill(store)
            return thrown { try store.compact() }
        }

        /// Writes two thousand entries of a kilobyte each in one block.
        private static func fill(_ store: any DataStore) throws {
            let text = String(repeating: "x", count: 1000)
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (1...2000).map { Entry(id: $0, block: 1, text: text) })
            }
        }

        @Test func `a full disk of a SQLite store is not taken for the folder of temporary files`() throws {
            let found = try SmallDisk(bytes: 1 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let store = Engine.sqlite.makeStore(at: disk.url.appendingPathComponent("store"))
            try store.setup()

            let full = thrown { try Self.fill(store) }

            #expect(full?.code == .storeFull)
            #expect(full?.message == "There is no space for the store to grow.")
            try? store.tearDown()
            withExtendedLifetime(disk) {}
        }

        /// Writes an entry, and then far more than a file of the process may have from now on.
        private static func meetLimit(_ store: any DataStore) throws -> DataStoreError.Code? {
            signal(SIGXFSZ, SIG_IGN)
            try store.setup()
            _ = try insert(1, into: store)
            var limit = rlimit(rlim_cur: 256 * 1024, rlim_max: 256 * 1024)
            setrlimit(__rlimit_resource_t(1), &limit)
            let text = String(repeating: "x", count: 2000)
            return code {
                try store.writeSync { accessor in
                    try accessor.insert(contentsOf: (2...2000).map { Entry(id: $0, block: 2, text: text) })
                }
            }
        }

        /// Writes an entry, and returns the numbers of all.
        private static func insert(_ id: Int64, into store: any DataStore) throws -> [Int64] {
            try store.writeSync { accessor in
                _ = try accessor.insert(Entry(id: id, block: id, text: "first"))
            }
            return try store.read { try $0.items(for: Entry.all).map(\.id) }
        }

        private struct Outcome {
            var refused: Int
            var bytesUsed: Int
        }

        /// Does the work on an emptied disk with so much room, then a little more of it with plenty.
        private static func run(
            _ engine: Engine, on disk: SmallDisk, leaving bytes: Int?, _ seed: Seed
        ) throws -> Outcome {
            let comment: Comment = "\(engine), \(bytes ?? -1) bytes free, \(seed)"
            try disk.empty()
            let file = disk.url.appendingPathComponent("store")
            let modelled = try ModelledStore(engine.makeStore(at: file))
            modelled.write([.put(Entry(id: 0, block: 0, text: "first"))], comment)
            let freeBefore = try disk.freeBytes
            if let bytes { try disk.fill(leaving: bytes) }

            var random = seed
            try work(modelled, 0..<blocks, &random, comment)
            let outcome = Outcome(refused: modelled.refused, bytesUsed: freeBefore - (try disk.freeBytes))

            if bytes != nil { try disk.makeRoom() }
            try work(modelled, blocks..<(blocks + 10), &random, comment)
            #expect(modelled.refused == outcome.refused, "with room: \(comment)")
            #expect(try Engine.problems(in: modelled.store) == [], comment)
            try modelled.store.tearDown()
            try modelled.store.setup()
            try modelled.expectAgreement("opened again: \(comment)")
            try modelled.store.tearDown()
            return outcome
        }

        /// Blocks one after the other, and every third time five of them at once.
        private static func work(
            _ modelled: ModelledStore, _ numbers: Range<Int>, _ random: inout Seed,
            _ comment: Comment
        ) throws {
            var number = numbers.lowerBound
            while number < numbers.upperBound {
                let count = number % 3 == 0 ? 5 : 1
                let blocks = (0..<count).map { ModelledStore.randomBlock(Int64(number + $0), &random) }
                if count == 1 {
                    modelled.write(blocks[0], comment)
                } else {
                    modelled.write(atOnce: blocks, comment)
                }
                try modelled.expectAgreement("block \(number): \(comment)")
                number += count
            }
        }
    }
#endif
