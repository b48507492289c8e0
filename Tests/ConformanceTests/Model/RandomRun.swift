import Larder
import LarderConformance
@testable import AdapterTestSupport

/// A sequence of random blocks on one store, compared with the model after each.
final class RandomRun<ID: SpecimenID> {
    let vocabulary = Vocabulary<ID>()
    let journal: Journal
    var generator: Seed
    private var committed = ModelState<ID>()

    init(_ title: String, seed: UInt64) {
        journal = Journal(title)
        generator = Seed(seed)
    }

    /// Runs about so many operations.
    func run(_ operations: Int, in world: ConformanceWorld) throws {
        var store = try world.open(Specimen<ID>.self)
        while journal.count < operations {
            if generator.oneIn(40) {
                journal.note("reopen")
                store = try world.reopen(Specimen<ID>.self)
            }
            try write(to: store)
            try store.read { accessor in
                let reading = RandomReading(self, accessor, committed)
                try reading.compareAll()
                if generator.oneIn(2) { try reading.ask() }
            }
        }
        // What is checked after every case takes long with many items; all of them were compared just now.
        try store.writeSync { try $0.deleteItems(for: Specimen<ID>.all.offset(6)) }
    }

    /// How a block ends.
    private enum Ending: CaseIterable {
        case returning, throwing, cancelled, cancelledSilently
    }

    private func write(to store: any DataStore) throws {
        let ending = generator.oneIn(4) ? generator.pick(Ending.allCases) : .returning
        journal.note("block, \(ending)")
        var writing: RandomWriting<ID>?
        let outcome = Result {
            try store.writeSync { accessor in
                let block = RandomWriting(self, writing: accessor, committed)
                writing = block
                for _ in 0..<(1 + generator.number(below: 8)) { try block.step() }
                try end(accessor, ending)
            }
        }
        guard let writing else { throw journal.mismatch(expected: "a block that runs", actual: "\(outcome)") }
        journal.note("end of block")
        try check(outcome, of: writing, ending)
    }

    private func end(_ accessor: DataStoreReadWriteAccessor, _ ending: Ending) throws {
        switch ending {
        case .returning: return
        case .throwing: throw OwnFailure()
        case .cancelled: try accessor.cancel()
        case .cancelledSilently:
            do { try accessor.cancel() } catch { return }
        }
    }

    private func check(
        _ outcome: Result<Void, any Error>, of writing: RandomWriting<ID>, _ ending: Ending
    ) throws {
        if case .failure(let error as Mismatch) = outcome { throw error }
        let isCancelled = ending == .cancelled || ending == .cancelledSilently
        if isCancelled, writing.doom == nil { writing.doom = ModelRefusal([.cancelled]) }
        writing.settle()
        switch (outcome, writing.doom) {
        case (.success, nil) where ending == .returning: committed = writing.state
        case (.failure(is OwnFailure), _) where ending == .throwing: committed = writing.committed
        case (.failure(let error), let doom?) where ending != .throwing && doom.accepts(error):
            committed = writing.committed
        default:
            let expected = writing.doom.map { "\($0.codes)" } ?? "\(ending)"
            throw journal.mismatch(expected: expected, actual: "\(outcome)")
        }
    }
}
