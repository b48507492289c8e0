import Foundation
import Larder
import LarderConformance

/// A place of another engine, whose stores are used through a child.
///
/// When the child is closed it is merged into its parent, which is closed with it, so that a later store over
/// the place finds what the earlier ones have done.
struct ChildWorld: ConformanceMedium {
    private let parents: any ConformanceMedium
    /// The number of children, one in the other.
    private let depth: Int
    /// True if every other commit of the child is merged at once, so that half of what a case does is in the
    /// parent.
    private let mergesMidway: Bool

    init(over parents: any ConformanceMedium, depth: Int = 1, mergesMidway: Bool = false) {
        self.parents = parents
        self.depth = depth
        self.mergesMidway = mergesMidway
    }

    func makeStore(
        storing types: [any DataStoreItem.Type], options: DataStoreOptions
    ) throws -> any DataStore {
        var parentOptions = options
        // What the cases set up is about the child.
        parentOptions.maximumReaders = nil
        parentOptions.rules = []
        parentOptions.watch = nil
        var store = try parents.makeStore(storing: types, options: parentOptions)
        for level in 1...depth {
            let isLast = level == depth
            let overlay = try OverlayAdapter(over: store.coordinator)
            let adapter = ChildAdapter(overlay, over: store, mergesMidway: mergesMidway)
            let coordinator = StoreCoordinator(
                over: overlay, decorated: adapter, options: isLast ? options : parentOptions)
            adapter.serve(coordinator)
            store = ChildUnderTest(coordinator: coordinator)
        }
        return store
    }

    func cleanUp() throws { try parents.cleanUp() }
}

private final class ChildUnderTest: DataStore {
    let coordinator: StoreCoordinator

    init(coordinator: StoreCoordinator) {
        self.coordinator = coordinator
    }
}

/// Opens and closes the parent with its child.
private final class ChildAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let overlay: OverlayAdapter
    private let parent: any DataStore
    private let mergesMidway: Bool
    private let commits = Locked(0)
    private let child = Locked(Child())
    /// True while only the parent is open, for a case about the store that a tool fills.
    private let isParentAlone = Locked(false)

    init(_ overlay: OverlayAdapter, over parent: any DataStore, mergesMidway: Bool) {
        wrappedAdapter = overlay
        self.overlay = overlay
        self.parent = parent
        self.mergesMidway = mergesMidway
    }

    private struct Child {
        weak var coordinator: StoreCoordinator?
    }

    func serve(_ coordinator: StoreCoordinator) {
        child.withLock { $0.coordinator = coordinator }
    }

    var location: String { parent.coordinator.adapter.location }

    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        try parent.coordinator.adapter.storedSchema()
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        if schema.purpose != .app {
            try parent.coordinator.adapter.open(schema, by: plan)
            return isParentAlone.withLock { $0 = true }
        }
        try parent.setup()
        do {
            try overlay.open(schema)
        } catch {
            try parent.tearDown()
            throw error
        }
    }

    func close() throws(DataStoreError) {
        if isParentAlone.exchange(false) { return try parent.coordinator.adapter.close() }
        try merge()
        try overlay.close()
        try parent.tearDown()
    }

    func destroy() throws(DataStoreError) {
        try overlay.destroy()
        try parent.destroy()
    }

    func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
        mergesMidway ? MergingWriting(writing, in: self) : writing
    }

    /// Merges every other commit.
    fileprivate func noteCommit() throws(DataStoreError) {
        let isDue = commits.withLock { commits in
            commits += 1
            return commits % 2 == 0
        }
        if isDue { try merge() }
    }

    private func merge() throws(DataStoreError) {
        do {
            guard let child = child.withLock({ $0.coordinator }) else { return }
            try Merge.run(of: overlay, in: child)
        } catch let error as DataStoreError {
            throw error
        } catch {
            throw DataStoreError(.engine, "The merge has thrown \(error).")
        }
    }
}

private final class MergingWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let adapter: ChildAdapter

    init(_ writing: any StorageWriting, in adapter: ChildAdapter) {
        wrappedWriting = writing
        self.adapter = adapter
    }

    func commit() throws(DataStoreError) {
        try wrappedWriting.commit()
        try adapter.noteCommit()
    }
}
