package import LarderKernel

/// The adapter of a child store: the parent's rows, and over them the rows that the child has staged.
///
/// It is two adapters side by side: the parent, entered through its own gate for the length of a block, and an
/// adapter in memory of the child's own, with the schema of ``StagingSchema``. Indexes, planning, savepoints
/// and snapshots of the staged rows are that adapter's.
package final class OverlayAdapter: StorageAdapter {
    let parent: StoreCoordinator
    private let makeStaging: @Sendable () -> any StorageAdapter
    private let state = Locked(State())
    // reason: set once, while the child is made, before any other thread knows it.
    /// The coordinator of the child, to be compared only.
    private nonisolated(unsafe) var child: ObjectIdentifier?
    // reason: as above.
    /// The coordinator of the child, which keeps the adapter.
    private nonisolated(unsafe) weak var coordinator: StoreCoordinator?

    private struct State {
        var schema: StagingSchema?
        var staging: (any StorageAdapter)?
        /// The number of memories of staged rows so far that were given up.
        var losses = 0
        /// The number of merges so far that have begun.
        var merges = 0
        /// The epoch of the parent that was begun last by a merge of this child, or by a refresh or change of it or of a store
        /// below it; see ``ParentPlace``.
        var epoch = 0
    }

    /// - Throws: `.unsupported` when the parent cannot make children.
    package init(over parent: StoreCoordinator) throws(DataStoreError) {
        guard let staging = parent.staging else {
            throw DataStoreError(
                .unsupported, "\(parent.name) makes no child stores.",
                advice: "Give its StoreCoordinator memory for them: staging: { MemoryAdapter() }.")
        }
        self.parent = parent
        makeStaging = staging
    }

    /// Makes the child's coordinator known, which distinguishes its blocks from the parent's blocks.
    func serve(_ child: StoreCoordinator) {
        self.child = ObjectIdentifier(child)
        coordinator = child
    }

    package var location: String { "child of \(parent.adapter.location)" }

    /// Each reader of the child takes a place among the parent's readers, which limits them.
    package var maximumReaders: Int { .max }

    package var isReadOnly: Bool { false }

    package func storedSchema() throws(DataStoreError) -> StoredSchema? { nil }

    /// - Parameter plan: Without effect: a child has the types of its parent, which has been brought to them.
    package func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try parent.requireOpen()
        let staging = state.withLock { state in
            // Also the schema of what was staged before the child was closed: its item types are its parent's.
            if state.schema == nil { state.schema = StagingSchema(of: schema, in: parent) }
            return state.staging.map { ($0, state.schema?.schema) }
        }
        if let (staging, schema) = staging, let schema { try staging.open(schema) }
    }

    package func close() throws(DataStoreError) {
        try state.withLock { $0.staging }?.close()
    }

    package func destroy() throws(DataStoreError) {
        giveUpStaged()
    }

    package func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? { nil }

    package func beginReading() throws(DataStoreError) -> any StorageReading {
        try beginReading(isCancellable: false)
    }

    package func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        try beginReading(isCancellable: true)
    }

    private func beginReading(isCancellable: Bool) throws(DataStoreError) -> OverlayReading {
        while true {
            let (losses, merges) = (losses, merges)
            let reading = try OverlayReading(
                self, staged: try beginReadingStaged(), after: losses, isCancellable: isCancellable)
            try reading.beginParent()
            if merges == self.merges { return reading }
            reading.end()
        }
    }

    package func beginWriting() throws(DataStoreError) -> any StorageWriting {
        let losses = losses
        return try OverlayWriting(self, staged: try stagingAdapter().beginWriting(), after: losses)
    }

    /// Staged rows are this process's alone, and observations of the child are observations of the parent too.
    package func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? { nil }
}

// MARK: For its transactions

extension OverlayAdapter {
    /// The schema of the staged rows; nil before the adapter is first open.
    var stagingSchema: StagingSchema? { state.withLock { $0.schema } }

    /// The number of memories of staged rows so far that were given up; asked for before these are read.
    var losses: Int { state.withLock { $0.losses } }

    /// The number of merges so far that have begun; asked for before the staged rows are read, and after the parent's.
    ///
    /// If it has changed, the parent may show a block of the child as a whole, of which the staged rows show what was there
    /// before in some rows.
    var merges: Int { state.withLock { $0.merges } }

    /// Notes that a merge begins, before it changes the parent.
    ///
    /// *Rule:* the caller has the writer's turn of the child.
    func noteMerge() { state.withLock { $0.merges += 1 } }

    private func giveUpStaged() {
        state.withLock { state in
            state.staging = nil
            state.losses += 1
        }
    }

    /// Begins to read what is staged; nil while the child has never written.
    func beginReadingStaged() throws(DataStoreError) -> (any StorageReading)? {
        try state.withLock { $0.staging }?.beginReading()
    }

    func enterParent(isCancellable: Bool) throws(DataStoreError) -> ParentPlace {
        // Asked for when the staged rows have begun: those that lack what was merged know of the merge.
        let epoch = state.withLock { $0.epoch }
        return try ParentPlace(in: parent, for: child, isCancellable: isCancellable, after: epoch)
    }

    /// Tells observations of the child that anything may have changed.
    func noteChange() { coordinator?.noteChange() }

    /// The adapter of the staged rows, opened when the child first writes.
    ///
    /// *Rule:* the caller has the writer's turn of the child.
    func stagingAdapter() throws(DataStoreError) -> any StorageAdapter {
        let (known, schema) = state.withLock { ($0.staging, $0.schema) }
        if let known { return known }
        guard let schema else { throw DataStoreError(.notSetUp, "The child store is not open.") }
        let staging = makeStaging()
        try staging.open(schema.schema)
        state.withLock { $0.staging = staging }
        return staging
    }

    /// Drops everything that is staged, as the parent has it now, or else the memory that it is in.
    ///
    /// *Rule:* the merge is committed; the caller has the turns of both writers.
    package func removeStaged() {
        takeNewSnapshots()
        do throws(DataStoreError) {
            try dropStaged()
        } catch {
            giveUpStaged()
        }
    }

    /// Lets blocks of the child share no snapshot that a block of the parent has begun before.
    private func takeNewSnapshots() {
        let epoch = parent.beginEpoch()
        // Two stores below this one may be refreshed at once.
        state.withLock { $0.epoch = max($0.epoch, epoch) }
    }

    /// Lets blocks of the child share no snapshot that a block of any ancestor has begun before.
    func takeNewSnapshotsToTheTop() {
        // The parent first: a block of it that is new enough for the child must not share an older one in turn.
        parent.overlay?.takeNewSnapshotsToTheTop()
        takeNewSnapshots()
    }

    /// Drops everything that is staged.
    ///
    /// *Rule:* the caller has the writer's turn of the child.
    func dropStaged() throws(DataStoreError) {
        let cells = CellBuffer(count: 1)
        try changeStaged { schema, _ in
            schema.schema.entities.indices.map { RowMutation(.deleteAll, entity: $0, cells: cells.start) }
        }
    }

    /// Brings touched items up to date with the parent; see ``ChildDataStore/refresh()``.
    ///
    /// *Rule:* the caller has the writer's turn of the child.
    func refreshStaged() throws(DataStoreError) {
        let arena = RowArena()
        try changeStaged { schema, staged throws(DataStoreError) in
            var place = try enterParent(isCancellable: false)
            defer { place.leave() }
            let changes = try RefreshRun(of: staged, schema, from: place.reading, in: arena).mutations()
            // They are newer than the snapshots that blocks of the ancestors share with the child's.
            if !changes.isEmpty { takeNewSnapshotsToTheTop() }
            return changes
        }
    }

    /// Changes the staged rows past the pipeline of blocks, all of them or none.
    ///
    /// - Parameter mutations: Finds the changes; not called while nothing was ever staged.
    private func changeStaged(
        by mutations: (StagingSchema, any StorageReading) throws(DataStoreError) -> [RowMutation]
    ) throws(DataStoreError) {
        let known = state.withLock { state in
            state.staging.flatMap { staging in state.schema.map { (staging, $0) } }
        }
        guard let (staging, schema) = known else { return }
        let writing = try staging.beginWriting()
        do throws(DataStoreError) {
            try writing.apply(try mutations(schema, writing))
            try writing.commit()
        } catch {
            writing.end()
            throw error
        }
    }
}
