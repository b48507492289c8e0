import Larder

/// A basket while it is edited: a child of the store, and over it one more child for each edit.
///
/// Each edit is staged in a child of the one before, so undo goes back to the child below and redo forward again.
final class Draft {
    private let store: any DataStore
    /// The child of the store, then for each edit a child of the child before.
    private var steps: [ChildDataStore]
    private var current = 0

    init(of store: any DataStore) throws {
        self.store = store
        steps = [try store.makeChildDataStore()]
    }

    /// The basket as edited.
    var contents: any DataStore { steps[current] }

    var canUndo: Bool { current > 0 }
    var canRedo: Bool { current + 1 < steps.count }

    /// The staged changes of each edit that is not undone.
    func changes() throws -> [StagedChanges] {
        try steps[...current].map { try $0.stagedChanges }.filter { !$0.isEmpty }
    }

    func make(_ edit: Edit) throws -> String {
        let step = try contents.makeChildDataStore()
        let text = try edit.make(in: step)
        try dropUndone()
        steps.append(step)
        current += 1
        return text
    }

    func undo() { current -= 1 }

    func redo() { current += 1 }

    /// Throws all edits away.
    func cancel() throws {
        // The other steps are its descendants, and end with it.
        try steps[0].discard()
        steps = [try store.makeChildDataStore()]
        current = 0
    }

    /// Stores the edits: merges each step into the one below, and the first one into the store.
    ///
    /// An edit reads everything that was not edited before from the store, so each of the merges may find that
    /// the store has changed meanwhile.
    ///
    /// - Returns: Nil if a question was left open; the edits stay in the draft then.
    func confirm(asking ask: (MergeConflict) -> MergeResolution?) throws -> MergeResult? {
        try dropUndone()
        while current > 0 {
            guard try merge(steps[current], into: steps[current - 1], asking: ask) != nil else { return nil }
            try steps[current].discard()
            steps.removeLast()
            current -= 1
        }
        return try merge(steps[0], into: store, asking: ask)
    }

    /// Merges until there are no conflicts left.
    ///
    /// The questions are asked between two attempts, so that no block waits for the user. An answer holds for
    /// the conflict as it was shown: if the store changes again meanwhile, it is another conflict.
    private func merge(
        _ child: ChildDataStore, into parent: any DataStore, asking ask: (MergeConflict) -> MergeResolution?
    ) throws -> MergeResult? {
        var answers: [MergeConflict: MergeResolution] = [:]
        while true {
            let known = answers
            do {
                return try parent.merge(child, policy: .resolve { known[$0] ?? .unsettled })
            } catch let error as DataStoreError where error.code == .mergeConflict {
                for conflict in error.conflicts {
                    guard let answer = ask(conflict) else { return nil }
                    answers[conflict] = answer
                }
            }
        }
    }

    private func dropUndone() throws {
        guard canRedo else { return }
        try steps[current + 1].discard()
        steps.removeSubrange((current + 1)...)
    }
}
