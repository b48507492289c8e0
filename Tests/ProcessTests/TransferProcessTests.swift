import Foundation
import Larder
import LarderTransfer
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// Transfers whose process is killed, or whose disk is full.
struct TransferProcessTests {
    private static let blocks: Int64 = 150

    @Test(arguments: Engine.all, Engine.all)
    func `a transfer killed again and again is never taken for complete and ends with an equal copy`(
        _ from: Engine, _ to: Engine
    ) throws {
        let seed = Seed.ofProcess()
        var generator = seed
        let folder = try TemporaryFolder()
        let source = folder.url.appendingPathComponent("source")
        try Self.fill(from.makeStore(at: source))
        let expected = try Self.digests(from.address(at: source))
        var kills = 0

        for round in Repetitions.rounds(3, long: 20) {
            let destination = folder.url.appendingPathComponent("destination-\(round)")
            var isDone = false
            while !isDone {
                let child = try ChildProcess(
                    [from.rawValue, "transfer", source.path, to.rawValue, destination.path])
                // Some 60 reports make a transfer; after each, the process waits. The last answer sends it on
                // its way to the next commit, on which the signal meets it. The first kill surely comes
                // before the end.
                for _ in 0..<Int.random(in: 0...(kills == 0 ? 30 : 80), using: &generator) {
                    let line = child.nextLine()
                    isDone = line == "done"
                    if line == nil || isDone { break }
                    child.answer()
                }
                child.kill()
                // It may have ended by itself before the signal came.
                while let line = child.nextLine() { isDone = isDone || line == "done" }
                kills += isDone ? 0 : 1

                let stored = try to.address(at: destination).storedSchema()
                if stored == nil || stored == .empty { continue }
                let isComplete = stored?.transfer?.isComplete == true
                #expect(stored?.transfer != nil, "round \(round), \(seed)")
                #expect(isComplete || !isDone, "round \(round), \(seed)")
                if isComplete {
                    isDone = true
                } else {
                    let store = to.makeStore(at: destination)
                    let opening = code { try store.setup() }
                    #expect(opening == .incompleteTransfer, "round \(round), \(seed)")
                }
            }
            #expect(try Self.digests(to.address(at: destination)) == expected, "round \(round), \(seed)")
            let store = to.makeStore(at: destination)
            try store.setup()
            #expect(try Engine.problems(in: store) == [], "round \(round), \(seed)")
            try store.tearDown()
        }
        print("\(from) to \(to): \(kills) kills")
        #expect(kills > 0)
    }

    @Test(arguments: Engine.inFiles, Engine.inFiles)
    func `a transfer that was killed goes on after its folder was renamed`(
        _ from: Engine, _ to: Engine
    ) throws {
        let folder = try TemporaryFolder()
        func place(_ name: String, in container: String) -> URL {
            folder.url.appendingPathComponent(container).appendingPathComponent(name)
        }
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("before"), withIntermediateDirectories: false)
        try Self.fill(from.makeStore(at: place("source", in: "before")))
        let child = try ChildProcess([
            from.rawValue, "transfer", place("source", in: "before").path, to.rawValue,
            place("copy", in: "before").path,
        ])
        for _ in 0..<10 {
            #expect(child.nextLine() != nil)
            child.answer()
        }
        child.kill()
        while child.nextLine() != nil {}

        try FileManager.default.moveItem(
            at: folder.url.appendingPathComponent("before"), to: folder.url.appendingPathComponent("after"))
        let (source, copy) = (
            from.address(at: place("source", in: "after")), to.address(at: place("copy", in: "after"))
        )
        let report = try StoreTransfer(from: source, to: copy).run()

        #expect(report.isResumed)
        #expect(report.copiedItems > 0)
        #expect(try Self.digests(copy) == Self.digests(source))
    }

    #if os(Linux)
        @Test(arguments: Engine.inFiles)
        func `a transfer to a disk that gets full says so and goes on when there is room`(
            _ to: Engine
        ) throws {
            let found = try SmallDisk(bytes: 12 << 20)
            let disk = try #require(found, "a small file system cannot be mounted here")
            let folder = try TemporaryFolder()
            let source = folder.url.appendingPathComponent("source")
            let from: Engine = to == .sqlite ? .lmdb : .sqlite
            try Self.fill(from.makeStore(at: source))
            let expected = try Self.digests(from.address(at: source))
            var transfer = StoreTransfer(
                from: from.address(at: source),
                to: to.address(at: disk.url.appendingPathComponent("destination")))
            transfer.options.itemsPerBatch = 20
            transfer.options.checksFreeSpace = false

            var refused = 0
            var resumed = 0
            for free in stride(from: 0, through: 224 << 10, by: 8 << 10) {
                try disk.empty()
                try disk.fill(leaving: free)
                do {
                    _ = try transfer.run()
                } catch {
                    #expect(error.code == .storeFull, "\(free) bytes free: \(error)")
                    refused += 1
                }
                try disk.makeRoom()
                if try transfer.destination.storedSchema()?.transfer?.isComplete != true {
                    resumed += try transfer.run().isResumed ? 1 : 0
                }
                #expect(try Self.digests(transfer.destination) == expected, "\(free) bytes free")
            }

            print("\(to): \(refused) transfers refused, \(resumed) of them gone on with")
            #expect(refused > 3)
            #expect(resumed > 1)
        }
    #endif

    private static func fill(_ store: any DataStore) throws {
        try store.setup()
        try store.writeSync { accessor in
            for block in 1...blocks { try accessor.insert(contentsOf: Entry.entries(ofBlock: block)) }
        }
        try store.tearDown()
    }

    private static func digests(_ address: StoreAddress) throws -> [EntityDigest] {
        let store = try UntypedStore(reading: address)
        defer { try? store.close() }
        return try store.read { try $0.digests() }
    }
}
