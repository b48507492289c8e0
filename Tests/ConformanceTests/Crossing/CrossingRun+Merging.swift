import Larder
import LarderConformance

@testable import AdapterTestSupport

extension CrossingRun {
    func merge(_ number: Int, by chosen: Policy? = nil) throws {
        guard let child = stores.children[number], let parent = model.levels[number]?.parent else { return }
        let policy = chosen ?? Policy.any(&generator)
        let expected = model.merged(number, by: policy)
        let state = model.isCurrent(number) ? ", which has not changed" : ""
        journal.note("merge \(number) into \(parent), \(policy)\(state)")
        let preview = generator.oneIn(2) ? try self.preview(child, parent, policy, expected) : nil
        let staged = model.stagedCounts(number)
        do {
            let result = try store(parent).merge(child, policy: policy.policy)
            try compare(result.conflicts.count, 0, "conflicts of a merge")
            if let preview { try compare(preview, .merged(Outcome(result)), "preview") }
            if model.isCurrent(number) {
                try compare([result.inserted, result.updated, result.deleted], staged, "merged items")
            }
            try noteMerge(result, of: number, into: parent, expected, policy)
        } catch let error as DataStoreError where error.code == .mergeConflict {
            if let preview { try compare(preview, .conflicts(error.conflicts), "preview") }
            try compare(error, with: expected, policy)
        } catch let error as DataStoreError where error.code == .invalidValue {
            if let preview { try compare(preview, .refused, "preview") }
            try requireRefusal(error, by: policy, expected)
        }
        try compareAll()
    }

    /// A merge on another thread, while a block of this one reads the parent.
    ///
    /// The block keeps its snapshot, and one of the child inside it misses nothing of what was merged.
    func mergeBesideReader(_ number: Int) throws {
        guard let parent = model.levels[number]?.parent else { return }
        let earlier = model.contents(parent)
        // reason: this thread waits for the other one.
        nonisolated(unsafe) let run = self
        try store(parent).read { accessor in
            journal.note("block that reads \(parent)")
            try compareContents(parent, accessor)
            try sideBySide([{ try run.merge(number) }])
            try compareContents(parent, accessor, asOf: earlier)
            try store(number).read { try compareContents(number, $0) }
        }
    }

    private func preview(
        _ child: ChildDataStore, _ parent: Int, _ policy: Policy, _ expected: CrossingModel.Merged
    ) throws -> Ending {
        let ending: Ending
        do {
            let result = try store(parent).mergePreview(child, policy: policy.policy)
            ending = result.conflicts.isEmpty ? .merged(Outcome(result)) : .conflicts(result.conflicts)
        } catch let error as DataStoreError where error.code == .invalidValue {
            try requireRefusal(error, by: policy, expected)
            ending = .refused
        }
        try compareAll()
        return ending
    }

    /// Compares the conflicts of a merge with those that the model knows.
    private func compare(
        _ error: DataStoreError, with expected: CrossingModel.Merged, _ policy: Policy
    ) throws {
        if policy == .fail, expected.doubts.isEmpty {
            try compare(ofItems(error.conflicts), expected.ofItems, "conflicts of items")
            if expected.ofItems.isEmpty {
                try compare(error.conflicts.contains(where: \.isDenial), expected.isDenied, "denial")
            }
        }
        if error.conflicts.isEmpty || policy == .parentWins || expected.isRefused(by: policy)
            || expected.conflicts.isEmpty && expected.doubts.isEmpty
        {
            throw journal.mismatch(
                expected: "another end, as the model has \(expected.conflicts)", actual: "\(error)")
        }
    }

    /// Accepts the error of a value that the policy has given for a conflict which none can settle.
    private func requireRefusal(
        _ error: DataStoreError, by policy: Policy, _ expected: CrossingModel.Merged
    ) throws {
        if expected.mayBeRefused(by: policy) { return }
        throw journal.mismatch(
            expected: "no refused value, as the model has \(expected.conflicts)", actual: "\(error)")
    }

    /// The conflicts that are about one item by itself.
    private func ofItems(_ conflicts: [MergeConflict]) -> Set<String> {
        Set(
            conflicts.compactMap { conflict in
                switch conflict.kind {
                case .changedOnBothSides, .deletedInParent, .deletedInChild:
                    "\(conflict.itemType.lowercased()) \(conflict.identifier) \(conflict.kind)"
                case .notUnique, .targetNotFound, .deletionDenied: nil
                }
            })
    }

    /// Compares the parent after a merge with what the model knows of it, and takes over the rest.
    private func noteMerge(
        _ result: MergeResult, of number: Int, into parent: Int, _ expected: CrossingModel.Merged,
        _ policy: Policy
    ) throws {
        let known = expected.doubts.isEmpty
        if known, expected.conflicts.isEmpty != result.settled.isEmpty {
            throw journal.mismatch(
                expected: "settled because of \(expected.conflicts)", actual: "\(result.settled)")
        }
        if policy == .fail && known && !expected.conflicts.isEmpty || expected.isRefused(by: policy) {
            throw journal.mismatch(expected: "\(expected.conflicts)", actual: "a merge")
        }
        let wasCurrent = model.isCurrent(number)
        let (contents, links) = try store(parent).read { accessor in
            (try self.contents(accessor), try ties.all(accessor))
        }
        let stored = CrossingModel.contents([:], links)
        var after = contents
        (after.pairs, after.lists) = (stored.pairs, stored.lists)
        if known, expected.isOfItems {
            try compare(ofItems(result.settled), expected.ofItems, "settled conflicts")
            try compare(
                after.whole, expected.contents.whole, wasCurrent, "parent after a merge")
        }
        try requireLimits(result, of: number, into: parent, after, policy)
        model.note(after, links, in: parent)
        model.removeStaged(number)
        if parent == 0 { try checkWhole(0) } else { try checkCommit(parent) }
    }
}

extension CrossingRun {
    /// Requires that a merge has changed nothing that no rule of merges explains, and that it tells what it has
    /// changed.
    private func requireLimits(
        _ result: MergeResult, of number: Int, into parent: Int, _ after: Contents, _ policy: Policy
    ) throws {
        guard let level = model.levels[number] else { return }
        let limits = MergeLimits(
            before: model.contents(parent), after: after, child: model.contents(number), level, policy)
        let breaches = limits.breaches()
        try compare(
            breaches, [], "what a merge has changed without a reason, having settled \(result.settled)")
        guard let counts = limits.counts() else { return }
        try compare([result.inserted, result.updated, result.deleted], counts, "what a merge tells")
    }
}

extension MergeConflict {
    fileprivate var isDenial: Bool { if case .deletionDenied = kind { true } else { false } }
}

/// The end of a merge, or of a preview of one.
private enum Ending: Equatable {
    case merged(Outcome)
    case unmerged([String])
    /// The policy has given a value that a conflict cannot take.
    case refused

    static func conflicts(_ conflicts: [MergeConflict]) -> Ending {
        .unmerged(conflicts.map(\.description))
    }
}

/// What a merge tells.
private struct Outcome: Equatable {
    let counts: [Int]
    let settled: [String]

    init(_ result: MergeResult) {
        counts = [result.inserted, result.updated, result.deleted]
        settled = result.settled.map(\.description)
    }
}
