import LarderKernel

/// An adapter that lets calls fail as planned, and records those that succeed.
final class TestAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    let folder: TemporaryFolder
    let faults = StoreFaults()
    let recorder = StoreRecorder()
    private let schema = Locked<StoreSchema?>(nil)

    init(_ adapter: any StorageAdapter, in folder: TemporaryFolder) {
        wrappedAdapter = adapter
        self.folder = folder
    }

    /// Counts a call before the engine gets it.
    ///
    /// - Throws: The error of a fault; the engine does not get the call then.
    func meet(_ call: EngineCall) throws(DataStoreError) {
        recorder.count(call)
        try faults.meet(call)
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try meet(.open)
        try wrappedAdapter.open(schema, by: plan)
        self.schema.withLock { $0 = schema }
    }

    func destroy() throws(DataStoreError) {
        try meet(.destroy)
        try wrappedAdapter.destroy()
    }

    func beginReading() throws(DataStoreError) -> any StorageReading {
        try meet(.beginReading)
        return TestReading(try wrappedAdapter.beginReading(), of: self, try openSchema())
    }

    func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        try meet(.beginReading)
        return TestReading(try wrappedAdapter.beginCancellableReading(), of: self, try openSchema())
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        try meet(.beginWriting)
        return TestWriting(try wrappedAdapter.beginWriting(), of: self, try openSchema())
    }

    private func openSchema() throws(DataStoreError) -> StoreSchema {
        guard let schema = schema.withLock({ $0 }) else {
            throw DataStoreError(.notSetUp, "The adapter is not open.", path: location)
        }
        return schema
    }
}

/// A read transaction of a ``TestAdapter``.
private class TestReading: ReadingDecorator {
    final let wrappedReading: any StorageReading
    final let adapter: TestAdapter
    final let schema: StoreSchema

    init(_ reading: any StorageReading, of adapter: TestAdapter, _ schema: StoreSchema) {
        wrappedReading = reading
        self.adapter = adapter
        self.schema = schema
    }

    /// Each transaction is a new one, so that it is counted.
    func beginAgain() -> Bool { false }

    func end() { wrappedReading.end() }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try adapter.meet(.lookUp)
        // Made before the call, after which the identifier's memory may be another's.
        let event = adapter.recorder.isRecording ? lookUp(of: identifier, entity) : nil
        let isFound = try wrappedReading.row(at: identifier, of: entity, into: cells)
        if let event { adapter.recorder.note(event) }
        return isFound
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try adapter.meet(.lookUp)
        let events = adapter.recorder.isRecording ? identifiers.compactMap { lookUp(of: $0, entity) } : []
        try wrappedReading.forEachRow(at: identifiers, of: entity, into: cells, body)
        for event in events { adapter.recorder.note(event) }
    }

    private func lookUp(of identifier: Cell, _ entity: Int) -> StoreRecording.Event? {
        let schema = schema.entities[entity]
        return AnyItemID(identifier, type: schema.attributes[0].type).map {
            .lookUp(itemType: schema.name, identifier: $0)
        }
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        try adapter.meet(.request)
        let cursor = try wrappedReading.rows(for: plan)
        adapter.recorder.note(.request(plan))
        return TestCursor(cursor, of: adapter)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try adapter.meet(.count)
        let count = try wrappedReading.count(for: plan)
        adapter.recorder.note(.count(plan))
        return count
    }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        // An engine that leaves them to the core is asked for the rows next.
        if try wrappedReading.explain(plan) == nil { return nil }
        try adapter.meet(.aggregate)
        guard let groups = try wrappedReading.groups(for: plan) else { return nil }
        adapter.recorder.note(.aggregate(plan))
        return groups
    }
}

/// The write transaction of a ``TestAdapter``.
private final class TestWriting: TestReading, WritingDecorator {
    let wrappedWriting: any StorageWriting
    private var hasChanges = false

    init(_ writing: any StorageWriting, of adapter: TestAdapter, _ schema: StoreSchema) {
        wrappedWriting = writing
        super.init(writing, of: adapter, schema)
    }

    override func end() {
        wrappedWriting.end()
        if hasChanges { adapter.recorder.note(.rollBack) }
        hasChanges = false
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        try adapter.meet(.apply)
        // Made before the call, as in `row`.
        let changes = adapter.recorder.isRecording ? mutations.map(change) : []
        let touched = try wrappedWriting.apply(mutations)
        if touched.count > 0 { hasChanges = true }
        for (position, change) in changes.enumerated() where touched[position] > 0 {
            adapter.recorder.note(.change(change))
        }
        return touched
    }

    private func change(_ mutation: RowMutation) -> StoreRecording.Change {
        let schema = schema.entities[mutation.entity]
        let hasIdentifier = mutation.kind != .deleteAll
        return StoreRecording.Change(
            kind: mutation.kind, itemType: schema.name,
            identifier: hasIdentifier ? AnyItemID(mutation.cells[0], type: schema.attributes[0].type) : nil,
            attributes: mutation.kind == .update
                ? mutation.columns.filter(schema.declaredAttributes.indices.contains)
                    .map { schema.attributes[$0].propertyName } : [])
    }

    func setSavepoint() throws(DataStoreError) {
        try adapter.meet(.setSavepoint)
        try wrappedWriting.setSavepoint()
    }

    func releaseSavepoint() throws(DataStoreError) {
        try adapter.meet(.releaseSavepoint)
        try wrappedWriting.releaseSavepoint()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        try adapter.meet(.rollBackToSavepoint)
        try wrappedWriting.rollBackToSavepoint()
    }

    /// A commit that fails has ended the transaction, as the seam asks.
    func commit() throws(DataStoreError) {
        do {
            try adapter.meet(.commit)
            try wrappedWriting.commit()
        } catch {
            end()
            throw error
        }
        hasChanges = false
        adapter.recorder.note(.commit)
    }
}

/// The rows of a request.
private final class TestCursor: RowCursor {
    private let wrapped: any RowCursor
    private let adapter: TestAdapter

    init(_ cursor: any RowCursor, of adapter: TestAdapter) {
        wrapped = cursor
        self.adapter = adapter
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        try adapter.meet(.nextRow)
        return try wrapped.next(into: cells)
    }

    func close() { wrapped.close() }
}
