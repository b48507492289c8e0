import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTransfer
import LarderFiles
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// From the old store to the copy, and back.
struct StoreCutOverTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Engine.files)
    func `the source is set aside under another name and taken back`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        let bytes = try folder.bytes("source")
        let names = try folder.names

        #expect(try cutOver.state() == .begun)
        try cutOver.finalize()

        #expect(try cutOver.state() == .finalized)
        #expect(try folder.names.filter { $0 == "source" || $0.hasPrefix("source-") } == ["source"])
        #expect(try folder.bytes("source.before-transfer") == bytes)
        #expect(try Cargo.isWhole(in: destination))
        try cutOver.finalize()

        try cutOver.rollBack()
        #expect(try cutOver.state() == .begun)
        #expect(try folder.names.filter { $0.hasPrefix("source") } == names.filter { $0.hasPrefix("source") })
        #expect(try folder.bytes("source") == bytes)
        try cutOver.rollBack()
        #expect(try Cargo.isWhole(in: source))
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test(arguments: Engine.files)
    func `an app that still opens the old name is refused, and no empty store is made there`(
        _ engine: Engine
    ) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        let contents = try folder.contents

        #expect(code { try source.withStore { _ in } } == .storeMoved)
        #expect(code { _ = try source.address.storedSchema() } == .storeMoved)
        #expect(code { _ = try UntypedStore(reading: source.address) } == .storeMoved)
        #expect(code { try source.makeStore(storing: []).destroy() } == .storeMoved)

        #expect(try folder.contents == contents)
        try cutOver.rollBack()
        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files)
    func `a source that was written to since keeps its name`(_ engine: Engine) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        try source.withStore { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
        }
        let names = try folder.names

        #expect(code { try cutOver.finalize() } == .sourceChanged)
        #expect(try folder.names == names)
    }

    @Test(arguments: Engine.files)
    func `a commit that comes after the comparison is not lost`(_ engine: Engine) throws {
        let (source, destination, _) = try folder.copied(engine)
        let comparisons = Locked(0)
        let raced = source.address.watched { _ in
        } beforeLocking: {
            comparisons.withLock { $0 += 1 }
            try source.withStore { store in
                try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
            }
        }
        let cutOver = StoreCutOver(from: raced, to: destination.address)
        let names = try folder.names

        #expect(code { try cutOver.finalize() } == .sourceChanged)

        #expect(comparisons.withLock { $0 } == 1)
        #expect(try cutOver.state() == .begun)
        #expect(try folder.names == names)
        #expect(try source.withStore { try $0.read { try $0.countItems(for: Keyed<Int64>.all) } } == 26)
    }

    /// Otherwise a commit after the comparison could leave the file with the time and the size that it had before.
    @Test(arguments: Engine.files)
    func `the comparison begins a tick of the file clock after the state that it is judged by`(
        _ engine: Engine
    ) throws {
        let (source, destination, _) = try folder.copied(engine)
        let (state, pauses) = (Locked<ContinuousClock.Instant?>(nil), Locked<[Duration]>([]))
        let watched = source.address.watched { isState in
            let now = ContinuousClock.now
            let last = state.withLock { last in
                defer { last = isState ? now : nil }
                return last
            }
            if let last { pauses.withLock { $0.append(now - last) } }
        } beforeLocking: {
        }

        try StoreCutOver(from: watched, to: destination.address).finalize()

        #expect(pauses.withLock { $0.count } == 1)
        #expect(pauses.withLock { $0.allSatisfy { $0 >= .milliseconds(10) } })
    }

    @Test(arguments: Engine.files)
    func `a source that this process has open is not set aside`(_ engine: Engine) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        let names = try folder.names.filter { !$0.contains("source-") }

        try source.withStore { _ in #expect(code { try cutOver.finalize() } == .alreadyOpen) }

        #expect(try folder.names.filter { !$0.contains("source-") } == names)
        try cutOver.finalize()
    }

    @Test(arguments: Engine.files)
    func `taking back what is in its place leaves a log of another store alone`(_ engine: Engine) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        let suffix = engine == .sqlite ? "-wal" : "-lock"
        let stray = folder.file("source.before-transfer" + suffix)
        try Data("stray".utf8).write(to: stray)
        let files = source.files

        try cutOver.rollBack()

        #expect(source.files == files)
        #expect(try Data(contentsOf: stray) == Data("stray".utf8))
        #expect(code { try cutOver.finalize() } == .destinationExists)
        #expect(try cutOver.state() == .begun)
        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files)
    func `when both stores were written to, none is called the one to delete`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        for place in [source, destination] {
            try place.withStore { store in
                try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
            }
        }

        #expect(code { try cutOver.finalize() } == .destinationChanged)
        #expect(try cutOver.state() == .begun)
    }

    @Test(arguments: Engine.files)
    func `a destination that was written to is only left on request`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        try destination.withStore { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(100))) }
        }

        #expect(code { try cutOver.rollBack() } == .destinationChanged)
        #expect(try cutOver.state() == .finalized)
        try cutOver.rollBack(discardingChanges: true)

        #expect(try Cargo.isWhole(in: source))
        #expect(try destination.withStore { try $0.read { try $0.countItems(for: Keyed<Int64>.all) } } == 26)
    }

    @Test
    func `what is no finished copy of the source sets nothing aside`() throws {
        let (source, other) = (folder.place(.sqlite, "source"), folder.place(.sqlite, "other"))
        try Cargo.fill(source)
        try Cargo.fill(other)
        let destination = folder.place(.lmdb, "destination")
        func refusal(_ source: Place, _ destination: Place) -> DataStoreError.Code? {
            code { try StoreCutOver(from: source.address, to: destination.address).finalize() }
        }

        #expect(refusal(source, destination) == .incompleteTransfer)
        #expect(refusal(source, other) == .incompleteTransfer)
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        expectDeath {
            _ = try StoreTransfer(from: source.address, to: plan.applied(to: destination.address)).run()
        }
        #expect(refusal(source, destination) == .incompleteTransfer)
        _ = try StoreTransfer(from: source.address, to: destination.address).run()
        #expect(refusal(other, destination) == .incompleteTransfer)
        #expect(refusal(folder.place(.memory, "source"), destination) == .unsupported)
        #expect(try folder.names.filter { $0.contains("before") } == [])
    }

    @Test
    func `a name that is taken by another store set aside is not given twice`() throws {
        let (_, _, cutOver) = try folder.copied(.sqlite)
        try Cargo.fill(folder.place(.sqlite, "source.before-transfer"))

        #expect(code { try cutOver.finalize() } == .destinationExists)
        #expect(code { try cutOver.rollBack() } == .destinationExists)
    }

    @Test
    func `the note under the old name can be read by a person, and names places from where it is`() throws {
        let (source, destination, cutOver) = try folder.copied(.sqlite)
        try cutOver.finalize()

        let lines = try String(decoding: folder.bytes("source"), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "Larder: this store was moved")
        #expect(lines.contains { $0.hasSuffix("\"location\" : \"source copied\"") }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("\"location\" : \"source.before-transfer\"") }, "\(lines)")
        let tombstone = try #require(try StoreTombstone.read(at: source.address.location))
        #expect(tombstone.destination.identity == (try destination.address.storedSchema()?.identity))
        let aside = folder.place(.sqlite, "source.before-transfer")
        #expect(tombstone.source.identity == (try aside.address.storedSchema()?.identity))
        #expect(try StoreTombstone.read(at: destination.address.location) == nil)
        #expect(try StoreTombstone.read(at: folder.path("missing")) == nil)
        #expect(try StoreTombstone.read(at: folder.path) == nil)
    }

    @Test(arguments: Engine.files)
    func `a note that was edited still refuses to be opened`(_ engine: Engine) throws {
        let source = folder.place(engine, "source")
        try Data("Larder: this store was moved\nto the attic".utf8).write(to: folder.file("source"))

        let error = thrown { try source.withStore { _ in } }

        #expect(error?.code == .storeMoved)
        #expect(error?.message == "The store was moved to another place.")
        #expect(try !SQLiteDataStore.isStore(at: folder.file("source")))
        #expect(try !LMDBDataStore.isStore(at: folder.file("source")))
    }

    @Test(arguments: Engine.files)
    func `a copy does not take the place of the note until that was deleted`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        let contents = try folder.contents
        let back = StoreTransfer(from: destination.address, to: source.address)

        let error = thrown { _ = try back.run() }

        #expect(error?.code == .destinationExists)
        #expect(error?.advice.contains("delete the note") == true)
        #expect(try folder.contents == contents)
        try FileManager.default.removeItem(at: folder.file("source"))
        _ = try back.run()
        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files)
    func `stores that were not moved to each other are told apart`(_ engine: Engine) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        let other = folder.place(engine, "other copy")
        _ = try StoreTransfer(from: source.address, to: other.address).run()
        try cutOver.finalize()
        let wrong = StoreCutOver(from: source.address, to: other.address)

        #expect(code { try wrong.finalize() } == .storeMoved)
        #expect(code { try wrong.rollBack() } == .storeMoved)
        #expect(try wrong.state() == .finalized)
        try cutOver.rollBack()
        try wrong.finalize()
        let tombstone = try StoreTombstone.read(at: source.address.location)
        #expect(tombstone?.destination.location?.hasSuffix("other copy") == true)
    }

    @Test(arguments: Engine.files)
    func `a store that was set aside and deleted is not taken back, and its name stays refused`(
        _ engine: Engine
    ) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        for suffix in source.filesAside {
            try FileManager.default.removeItem(atPath: source.address.location + StoreCutOver.suffix + suffix)
        }

        #expect(try cutOver.state() == .finalized)
        try cutOver.finalize()
        #expect(code { try cutOver.rollBack() } == .cannotOpen)

        #expect(code { try source.withStore { _ in } } == .storeMoved)
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test(arguments: Engine.files)
    func `a note that was deleted is made again, or not missed`(_ engine: Engine) throws {
        let (source, _, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        let note = try folder.bytes("source")
        try FileManager.default.removeItem(at: folder.file("source"))

        #expect(try cutOver.state() == .finalized)
        try cutOver.finalize()
        #expect(try folder.bytes("source") == note)
        try FileManager.default.removeItem(at: folder.file("source"))
        try cutOver.rollBack()

        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files)
    func `another file under the old name is left alone`(_ engine: Engine) throws {
        let (_, _, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        try Data("mine".utf8).write(to: folder.file("source"))
        let contents = try folder.contents

        #expect(code { try cutOver.finalize() } == .destinationExists)
        #expect(code { try cutOver.rollBack(discardingChanges: true) } == .destinationExists)

        #expect(try folder.contents == contents)
    }

    @Test(arguments: Engine.files)
    func `without its copy a store is only taken back on request`(_ engine: Engine) throws {
        let (source, destination, cutOver) = try folder.copied(engine)
        try cutOver.finalize()
        try destination.makeStore(storing: []).destroy()

        #expect(code { try cutOver.rollBack() } == .cannotOpen)
        #expect(code { try cutOver.finalize() } == .incompleteTransfer)
        try cutOver.rollBack(discardingChanges: true)

        #expect(try Cargo.isWhole(in: source))
    }

    @Test(arguments: Engine.files)
    func `a store that is reached by a link is set aside where it is`(_ engine: Engine) throws {
        let (source, destination, _) = try folder.copied(engine)
        try FileManager.default.createSymbolicLink(
            at: folder.file("link"), withDestinationURL: folder.file("source"))
        let link = folder.place(engine, "link")
        let cutOver = StoreCutOver(from: link.address, to: destination.address)

        try cutOver.finalize()
        #expect(code { try source.withStore { _ in } } == .storeMoved)
        #expect(code { try link.withStore { _ in } } == .storeMoved)
        try cutOver.rollBack()

        #expect(try Cargo.isWhole(in: link))
    }
}

extension StoreAddress {
    /// The same store, with what happens at moments of a cut-over.
    ///
    /// - Parameters:
    ///   - noting: Called with true when the state of the files is asked for, with false when the store is opened.
    ///   - beforeLocking: Called before the store is locked.
    fileprivate func watched(
        _ noting: @escaping @Sendable (_ isState: Bool) -> Void,
        beforeLocking: @escaping @Sendable () throws -> Void
    ) -> StoreAddress {
        StoreAddress(engine: engine, location: location, fileSuffixes: fileSuffixes) { _, access in
            let adapter = adapter(for: access)
            if access == .updating {
                return WatchedAdapter(adapter, noting: { noting(true) }, beforeLocking: beforeLocking)
            }
            noting(false)
            return adapter
        }
    }
}

/// An adapter of a store, with what happens when its files are looked at and locked.
private final class WatchedAdapter: AdapterDecorator, ClosableStore {
    let wrappedAdapter: any StorageAdapter
    private let noting: @Sendable () -> Void
    private let beforeLocking: @Sendable () throws -> Void

    init(
        _ adapter: any StorageAdapter, noting: @escaping @Sendable () -> Void,
        beforeLocking: @escaping @Sendable () throws -> Void
    ) {
        wrappedAdapter = adapter
        self.noting = noting
        self.beforeLocking = beforeLocking
    }

    func contentState() throws(DataStoreError) -> String {
        noting()
        return try (wrappedAdapter as? any ClosableStore)?.contentState() ?? ""
    }

    func whileClosed(_ body: () throws(DataStoreError) -> Void) throws(DataStoreError) -> Bool {
        do { try beforeLocking() } catch { throw DataStoreError(.engine, "\(error)") }
        return try (wrappedAdapter as? any ClosableStore)?.whileClosed(body) ?? false
    }
}
