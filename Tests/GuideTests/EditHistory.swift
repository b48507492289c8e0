import Larder

/// The edits of a screen, each of which can be undone and redone.
///
/// For one thread or actor at a time.
final class EditHistory {
    private let store: any DataStore
    /// Each step is a child of the step before it; the first is a child of the store.
    private var steps: [ChildDataStore] = []
    /// The steps that were undone, the last one first.
    private var undone: [ChildDataStore] = []

    init(of store: any DataStore) { self.store = store }

    /// The store that shows all steps which are not undone.
    var current: any DataStore { steps.last ?? store }

    func edit(_ body: (DataStoreReadWriteAccessor) throws -> Void) throws {
        let step = try current.makeChildDataStore()
        try step.writeSync(body)
        guard step.hasChanges else { return }
        steps.append(step)
        undone = []
    }

    func undo() {
        if let step = steps.popLast() { undone.append(step) }
    }

    func redo() {
        if let step = undone.popLast() { steps.append(step) }
    }

    /// Ends all steps; their changes are lost.
    func cancel() throws {
        try steps.first?.discard()
        (steps, undone) = ([], [])
    }

    /// Merges each step into the one before it, and the first into the store.
    func confirm(policy: MergePolicy = .fail) throws {
        undone = []
        while let top = steps.last {
            let below: any DataStore = steps.count > 1 ? steps[steps.count - 2] : store
            try below.merge(top, policy: policy)
            steps.removeLast()
        }
    }
}
