import Larder
import Testing

@testable import AdapterTestSupport

/// What goes wrong in a store: its process may die before or behind a commit, and rows may be spoilt.
final class CommitPlan: Sendable {
    /// What becomes of a mutation.
    enum Fate {
        case kept
        case lost
        case changed(cells: [Cell])
    }

    struct State {
        var commits = 0
        var failing: Int?
        var isStoredFirst = false
        var error = CommitPlan.error
    }

    let state = Locked(State())
    private let fate: @Sendable (RowMutation) -> Fate

    static let error = DataStoreError(.engine, "The process was killed.")

    /// The commits so far.
    var commits: Int { state.withLock { $0.commits } }

    /// Nothing fails, unless mutations meet another fate.
    init(fate: @escaping @Sendable (RowMutation) -> Fate = { _ in .kept }) {
        self.fate = fate
    }

    /// Fails at a commit, counted from 1, before anything of it is stored or after all of it is.
    convenience init(
        failingAt commit: Int, isStoredFirst: Bool, with error: DataStoreError = CommitPlan.error
    ) {
        self.init()
        state.withLock { state in
            state.failing = commit
            state.isStoredFirst = isStoredFirst
            state.error = error
        }
    }

    /// Applies a mutation as it is fated.
    fileprivate func apply(
        _ mutation: RowMutation, to writing: any StorageWriting
    ) throws(DataStoreError) -> Int {
        func apply(_ mutation: RowMutation) throws(DataStoreError) -> Int {
            try withUnsafePointer(to: mutation) { start throws(DataStoreError) in
                try writing.apply(UnsafeBufferPointer(start: start, count: 1)).count
            }
        }
        switch fate(mutation) {
        case .kept: return try apply(mutation)
        case .lost: return 1
        case .changed(let cells):
            return try cells.withUnsafeBufferPointer { cells throws(DataStoreError) in
                guard let start = cells.baseAddress else { return 0 }
                return try apply(RowMutation(mutation.kind, entity: mutation.entity, cells: start))
            }
        }
    }

    /// The same place, whose commits go as planned.
    func applied(to address: StoreAddress) -> StoreAddress {
        StoreAddress(
            engine: address.engine, location: address.location, fileSuffixes: address.fileSuffixes
        ) { _, access in FailingAdapter(address.adapter(for: access), self) }
    }
}

/// Runs what ends at the commit that a plan lets fail.
func expectDeath(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any) {
    let error = thrown(body)
    #expect(error?.message == CommitPlan.error.message, sourceLocation: sourceLocation)
}

/// An adapter whose commits go as planned.
private final class FailingAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let plan: CommitPlan

    init(_ adapter: any StorageAdapter, _ plan: CommitPlan) {
        wrappedAdapter = adapter
        self.plan = plan
    }

    func decorated(_ writing: any StorageWriting) -> any StorageWriting { FailingWriting(writing, plan) }
}

private final class FailingWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let plan: CommitPlan

    init(_ writing: any StorageWriting, _ plan: CommitPlan) {
        wrappedWriting = writing
        self.plan = plan
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        for mutation in mutations { touched.add(try plan.apply(mutation, to: wrappedWriting)) }
        return touched
    }

    func commit() throws(DataStoreError) {
        let (fails, isStoredFirst, error) = plan.state.withLock { state in
            state.commits += 1
            return (state.commits == state.failing, state.isStoredFirst, state.error)
        }
        if fails && !isStoredFirst {
            end()
            throw error
        }
        try wrappedWriting.commit()
        if fails { throw error }
    }
}
