import Foundation
import Larder
import LarderConformance

@testable import AdapterTestSupport

/// Random changes of a store and its children by every spelling, each compared with the model.
final class CrossingRun: FamilyRun {
    let journal: Journal
    var generator: Seed
    var model = CrossingModel()
    let ties: TieRows
    /// The item of each type that was chosen last.
    var last: [Kind: Int64] = [:]
    /// What most calls are about for a while, and about the items that were chosen last.
    private(set) var focus: Focus?
    /// The first call of the next block, where it is not left to chance.
    var firstCall: ((Contents) -> Call?)?
    var stores = FamilyStores()
    /// The numbers of identifiers and values that there may be.
    let pool: Int
    /// The number of rows that a call of a store takes at a time.
    ///
    /// Not less than 3: the nested objects of a source are imported in one batch, as the model has them.
    let batchSize: Int
    /// True while the calls are in a savepoint.
    private(set) var isInSavepoint = false
    /// The error of a set that was refused, with which the whole block fails.
    private var doom: DataStoreError.Code?
    /// The last handles that the block has asked for.
    private var keptHandles: [HandleCheck] = []

    /// Compares a handle with what is stored; false if its item is gone.
    typealias HandleCheck = (Contents) throws -> Bool

    init(_ title: String, seed: UInt64) throws {
        var generator = Seed(seed)
        pool = 3 + generator.number(below: 8)
        // Nothing may depend on the usual size, which no call of a run reaches.
        batchSize = generator.oneIn(3) ? 3 : 1000
        self.generator = generator
        journal = Journal("\(title), batches of \(batchSize)")
        ties = try TieRows()
    }

    /// Runs about so many operations.
    func run(_ operations: Int, in world: ConformanceWorld) throws {
        try WriteBlock.testedBatchSize.withValue(batchSize) { try runInBatches(operations, in: world) }
    }

    private func runInBatches(_ operations: Int, in world: ConformanceWorld) throws {
        stores.root = try world.open(Badge.self, Locker.self, Member.self, Club.self)
        while journal.count < operations {
            let number = generator.pick(model.levels.keys.sorted())
            switch generator.number(below: 20) {
            case 0, 1: try makeChild(of: number)
            case 2: try mergeBesideReader(number)
            case 3, 4: try merge(number)
            case 5: if generator.oneIn(3) { try end(number) } else { try refresh(number) }
            case 6: try writeTogether(number)
            case 7...12: try writeInTurn(number)
            case 13, 14: try playScene(number)
            default: try write(number)
            }
        }
        stores.children = [:]
    }

    // MARK: Children

    func makeChild(of number: Int) throws { try makeChild(of: number, within: 2, atMost: 4) }
}

// MARK: Blocks

extension CrossingRun {
    func write(_ number: Int) throws {
        var before = model
        let fails = firstCall == nil && generator.oneIn(6)
        journal.note("block in \(number)\(fails ? ", which fails" : "")")
        defer { keptHandles = [] }
        do {
            try store(number).writeSync { accessor in
                try calls(accessor, number)
                if generator.oneIn(8), doom == nil {
                    journal.note("commit")
                    try accessor.commit()
                    before = model
                    try calls(accessor, number)
                }
                if fails { throw OwnFailure() }
            }
            try requireNoDoom()
        } catch {
            try requireExpected(error)
            model = before
        }
        try compareAll()
        try checkCommit(number)
    }

    /// Changes of a child and its parent in turn, most of them of the same few items, and the merge.
    private func writeInTurn(_ number: Int) throws {
        guard let parent = model.levels[number]?.parent else { return try makeChild(of: number) }
        var focus = generator.pick(Focus.all)
        if let reference = focus.column.flatMap({ Reference.at(focus.kind, $0) }) {
            focus.target = known(reference.target, model.contents(number))
        }
        self.focus = focus
        defer { self.focus = nil }
        if focus.column == nil, generator.oneIn(2) { try wishForWhatGoes(number, parent) }
        for _ in 0...generator.number(below: 3) {
            try write(generator.oneIn(2) ? number : parent)
            try write(number)
        }
        try merge(number)
    }

    /// Blocks that may share a commit.
    private func writeTogether(_ number: Int) throws {
        let group = DispatchGroup()
        // reason: the blocks run one after the other, and this thread waits for them.
        nonisolated(unsafe) let run = self
        nonisolated(unsafe) var failure: (any Error)?
        journal.note("blocks together in \(number)")
        let store = try store(number)
        // Chosen before the first block, which begins while the others are made.
        for fails in (0...generator.number(below: 4)).map({ _ in generator.oneIn(4) }) {
            group.enter()
            store.writeAsync { accessor in
                let before = run.model
                run.journal.note("block of several\(fails ? ", which fails" : "")")
                defer { run.keptHandles = [] }
                do {
                    try run.calls(accessor, number)
                    if fails { throw OwnFailure() }
                } catch {
                    (run.model, run.doom) = (before, nil)
                    throw error
                }
                let doom = run.doom
                if doom != nil { (run.model, run.doom) = (before, nil) }
                return doom
            } completion: { result in
                do {
                    let doom = try result.get()
                    if let doom { throw run.journal.mismatch(expected: "\(doom)", actual: "success") }
                } catch let error as Mismatch {
                    failure = failure ?? error
                } catch is OwnFailure {
                } catch let error as DataStoreError where run.dooms.contains(error.code) {
                } catch { failure = failure ?? error }
                group.leave()
            }
        }
        group.wait()
        if let failure { throw failure }
        try compareAll()
        try checkCommit(number)
    }

    private var dooms: Set<DataStoreError.Code> {
        [.uniqueViolation, .targetNotFound, .deletionDenied, .invalidValue, .itemNotFound]
    }

    private func requireNoDoom() throws {
        if let doom { throw journal.mismatch(expected: "\(doom)", actual: "success") }
    }

    private func requireExpected(_ error: any Error) throws {
        if error is OwnFailure { return doom = nil }
        if let error = error as? DataStoreError, error.code == doom { return doom = nil }
        throw error is DataStoreError ? journal.mismatch(expected: "a commit", actual: "\(error)") : error
    }

    private func calls(_ accessor: DataStoreReadWriteAccessor, _ number: Int) throws {
        let isAlone = firstCall != nil && generator.oneIn(2)
        for _ in 0...(isAlone ? 0 : generator.number(below: 6)) where doom == nil {
            if generator.oneIn(10) {
                try savepoint(accessor, number)
            } else {
                try step(accessor, number)
            }
        }
        if doom == nil { try compareContents(number, accessor) }
    }

    private func savepoint(_ accessor: DataStoreReadWriteAccessor, _ number: Int) throws {
        let before = model
        let fails = generator.oneIn(2)
        journal.note("savepoint\(fails ? ", which fails" : "")")
        isInSavepoint = true
        defer { isInSavepoint = false }
        do {
            try accessor.savepoint {
                for _ in 0...generator.number(below: 3) { try step(accessor, number) }
                if fails { throw OwnFailure() }
            }
        } catch is OwnFailure {
            model = before
        }
        try compareHandles(model.contents(number))
        journal.note("end of savepoint")
    }

    /// A call, what the store shows after it, and the errors that it may throw instead.
    struct Call {
        let title: String
        var after: Contents
        var refusals: Set<DataStoreError.Code> = []
        /// True if a refusal fails the block.
        var dooms = false
        /// The items that it changes, even if it changes them back.
        var written: Set<CrossingModel.ItemKey> = []
        /// The contents between its changes and its deletions; nil if they are those before it.
        var between: Contents?
        let make: (DataStoreReadWriteAccessor) throws -> Void
    }

    /// Compares the handles that the block has kept with what is stored, and forgets those of items that are gone.
    private func compareHandles(_ contents: Contents) throws {
        keptHandles = try keptHandles.filter { try $0(contents) }
    }

    /// Makes a call, and compares its error and handles with the model: those of two more items, and of earlier ones.
    private func step(_ accessor: DataStoreReadWriteAccessor, _ number: Int) throws {
        let before = model.contents(number)
        guard let call = nextCall(before) else { return }
        if call.dooms, !call.refusals.isEmpty, isInSavepoint || !generator.oneIn(4) { return }
        journal.note(call.title)
        let handles = try (0..<2).compactMap { _ in try handle(accessor, before) }
        keptHandles = Array(keptHandles.suffix(10)) + handles
        do {
            try call.make(accessor)
        } catch let error as DataStoreError {
            guard call.refusals.contains(error.code) else {
                throw journal.mismatch(
                    expected: call.refusals.isEmpty ? "success" : "\(call.refusals)", actual: "\(error)")
            }
            if call.dooms {
                doom = error.code
                if generator.oneIn(2) { throw error }
                return
            }
            return try compareHandles(before)
        }
        if !call.refusals.isEmpty {
            throw journal.mismatch(expected: "\(call.refusals)", actual: "success")
        }
        let links = try ties.all(accessor)
        var stored = CrossingModel.contents([:], links)
        stored.items = call.after.items
        try compare(stored.whole, call.after.whole, true, "links after the call")
        model.note(call.after, links, in: number, written: call.written, between: call.between)
        try compareHandles(call.after)
    }
}
