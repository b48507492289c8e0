import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// A whole transfer, between every two engines.
struct StoreTransferTests {
    @Test(arguments: Engine.pairs)
    func `everything arrives and the source stays as it is`(_ pair: Pair) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(pair.from, "source"), folder.place(pair.to, "destination"))
        try Cargo.fill(source)
        let bytes = pair.from == .memory ? Data() : try folder.bytes("source")
        let names = try folder.names

        var options = StoreTransferOptions()
        options.itemsPerBatch = 7
        let report = try StoreTransfer(
            from: source.address, to: destination.address, options: options
        ).run()

        #expect(try Cargo.isWhole(in: destination))
        #expect(try destination.problems() == [])
        #expect(try report.digests == source.digests())
        #expect(try report.digests == destination.digests())
        #expect(report.copiedItems == Cargo.count)
        #expect(!report.isResumed)
        #expect(report.skippedRows == 0)
        let transfer = try destination.address.storedSchema()?.transfer
        #expect(transfer?.source.description == source.address.description)
        #expect(transfer?.isComplete == true)
        #expect(transfer?.digests == report.digests)
        if pair.from != .memory { #expect(try folder.bytes("source") == bytes) }
        #expect(try folder.names.filter { $0.hasPrefix("source") } == names)
    }

    @Test(arguments: Engine.pairs)
    func `an empty store arrives as one`(_ pair: Pair) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(pair.from, "source"), folder.place(pair.to, "destination"))
        try source.withStore { _ in }

        let report = try StoreTransfer(from: source.address, to: destination.address).run()

        #expect(report.digests.map(\.count) == [0, 0, 0, 0])
        #expect(try destination.withStore { try $0.read { try $0.countItems(for: Everything.all) } } == 0)
    }

    @Test(arguments: Engine.allCases)
    func `a store that was moved can be changed and moved on`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.place(.memory, "first"), folder.place(engine, "second"))
        let third = folder.place(.memory, "third")
        try Cargo.fill(first)
        _ = try StoreTransfer(from: first.address, to: second.address).run()

        try second.withStore { store in
            try store.writeSync { _ = try $0.delete(id: 3, of: Keyed<Int64>.self) }
        }
        _ = try StoreTransfer(from: second.address, to: third.address).run()

        #expect(try third.withStore { try $0.read { try $0.countItems(for: Keyed<Int64>.all) } } == 24)
        #expect(try third.address.storedSchema()?.transfer?.source.description == second.address.description)
    }

    @Test(arguments: Engine.allCases)
    func `a place that holds a store is refused and left alone`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(engine, "destination"))
        try Cargo.fill(source)
        try Cargo.fill(destination)
        let before = try destination.digests()

        let refusal = code {
            _ = try StoreTransfer(from: source.address, to: destination.address).run()
        }

        #expect(refusal == .destinationExists)
        #expect(try destination.digests() == before)
    }

    @Test
    func `a source that is not there is refused and nothing is made`() throws {
        let folder = try TemporaryFolder()
        for engine in Engine.files {
            let transfer = StoreTransfer(
                from: folder.place(engine, "source").address, to: folder.place(.sqlite, "new").address)

            #expect(code { _ = try transfer.run() } == .cannotOpen)
        }
        #expect(try folder.names == [])
    }

    @Test
    func `every phase ends with all of its items, however few they are`() throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(.memory, "destination"))
        try source.withStore { store in
            try store.writeSync { try $0.insert(contentsOf: (0..<30).map { Keyed(Int64($0)) }) }
        }
        let seen = Locked<[DataStoreProgress]>([])
        var options = StoreTransferOptions()
        options.progress = { progress in seen.withLock { $0.append(progress) } }

        _ = try StoreTransfer(from: source.address, to: destination.address, options: options).run()

        for phase in ["copying", "verifying"] {
            #expect(seen.withLock { $0.filter { $0.phase == phase }.map(\.done) } == [0, 30])
        }
        #expect(seen.withLock { $0.map(\.fraction) } == [0, 0.5, 0.5, 1])
    }

    @Test
    func `progress tells what is done and how long it will take`() throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(.memory, "destination"))
        try source.withStore { store in
            try store.writeSync { try $0.insert(contentsOf: (0..<30).map { Keyed(Int64($0)) }) }
        }
        let seen = Locked<[DataStoreProgress]>([])
        let seconds = Locked(0)
        let start = ContinuousClock.now
        var options = StoreTransferOptions()
        options.itemsPerBatch = 10
        options.progress = { progress in seen.withLock { $0.append(progress) } }
        options.now = {
            start
                + .seconds(
                    seconds.withLock { seconds in
                        seconds += 1
                        return seconds
                    })
        }

        _ = try StoreTransfer(from: source.address, to: destination.address, options: options).run()

        // The clock is read once for the run, once for each phase, and once for each report.
        let copying = Array(seen.withLock { $0 }.prefix(4))
        let expected = (0...3).map { number in
            DataStoreProgress(
                "copying", step: 1, of: 2, done: number * 10, total: 30, elapsed: .seconds(number + 1))
        }
        #expect(copying == expected)
        let speed = 20.0 / 3
        #expect(copying.map(\.itemsPerSecond) == [nil, 5, speed, 7.5])
        #expect(copying.map(\.timeLeft) == [nil, .seconds(4), .seconds(10.0 / speed), .zero])
        let verifying = seen.withLock { $0 }.dropFirst(4)
        #expect(verifying.map(\.done) == [0, 10, 20, 30])
        #expect(verifying.allSatisfy { $0.phase == "verifying" && $0.total == 30 })
    }

    @Test
    func `a source larger than the room that is free is refused before anything is made`() throws {
        let folder = try TemporaryFolder()
        let source = folder.place(.sqlite, "source")
        try Cargo.fill(source)
        // A hole: larger than any disk, and it takes no room.
        let log = try FileHandle(
            forWritingTo: makeFile(at: folder.url.appendingPathComponent("source-journal")))
        try log.truncate(atOffset: 1 << 42)
        try log.close()
        let transfer = StoreTransfer(from: source.address, to: folder.place(.lmdb, "new").address)

        let error = thrown { _ = try transfer.run() }

        #expect(error?.code == .storeFull)
        #expect(try !folder.names.contains("new"))
    }

    private func makeFile(at url: URL) throws -> URL {
        try Data().write(to: url)
        return url
    }
}
