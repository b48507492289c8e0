import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// A transfer that ended early goes on where it stopped.
struct ResumeTests {
    @Test(arguments: Engine.pairs, [false, true])
    func `a transfer that dies at any commit is finished by the next run`(
        _ pair: Pair, _ isStoredFirst: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let source = folder.place(pair.from, "source")
        try Cargo.fill(source)
        var commit = 1
        var finished = false
        while !finished {
            let destination = folder.place(pair.to, "destination-\(commit)")
            let plan = CommitPlan(failingAt: commit, isStoredFirst: isStoredFirst)
            let failing = plan.applied(to: destination.address)

            let error = thrown { _ = try Self.transfer(from: source, to: failing).run() }
            finished = error == nil
            if !finished {
                #expect(error?.message == CommitPlan.error.message)
                let opening = thrown { try destination.withStore { _ in } }
                #expect(opening?.code == .incompleteTransfer, "commit \(commit)")
                let report = try Self.transfer(from: source, to: destination.address).run()
                #expect(report.isResumed)
                #expect(report.copiedItems == Cargo.count - Self.stored(commit, isStoredFirst))
            }

            #expect(try destination.digests() == source.digests(), "commit \(commit)")
            #expect(try Cargo.isWhole(in: destination), "commit \(commit)")
            #expect(try destination.problems() == [], "commit \(commit)")
            commit += 1
        }
        #expect(commit == 2 + Self.batches.count)
    }

    @Test(arguments: Engine.allCases)
    func `a cancelled transfer stops behind its batch and goes on`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(engine, "destination"))
        try Cargo.fill(source)
        let batches = Locked(0)
        var transfer = Self.transfer(from: source, to: destination.address)
        transfer.options.isCancelled = {
            batches.withLock { batches in
                batches += 1
                return batches == 3
            }
        }

        let error = thrown { _ = try transfer.run() }

        #expect(error?.code == .cancelled)
        #expect(error?.advice.contains("it continues where it stopped") == true)
        #expect(code { try destination.withStore { _ in } } == .incompleteTransfer)
        let report = try transfer.run()
        #expect(report.isResumed)
        #expect(report.copiedItems == Cargo.count - Self.batches.prefix(3).reduce(0, +))
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test
    func `a cancelled task ends its transfer`() async throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(.lmdb, "destination"))
        try Cargo.fill(source)
        let transfer = Self.transfer(from: source, to: destination.address)

        let error = await thrownWhenCancelled(awaiting: { _ = try await transfer.runAsync() })

        #expect(error?.code == .cancelled)
        #expect(try await transfer.runAsync().isResumed)
    }

    @Test(arguments: Engine.allCases, Tampering.allCases)
    func `what was copied and differs is copied again`(_ engine: Engine, _ tampering: Tampering) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(engine, "destination"))
        try Cargo.fill(source)
        let plan = CommitPlan(failingAt: 4, isStoredFirst: true)
        expectDeath { _ = try Self.transfer(from: source, to: plan.applied(to: destination.address)).run() }
        try tampering.apply(to: destination)

        let report = try Self.transfer(from: source, to: destination.address).run()

        // Behind the first three items, 3 batches of 5 of the numbered ones had been copied, from -10 on.
        #expect(report.copiedItems == Cargo.count - 3 - tampering.keptItems)
        #expect(try Cargo.isWhole(in: destination))
        #expect(try destination.problems() == [])
    }

    @Test(arguments: Engine.allCases)
    func `a transfer that is cancelled while it deletes what differs deletes no more`(_ engine: Engine)
        throws
    {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(engine, "destination"))
        try Cargo.fill(source)
        let failing = CommitPlan(failingAt: 4, isStoredFirst: true).applied(to: destination.address)
        _ = thrown { _ = try Self.transfer(from: source, to: failing).run() }
        try Tampering.changedInTheMiddle.apply(to: destination)
        let plan = CommitPlan()
        let watched = plan.applied(to: destination.address)
        var transfer = Self.transfer(from: source, to: watched, itemsPerBatch: 1)
        transfer.options.isCancelled = { plan.commits >= 2 }

        let error = thrown { _ = try transfer.run() }

        #expect(error?.code == .cancelled)
        // Ten of the fifteen numbered items were to be deleted, one by one.
        #expect(try destination.digests().reduce(0) { $0 + $1.count } == 3 + 15 - 2)
        #expect(try Self.transfer(from: source, to: destination.address).run().isResumed)
        #expect(try Cargo.isWhole(in: destination))
    }

    @Test(arguments: [0, -1])
    func `batches of no items have one, and what differs is copied again`(_ items: Int) throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.memory, "source"), folder.place(.sqlite, "destination"))
        try Cargo.fill(source)
        let failing = CommitPlan(failingAt: 10, isStoredFirst: true).applied(to: destination.address)
        expectDeath { _ = try Self.transfer(from: source, to: failing, itemsPerBatch: items).run() }
        try Tampering.changedInTheMiddle.apply(to: destination)

        let report = try Self.transfer(from: source, to: destination.address, itemsPerBatch: items).run()

        #expect(report.isResumed)
        #expect(report.copiedItems == Cargo.count - 3 - Tampering.changedInTheMiddle.keptItems)
        #expect(try Cargo.isWhole(in: destination))
    }

    /// What somebody may do to the half of a copy.
    enum Tampering: CaseIterable {
        case none, removedInTheMiddle, changedInTheMiddle, addedWrong, addedBehind, removedAll

        /// How many of the numbered items are still right up to the first difference.
        var keptItems: Int {
            switch self {
            case .none, .addedBehind: 15
            case .removedInTheMiddle, .changedInTheMiddle: 5
            case .addedWrong: 15
            case .removedAll: 0
            }
        }

        func apply(to place: Place) throws {
            try place.withAdapter { adapter, schema in
                let number = try #require(schema.entities.firstIndex { $0.name == Keyed<Int64>.schema.name })
                let writing = try adapter.beginWriting()
                func row(_ id: Int64) -> [Cell] { [.integer(id), .null, .integer(99)] }
                switch self {
                case .none: break
                case .removedInTheMiddle: try writing.apply(.delete, number, row(-5))
                case .changedInTheMiddle: try writing.apply(.update, number, row(-5), columns: [2])
                case .addedWrong: try writing.apply(.insert, number, row(5))
                case .addedBehind: try writing.apply(.insert, number, row(.max))
                case .removedAll: try writing.apply(.deleteAll, number, row(0))
                }
                try writing.commit()
            }
        }
    }

    @Test
    func `half of another transfer is refused and left alone`() throws {
        let folder = try TemporaryFolder()
        let (source, other) = (folder.place(.sqlite, "source"), folder.place(.sqlite, "other"))
        let destination = folder.place(.lmdb, "destination")
        try Cargo.fill(source)
        try Cargo.fill(other)
        let plan = CommitPlan(failingAt: 2, isStoredFirst: true)
        expectDeath { _ = try Self.transfer(from: source, to: plan.applied(to: destination.address)).run() }
        let before = try destination.digests()

        let error = thrown { _ = try Self.transfer(from: other, to: destination.address).run() }

        #expect(error?.code == .incompleteTransfer)
        #expect(error?.message.contains(source.address.description) == true)
        #expect(try destination.digests() == before)
    }

    @Test
    func `a source whose item types have changed since is refused`() throws {
        let folder = try TemporaryFolder()
        let (source, destination) = (folder.place(.sqlite, "source"), folder.place(.lmdb, "destination"))
        try source.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.writeSync { _ = try $0.insert(Keyed(Int64(1))) }
        }
        let plan = CommitPlan(failingAt: 1, isStoredFirst: true)
        expectDeath { _ = try Self.transfer(from: source, to: plan.applied(to: destination.address)).run() }
        try source.withStore { _ in }

        #expect(
            code { _ = try Self.transfer(from: source, to: destination.address).run() }
                == .sourceChanged)
    }

    private static func transfer(
        from source: Place, to destination: StoreAddress, itemsPerBatch: Int = 5
    ) -> StoreTransfer {
        var options = StoreTransferOptions()
        options.itemsPerBatch = itemsPerBatch
        return StoreTransfer(from: source.address, to: destination, options: options)
    }

    /// The batches of all item types, in their order.
    private static let batches = [
        Cargo.everything.count, Cargo.numbered.count, Cargo.named.count, Cargo.unique.count,
    ]
    .flatMap { count in
        stride(from: 0, to: count, by: 5).map { min(5, count - $0) }
    }

    /// How many items are stored when a run has died at a commit.
    private static func stored(_ commit: Int, _ isStoredFirst: Bool) -> Int {
        batches.prefix(isStoredFirst ? commit : commit - 1).reduce(0, +)
    }
}
