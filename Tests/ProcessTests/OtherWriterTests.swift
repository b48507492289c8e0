import Foundation
import Larder
import LarderFiles
import LarderLMDB
import ProcessFixtures
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel

/// Observations of what another process commits.
struct OtherWriterTests {
    /// A store that this process has open, and another process that adds an entry to it whenever it is told to.
    private struct Pair {
        let folder: TemporaryFolder
        let file: URL
        let store: any DataStore
        let other: ChildProcess

        init(_ engine: Engine, isReadOnly: Bool = false) throws {
            folder = try TemporaryFolder()
            file = folder.url.appendingPathComponent("store")
            other = try ChildProcess([engine.rawValue, "step", file.path])
            try #require(other.nextLine() == "ready")
            store = isReadOnly ? engine.makeReadOnlyStore(at: file) : engine.makeStore(at: file)
            try store.setup()
        }

        /// Has the other process commit the entry of a number.
        func commit(_ number: Int) throws {
            other.answer()
            try #require(other.nextLine() == "done \(number)")
        }

        func end() throws {
            other.kill()
            try store.tearDown()
        }
    }

    private final class Runs: Sendable {
        private let runs = Locked(0)
        func note() { runs.withLock { $0 += 1 } }
        var count: Int { runs.withLock { $0 } }
    }

    @Test(arguments: Engine.all)
    func `a commit of another process brings a value`(_ engine: Engine) async throws {
        let pair = try Pair(engine)
        let child = try pair.store.makeChildDataStore()
        var updates = pair.store.values(ofCount: Entry.all).withOrigins.makeAsyncIterator()
        var inChild = child.values(ofCount: Entry.all).withOrigins.makeAsyncIterator()
        #expect(try await updates.next()?.value == 0)
        #expect(try await inChild.next()?.value == 0)

        for number in 1...5 {
            try pair.commit(number)
            for update in [try await updates.next(), try await inChild.next()] {
                #expect(update?.value == number)
                #expect(update?.origins == [.otherProcess])
            }
        }
        try pair.end()
    }

    @Test(arguments: Engine.all)
    func `a store that is only read follows another process`(_ engine: Engine) async throws {
        let pair = try Pair(engine, isReadOnly: true)
        var counts = pair.store.values(ofCount: Entry.all).makeAsyncIterator()
        #expect(try await counts.next() == 0)

        for number in 1...3 {
            try pair.commit(number)
            #expect(try await counts.next() == number)
        }
        try pair.end()
    }

    @Test(arguments: Engine.all)
    func `an own commit is read once, and is not taken for another process's`(_ engine: Engine) async throws {
        let pair = try Pair(engine)
        let runs = Runs()
        let values = pair.store.values { accessor in
            runs.note()
            return try accessor.countItems(for: Entry.all)
        }
        var updates = values.withOrigins.makeAsyncIterator()
        #expect(try await updates.next()?.value == 0)

        for number in 1...100 {
            try await pair.store.writeAsync(origin: "own") { accessor in
                _ = try accessor.insert(Entry(id: Int64(number), block: 0, text: ""))
            }
            let update = try #require(await updates.next())
            #expect(update.value == number)
            #expect(update.origins == ["own"])
        }
        #expect(runs.count == 101)

        try pair.commit(1)
        let update = try #require(await updates.next())
        #expect(update.value == 101)
        #expect(update.origins == [.otherProcess])
        #expect(runs.count == 102)
        try pair.end()
    }

    @Test(arguments: Engine.all)
    func `commits of both sides are all seen`(_ engine: Engine) async throws {
        let pair = try Pair(engine)
        let rounds = 20
        let store = pair.store
        let values = store.values(ofCount: Entry.all)
        async let last: Int = {
            var last = 0
            for try await count in values {
                last = count
                if count == 2 * rounds { break }
            }
            return last
        }()
        for number in 1...rounds {
            pair.other.answer()
            try await store.writeAsync { accessor in
                _ = try accessor.insert(Entry(id: Int64(number), block: 0, text: ""))
            }
            try #require(pair.other.nextLine() == "done \(number)")
        }
        #expect(try await last == 2 * rounds)
        try pair.end()
    }

    @Test(arguments: Engine.all)
    func `files are watched while there are observations, and no longer`(_ engine: Engine) async throws {
        let pair = try Pair(engine)
        let watch = pair.store.coordinator.otherWriters
        #expect(!watch.isOn)
        do {
            var first = pair.store.values(ofCount: Entry.all).makeAsyncIterator()
            let child = try pair.store.makeChildDataStore()
            var second = child.values(ofCount: Entry.all).makeAsyncIterator()
            #expect(!watch.isOn)
            #expect(try await first.next() == 0)
            #expect(try await second.next() == 0)
            #expect(watch.isOn)
        }
        #expect(!watch.isOn)
        var last = pair.store.values(ofCount: Entry.all).makeAsyncIterator()
        #expect(try await last.next() == 0)
        #expect(watch.isOn)
        try pair.end()
        #expect(!watch.isOn)
        #expect(try await last.next() == nil)
    }

    @Test func `a reading that keeps a map from growing delays no observers of another store`() throws {
        let pair = try Pair(.lmdb)
        let heard = DispatchSemaphore(value: 0)
        let watch = try #require(try pair.store.coordinator.adapter.watchOtherWriters { heard.signal() })
        var options = LMDBOptions(durability: .none, busyTimeout: .seconds(600))
        options.mapPolicy.first = 256 << 10
        options.mapPolicy.room = 64 << 10
        let file = pair.folder.url.appendingPathComponent("small")
        let small = LMDBDataStore(at: file, storing: [Entry.self], options: options)
        try small.setup()
        let grown = DispatchSemaphore(value: 0)
        let smallWatch = try #require(try small.coordinator.adapter.watchOtherWriters { grown.signal() })

        try small.read { accessor in
            #expect(try accessor.countItems(for: Entry.all) == 0)
            let child = try ChildProcess(["lmdb", "append", file.path])
            while let line = child.nextLine(), line != "done 1500" {}
            child.kill()

            try pair.commit(1)
            #expect(heard.wait(timeout: .now() + 60) == .success)
            // Of the commits that came before the file had outgrown the map.
            while grown.wait(timeout: .now()) == .success {}
        }

        #expect(grown.wait(timeout: .now() + 60) == .success)
        for watch in [watch, smallWatch] { watch.end() }
        try small.tearDown()
        try pair.end()
    }

    @Test(arguments: Engine.all)
    func `a change of the schema by another process ends observation`(_ engine: Engine) async throws {
        let pair = try Pair(engine)
        let events = pair.store.events
        var counts = pair.store.values(ofCount: Entry.all).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        pair.other.kill()

        let other = try ChildProcess([engine.rawValue, "extend", pair.file.path])
        #expect(other.waitUntilExit() == 0)
        let error = await #expect(throws: DataStoreError.self) { _ = try await counts.next() }
        #expect(error?.code == .schemaChanged)
        #expect(throws: DataStoreError.self) { try pair.store.read { try $0.countItems(for: Entry.all) } }

        try pair.end()
        var heard: [StoreEvent] = []
        for await event in events {
            heard.append(event)
            if event == .closed { break }
        }
        #expect(heard == [.schemaChanged, .closed])
    }
}
