/// An adapter over another one, which forwards everything it does not change.
///
///     /// Prints a line for each write transaction of an adapter.
///     final class PrintingAdapter: AdapterDecorator {
///         let wrappedAdapter: any StorageAdapter
///
///         init(_ adapter: any StorageAdapter) { wrappedAdapter = adapter }
///
///         func beginWriting() throws(DataStoreError) -> any StorageWriting {
///             print("A write transaction begins.")
///             return try wrappedAdapter.beginWriting()
///         }
///     }
///
/// To change what a transaction does, return a ``ReadingDecorator`` or a ``WritingDecorator`` from
/// `decorated`.
public protocol AdapterDecorator: StorageAdapter {
    /// The adapter that calls are forwarded to.
    var wrappedAdapter: any StorageAdapter { get }

    /// The read transaction for the coordinator or a tool; by default the wrapped adapter's own.
    func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading

    /// The write transaction for the coordinator; by default the wrapped adapter's own.
    func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting
}

extension StoreCoordinator {
    /// A store of the same item types and options as another, over a decorator of its adapter; not yet open.
    ///
    ///     let made = SQLiteDataStore(at: url, storing: [Recipe.self]).coordinator
    ///     let printing = PrintingAdapter(made.adapter)
    ///     let coordinator = StoreCoordinator(decorating: made, by: printing)
    ///
    /// *Rule:* the other store is neither set up nor used itself, as both would open the same adapter.
    public convenience init(decorating other: StoreCoordinator, by decorator: any AdapterDecorator) {
        self.init(
            adapter: decorator, storing: other.itemTypes, options: other.options, staging: other.staging)
    }
}

// No requirement of the seam has a default, so a new one does not compile until it is forwarded here.

extension AdapterDecorator {
    public func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading {
        reading
    }

    public func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
        writing
    }

    public var location: String { wrappedAdapter.location }

    public var maximumReaders: Int { wrappedAdapter.maximumReaders }

    public var isReadOnly: Bool { wrappedAdapter.isReadOnly }

    public func storedSchema() throws(DataStoreError) -> StoredSchema? { try wrappedAdapter.storedSchema() }

    public func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try wrappedAdapter.open(schema, by: plan)
    }

    public func close() throws(DataStoreError) { try wrappedAdapter.close() }

    public func destroy() throws(DataStoreError) { try wrappedAdapter.destroy() }

    public func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? {
        try wrappedAdapter.setAside(if: isNeeded)
    }

    public func beginReading() throws(DataStoreError) -> any StorageReading {
        try decorated(try wrappedAdapter.beginReading())
    }

    public func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        try decorated(try wrappedAdapter.beginCancellableReading())
    }

    public func beginWriting() throws(DataStoreError) -> any StorageWriting {
        try decorated(try wrappedAdapter.beginWriting())
    }

    public func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        try wrappedAdapter.watchOtherWriters(body)
    }
}

/// A read transaction over another one, which forwards everything it does not change.
///
/// *Rule:* a decorator with a state of its own resets it in `beginAgain`, or returns false there.
public protocol ReadingDecorator: StorageReading {
    /// The transaction that calls are forwarded to.
    var wrappedReading: any StorageReading { get }
}

extension ReadingDecorator {
    public func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try wrappedReading.row(at: identifier, of: entity, into: cells)
    }

    public func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try wrappedReading.forEachRow(at: identifiers, of: entity, into: cells, body)
    }

    public func runsWhole(_ plan: RequestPlan) -> Bool { wrappedReading.runsWhole(plan) }

    public func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        try wrappedReading.rows(for: plan)
    }

    public func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try wrappedReading.count(for: plan)
    }

    public func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        try wrappedReading.groups(for: plan)
    }

    public func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        try wrappedReading.explain(plan)
    }

    public func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        try wrappedReading.explain(plan)
    }

    public func end() { wrappedReading.end() }

    public func beginAgain() throws(DataStoreError) -> Bool { try wrappedReading.beginAgain() }
}

/// A write transaction over another one, which forwards everything it does not change.
///
/// *Rule:* as ``ReadingDecorator``.
public protocol WritingDecorator: ReadingDecorator, StorageWriting {
    /// The transaction that calls are forwarded to; reads too, unless `wrappedReading` is another.
    var wrappedWriting: any StorageWriting { get }
}

extension WritingDecorator {
    public var wrappedReading: any StorageReading { wrappedWriting }

    public func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        try wrappedWriting.apply(mutations)
    }

    /// Nil, so that each row comes by ``StorageWriting/apply(_:)``, which the decorator may change.
    public var conditionalInserting: (any ConditionalInserting)? { nil }

    public func setSavepoint() throws(DataStoreError) { try wrappedWriting.setSavepoint() }

    public func releaseSavepoint() throws(DataStoreError) { try wrappedWriting.releaseSavepoint() }

    public func rollBackToSavepoint() throws(DataStoreError) { try wrappedWriting.rollBackToSavepoint() }

    public func commit() throws(DataStoreError) { try wrappedWriting.commit() }
}
