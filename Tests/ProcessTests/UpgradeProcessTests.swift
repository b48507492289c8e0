import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// Upgrades in a copy that are killed, and other processes beside them.
struct UpgradeProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let entries = (1...75 as ClosedRange<Int64>).flatMap(Entry.entries(ofBlock:))

    /// Makes a store of the first version, in a folder of its own.
    private func makeOldStore(_ engine: Engine, _ name: String) throws -> URL {
        let place = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let file = place.appendingPathComponent("store")
        let store = engine.makeVersion(at: file, upTo: 1)
        try store.setup()
        try store.writeSync { try $0.insert(contentsOf: Self.entries) }
        try store.tearDown()
        return file
    }

    private func names(beside file: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).sorted()
            .filter { !["store-lock", "store-writer"].contains($0) }
    }

    @Test(arguments: Engine.inFiles)
    func `an upgrade killed at every pause leaves one whole version and goes on`(_ engine: Engine) throws {
        var places: [String] = []
        while true {
            let number = places.count
            let file = try makeOldStore(engine, "pause \(number)")
            let child = try ChildProcess([engine.rawValue, "upgrade", file.path])
            var lines: [String] = []
            while lines.count <= number, let line = child.nextLine(), line != "done" {
                lines.append(line)
                if lines.count <= number { child.answer() }
            }
            guard let place = lines.last, lines.count > number else {
                #expect(child.waitUntilExit() == 0)
                break
            }
            child.kill()
            places.append(place)

            let isNew = place == "swapped"
            let stored = try engine.address(at: file).storedSchema()
            #expect(stored?.version == (isNew ? "3" : "1"), "after \(place)")
            if !isNew {
                let old = engine.makeVersion(at: file, upTo: 1)
                try old.setup()
                #expect(try old.read { try $0.items(for: Entry.all) } == Self.entries, "after \(place)")
                #expect(try Engine.problems(in: old) == [], "after \(place)")
                try old.tearDown()
            }
            let calls = Locked<[String: Int]>([:])
            let new = engine.makeVersion(at: file) { step in calls.withLock { $0[step, default: 0] += 1 } }
            try new.setup()
            try expectFinal(new, after: place)
            // Whole steps are not taken again.
            let isFirstDone = lines.contains("step 1 → 2")
            let isDone = lines.contains("step 2 → 3")
            #expect(calls.withLock { $0["1 → 2"] ?? 0 } == (isFirstDone ? 0 : 300), "after \(place)")
            #expect(calls.withLock { $0["2 → 3"] ?? 0 } == (isDone ? 0 : 300), "after \(place)")
            try new.tearDown()
            #expect(try names(beside: file) == ["store", "store.backup-1"], "after \(place)")
        }
        #expect(
            places == [
                "copied", "1 → 2: 0", "1 → 2: 256", "1 → 2: 300", "step 1 → 2", "2 → 3: 0", "2 → 3: 256",
                "2 → 3: 300", "step 2 → 3", "checked", "named", "swapped",
            ])
    }

    private func expectFinal(_ store: any DataStore, after place: String = "") throws {
        #expect(
            try store.read { try $0.items(for: FinalEntry.all) } == Self.entries.map(FinalEntry.init),
            "after \(place)")
        #expect(try Engine.problems(in: store) == [], "after \(place)")
    }

    @Test(arguments: Engine.inFiles)
    func `the backup of an upgrade is the old store`(_ engine: Engine) throws {
        let file = try makeOldStore(engine, "backup")
        let child = try ChildProcess([engine.rawValue, "upgrade", file.path])
        while let line = child.nextLine(), line != "done" { child.answer() }
        #expect(child.waitUntilExit() == 0)

        let new = engine.makeVersion(at: file)
        try new.setup()
        try expectFinal(new)
        // Both are open at once: nothing is shared.
        let old = engine.makeVersion(at: file.appendingPathExtension("backup-1"), upTo: 1)
        try old.setup()
        try old.writeSync { try $0.insert(Entry(id: 0, block: 0, text: "later")) }
        #expect(try old.read { try $0.items(for: Entry.all) }.dropFirst() == Self.entries[...])
        #expect(try Engine.problems(in: old) == [])
        try expectFinal(new)
        try new.tearDown()
        try old.tearDown()
    }

    // SQLite says of its own pages what is wrong with them.
    @Test
    func `a store with a damaged row is what the error of its copy says, and can be set aside`() throws {
        let file = try makeOldStore(.lmdb, "damaged")
        let old = Engine.lmdb.makeVersion(at: file, upTo: 1)
        try old.setup()
        try old.writeSync { try $0.insert(Entry(id: 1000, block: 1, text: "a marked text")) }
        try old.tearDown()
        // Where no page is wrong: the byte before the text says where it ends.
        var bytes = try Data(contentsOf: file)
        var start = bytes.startIndex
        while let place = bytes.range(of: Data("a marked text".utf8), in: start..<bytes.endIndex) {
            bytes[place.lowerBound - 1] = 200
            start = place.upperBound
        }
        try bytes.write(to: file)

        let error = #expect(throws: DataStoreError.self) {
            try Engine.lmdb.upgradeInCopy(at: file).setup()
        }
        #expect(error?.code == .damaged, "\(error as Any)")
        #expect(error?.message.contains("is damaged: ") == true, "\(error as Any)")
        #expect(error?.path.map { URL(fileURLWithPath: $0).lastPathComponent } == "store")
        #expect(try names(beside: file) == ["store"])

        let aside = Locked(0)
        let new = Engine.lmdb.upgradeInCopy(
            at: file, recovery: .recreate(keepingBackup: { _ in aside.withLock { $0 += 1 } }))
        try new.setup()
        #expect(aside.withLock { $0 } == 1)
        #expect(try new.read { try $0.countItems(for: FinalEntry.all) } == 0)
        try new.tearDown()
    }

    @Test(arguments: Engine.inFiles)
    func `a store that another process has open is not replaced`(_ engine: Engine) throws {
        let file = try makeOldStore(engine, "open")
        let child = try ChildProcess([engine.rawValue, "step", file.path])
        #expect(child.nextLine() == "ready")

        let new = engine.makeVersion(at: file, busyTimeout: .milliseconds(50))
        let error = #expect(throws: DataStoreError.self) { try new.setup() }
        #expect(error?.code == .busy)
        #expect(try names(beside: file).filter { $0.contains("upgrade") || $0.contains("backup") } == [])
        child.answer()
        #expect(child.nextLine() == "done 76")
        child.kill()

        try new.setup()
        #expect(try new.read { try $0.countItems(for: FinalEntry.all) } == 301)
        try new.tearDown()
    }

    @Test(arguments: Engine.inFiles, [false, true])
    func `a large store is copied by itself, and upgraded in place while another process has it open`(
        _ engine: Engine, _ isOpenElsewhere: Bool
    ) throws {
        let file = try makeOldStore(engine, "large")
        let text = String(repeating: "text ", count: 200_000)
        let first = engine.makeVersion(at: file, upTo: 1)
        try first.setup()
        for block in 0..<7 as Range<Int64> {
            try first.writeSync { accessor in
                for number in 0..<10 {
                    try accessor.insert(
                        Entry(id: 1000 + block * 10 + Int64(number), block: block, text: text))
                }
            }
        }
        try first.tearDown()
        let child = isOpenElsewhere ? try ChildProcess([engine.rawValue, "step", file.path]) : nil
        if let child { #expect(child.nextLine() == "ready") }
        let places = Locked<[String]>([])
        var options = DataStoreOptions()
        options.upgradeProbe = { place in places.withLock { $0.append(place) } }

        let new = engine.makeVersion(
            at: file, storing: EntryHistory.history { _ in }, options: options,
            busyTimeout: .milliseconds(200))
        try new.setup()

        #expect(
            places.withLock { $0 }
                == (isOpenElsewhere
                    ? [] : ["copied", "step 1 → 2", "step 2 → 3", "checked", "named", "swapped"]))
        #expect(try new.read { try $0.countItems(for: FinalEntry.all) } == 370)
        try new.tearDown()
        child?.kill()
    }

    @Test(arguments: Engine.inFiles)
    func `no other process opens a store while it is upgraded in a copy`(_ engine: Engine) throws {
        let file = try makeOldStore(engine, "busy")
        let child = try ChildProcess([engine.rawValue, "upgrade", file.path])
        #expect(child.nextLine() == "copied")

        for store in [
            engine.makeVersion(at: file, upTo: 1, busyTimeout: .milliseconds(50)),
            engine.makeVersion(at: file, busyTimeout: .milliseconds(50)),
        ] {
            let error = #expect(throws: DataStoreError.self) { try store.setup() }
            #expect(error?.code == .busy)
        }
        child.answer()
        while let line = child.nextLine(), line != "done" { child.answer() }
        #expect(child.waitUntilExit() == 0)

        let new = engine.makeVersion(at: file)
        try new.setup()
        try expectFinal(new)
        try new.tearDown()
    }

    @Test(arguments: Engine.inFiles)
    func `an earlier version of the app that waits for an upgrade never opens the old file`(
        _ engine: Engine
    ) throws {
        for trial in Repetitions.rounds(4, long: 40) {
            let file = try makeOldStore(engine, "earlier \(trial)")
            let child = try ChildProcess([engine.rawValue, "upgrade", file.path])
            #expect(child.nextLine() == "copied")
            let store = engine.makeVersion(at: file, upTo: 1, busyTimeout: .seconds(60))

            let code = try whileRunning({ thrown { try store.setup() }?.code }) {
                child.answer()
                while let line = child.nextLine(), line != "done" { child.answer() }
                #expect(child.waitUntilExit() == 0)
            }

            #expect(code == .schemaMismatch)
        }
    }

    @Test(arguments: Engine.inFiles)
    func `a process that waits for an upgrade opens the new file`(_ engine: Engine) throws {
        for trial in Repetitions.rounds(4, long: 40) {
            let file = try makeOldStore(engine, "waiting \(trial)")
            let child = try ChildProcess([engine.rawValue, "upgrade", file.path])
            #expect(child.nextLine() == "copied")
            let store = engine.makeVersion(at: file, busyTimeout: .seconds(60))

            try whileRunning({ try store.setup() }) {
                child.answer()
                while let line = child.nextLine(), line != "done" { child.answer() }
                #expect(child.waitUntilExit() == 0)
            }

            try expectFinal(store)
            try store.tearDown()
            #expect(try names(beside: file) == ["store", "store.backup-1"])
        }
    }
}

extension Engine {
    /// A store of the last version that takes its steps in a copy.
    fileprivate func upgradeInCopy(at url: URL, recovery: StoreRecovery = .refuse) -> any DataStore {
        var options = EntryHistory.options { _ in }
        options.recovery = recovery
        return makeVersion(at: url, storing: EntryHistory.history { _ in }, options: options)
    }

    /// A store of one of three versions that takes its steps in a copy, keeping the old store.
    func makeVersion(
        at url: URL, upTo count: Int = 3, busyTimeout: Duration = .seconds(5),
        calling body: @escaping @Sendable (String) -> Void = { _ in }
    ) -> any DataStore {
        let history = EntryHistory.history(upTo: count, calling: body)
        let options = EntryHistory.options { _ in }
        return makeVersion(at: url, storing: history, options: options, busyTimeout: busyTimeout)
    }

    func makeVersion(
        at url: URL, storing history: SchemaHistory, options: DataStoreOptions,
        busyTimeout: Duration = .seconds(5)
    ) -> any DataStore {
        switch self {
        case .sqlite:
            SQLiteDataStore(
                at: url, storing: history, options: SQLiteOptions(busyTimeout: busyTimeout),
                storeOptions: options)
        case .lmdb:
            LMDBDataStore(
                at: url, storing: history, options: LMDBOptions(busyTimeout: busyTimeout),
                storeOptions: options)
        case .postgresql: ServerPlace.makeStore(at: url, storing: history, storeOptions: options)
        }
    }
}
