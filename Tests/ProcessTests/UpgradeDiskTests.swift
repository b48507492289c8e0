#if os(Linux)
    import Foundation
    import Larder
    import LarderLMDB
    import LarderSQLite
    import ProcessFixtures
    import Testing

    @testable import AdapterTestSupport

    /// Upgrades on a disk that has too little space, or gets full in the middle.
    struct UpgradeDiskTests {
        private static let entries = (1...100 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))

        /// Where the steps run.
        enum Mode: CaseIterable {
            case inPlace, copying
        }

        private static func makeStore(
            _ engine: Engine, _ mode: Mode, at file: URL, upTo count: Int = 3,
            pausing pause: @escaping @Sendable (String) -> Void = { _ in }
        ) -> any DataStore {
            var options = EntryHistory.options(pausing: pause)
            options.schemaUpgrade = mode == .inPlace ? .inPlace : .copying()
            return engine.makeVersion(
                at: file, storing: EntryHistory.history(upTo: count) { _ in }, options: options)
        }

        private static func makeOldStore(
            _ engine: Engine, at file: URL, holding entries: [Entry] = entries
        ) throws {
            let store = makeStore(engine, .inPlace, at: file, upTo: 1)
            try store.setup()
            try store.writeSync { try $0.insert(contentsOf: entries) }
            try store.tearDown()
        }

        private static func expectOld(_ engine: Engine, at file: URL, _ comment: Comment) throws {
            let old = makeStore(engine, .inPlace, at: file, upTo: 1)
            try old.setup()
            #expect(try old.read { try $0.items(for: Entry.all) } == entries, comment)
            #expect(try Engine.problems(in: old) == [], comment)
            try old.tearDown()
        }

        @Test(arguments: Engine.inFiles, Mode.allCases)
        func `an upgrade is refused before anything is written where it needs more than is free`(
            _ engine: Engine, _ mode: Mode
        ) throws {
            let found = try SmallDisk(bytes: 8 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let file = disk.url.appendingPathComponent("store")
            // In place only what surely lacks room is refused before it is tried: 16 bytes for each row.
            let entries = (1...1250 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))
            // Made elsewhere: a process that another test starts may keep the room of a log that is gone, and give
            // it back only when the disk counts as full.
            let elsewhere = try TemporaryFolder()
            try Self.makeOldStore(engine, at: elsewhere.file("store"), holding: entries)
            for name in try elsewhere.names {
                try FileManager.default.copyItem(
                    at: elsewhere.file(name), to: disk.url.appendingPathComponent(name))
            }
            try disk.fill(leaving: 64 << 10)
            let before = try Data(contentsOf: file)

            let new = Self.makeStore(engine, mode, at: file)
            let error = #expect(throws: DataStoreError.self) { try new.setup() }

            #expect(error?.code == .storeFull)
            #expect(error?.message.hasPrefix("The upgrade of the store") == true, "\(error as Any)")
            #expect(error?.message.contains("bytes, but only") == true, "\(error as Any)")
            #expect(try Data(contentsOf: file) == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: disk.url.path).allSatisfy {
                    !$0.hasPrefix(".")
                })
            try disk.makeRoom()
            try new.setup()
            #expect(try new.read { try $0.items(for: FinalEntry.all) } == entries.map(FinalEntry.init))
            try new.tearDown()
        }

        @Test(arguments: Engine.inFiles, ["copied", "1 → 2: 0", "step 1 → 2", "step 2 → 3"])
        func `a copy that somebody removes is an error, and the old store stays`(
            _ engine: Engine, _ place: String
        ) throws {
            let folder = try TemporaryFolder()
            let file = folder.file("store")
            try Self.makeOldStore(engine, at: file)
            let new = Self.makeStore(engine, .copying, at: file) { line in
                if line != place { return }
                for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
                where name.hasPrefix(".store.larder-upgrade") {
                    try? FileManager.default.removeItem(at: folder.file(name))
                }
            }

            #expect(throws: DataStoreError.self) { try new.setup() }

            try Self.expectOld(engine, at: file, "\(engine), \(place)")
            let again = Self.makeStore(engine, .copying, at: file)
            try again.setup()
            #expect(
                try again.read { try $0.items(for: FinalEntry.all) } == Self.entries.map(FinalEntry.init))
            try again.tearDown()
        }

        @Test(arguments: Engine.inFiles, Mode.allCases)
        func `a disk that gets full during an upgrade leaves the old store or the new one`(
            _ engine: Engine, _ mode: Mode
        ) throws {
            let found = try SmallDisk(bytes: 8 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let file = disk.url.appendingPathComponent("store")
            // The first line comes after the check of the free space.
            let places =
                mode == .inPlace ? ["1 → 2: 0", "2 → 3: 256"] : ["copied", "step 1 → 2", "2 → 3: 256"]
            var refused = 0
            for place in places {
                for free in [0, 16 << 10, 48 << 10, 96 << 10, 160 << 10] {
                    let comment: Comment = "\(engine), \(mode), \(free) bytes left at \(place)"
                    try disk.empty()
                    try Self.makeOldStore(engine, at: file)
                    let new = Self.makeStore(engine, mode, at: file) { line in
                        if line == place { try? disk.fill(leaving: free) }
                    }
                    do throws(DataStoreError) {
                        try new.setup()
                        try new.tearDown()
                    } catch {
                        #expect(error.code == .storeFull, "\(error), \(comment)")
                        refused += 1
                        let names = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
                        #expect(names.allSatisfy { !$0.hasPrefix(".") }, "\(names), \(comment)")
                        try disk.makeRoom()
                        try Self.expectOld(engine, at: file, comment)
                    }
                    if FileManager.default.fileExists(atPath: disk.url.path + "/ballast") {
                        try disk.makeRoom()
                    }
                    let again = Self.makeStore(engine, mode, at: file)
                    try again.setup()
                    #expect(
                        try again.read { try $0.items(for: FinalEntry.all) }
                            == Self.entries.map(FinalEntry.init), comment)
                    #expect(try Engine.problems(in: again) == [], comment)
                    try again.tearDown()
                }
            }
            print("\(engine), \(mode): \(refused) of \(places.count * 5) upgrades met a full disk")
            #expect(refused >= places.count)
        }
    }
#endif
