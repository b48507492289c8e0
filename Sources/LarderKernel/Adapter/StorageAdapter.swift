/// The code that keeps rows in one engine; the whole of what an engine must be able to do.
///
/// A ``StoreCoordinator`` drives it: the adapter never sees items, handles, blocks or rules, only rows of
/// cells and plans. Everything that all engines share (identity, uniqueness, change sets, queues,
/// re-entrance) is decided above it. An adapter guarantees:
///
/// - *Snapshots.* A read transaction sees the state of the last commit before it began, and nothing later.
/// - *One writer.* The coordinator begins at most one write transaction at a time; an adapter whose file
///   other processes may write waits for them up to its own timeout and throws `.busy`.
/// - *All or nothing.* After a successful `commit()` everything is kept, as durably as the adapter was asked
///   to; after `end()`, a failed `commit()` or a killed process, nothing is.
/// - *The same answers.* Filters, order and window mean what ``RowPredicate/matches(_:of:)`` and
///   ``RequestPlan/precedes(_:_:)`` say, to the last row.
///
/// *Rule:* `open`, `close` and `destroy` are called one at a time and never while a transaction is open. A
/// read transaction is used by one thread at a time; a write transaction begins, works and ends on one
/// thread. No requirement has a default, so that an ``AdapterDecorator`` cannot miss one.
public protocol StorageAdapter: AnyObject, Sendable {
    /// The place of the data, for errors and logs: a path, or `"memory"`.
    var location: String { get }

    /// The number of read transactions the store's blocks may have open at once; further ones wait.
    ///
    /// `.max` sets no limit. *Rule:* the same from `open` to `close`. Tools may read beside them.
    var maximumReaders: Int { get }

    /// True if the app has asked to open the store read-only; such a store is not destroyed.
    var isReadOnly: Bool { get }

    /// The description that the store keeps of itself, read without opening it; nil if no store exists.
    ///
    /// Nothing is created or changed, but what a killed process has moved may be put back. A store that holds
    /// nothing yet is ``StoredSchema/empty``. *Rule:* not while the adapter is open.
    ///
    /// - Throws: The reason why the store cannot be read.
    func storedSchema() throws(DataStoreError) -> StoredSchema?

    /// Opens the store, creates it if it does not exist, and brings it to the schema by
    /// `SchemaMigration`, in one transaction.
    ///
    /// - Parameter plan: The steps between the versions of the app, for `SchemaMigration`; nil if only
    ///   small changes are made.
    /// - Throws: The reason why it cannot be opened. Nothing was deleted, replaced or repaired then.
    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError)

    /// Closes the store and keeps the data.
    func close() throws(DataStoreError)

    /// Deletes the store and all that belongs to it, whether it was open or not.
    ///
    /// - Throws: `.readOnly`, with nothing deleted, when the store is only read.
    func destroy() throws(DataStoreError)

    /// Moves the store and all that belongs to it to a place of its own, whatever its state, and returns where it
    /// is now; nil if the adapter keeps nothing outside the process, or nothing was moved.
    ///
    /// Nothing is lost if it throws. *Rule:* not while the adapter is open.
    ///
    /// - Parameter isNeeded: Called first, while other processes that do the same wait; may open the adapter, and
    ///   returns false then.
    /// - Throws: `.readOnly` when the store is only read; rethrows errors of `isNeeded`.
    func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String?

    /// Begins a read transaction on the last committed state.
    func beginReading() throws(DataStoreError) -> any StorageReading

    /// Begins a read transaction whose requests throw `.cancelled` soon after their task is cancelled, even
    /// while the engine passes over rows that a filter refuses.
    ///
    /// Tools read so; the `read` blocks of apps never do (contract rule 2). An adapter that cannot stop a
    /// request returns a plain read transaction, whose requests run to their end.
    func beginCancellableReading() throws(DataStoreError) -> any StorageReading

    /// Begins the write transaction.
    func beginWriting() throws(DataStoreError) -> any StorageWriting

    /// Calls a body soon after each commit of another process, until the watch is ended; nil if no other process can commit.
    ///
    /// A commit that could not be read when this was called is not missed. One call may stand for several commits,
    /// and one may come in vain; the store's own commits bring none. *Rule:* called while the adapter is open, and ended
    /// before it is closed. The body is short and may be called on any thread.
    ///
    /// - Throws: The reason why the files cannot be watched; the store then works without a watch.
    func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)?
}

/// A watch for the commits of other processes; see ``StorageAdapter/watchOtherWriters(_:)``.
public protocol StorageWatch: AnyObject, Sendable {
    /// Ends the watch: its body is not running any more when this returns, and is not called again.
    func end()
}

extension StorageAdapter {
    /// Opens the store as ``open(_:by:)`` does, by small changes alone.
    public func open(_ schema: StoreSchema) throws(DataStoreError) { try open(schema, by: nil) }
}

/// One snapshot of the store.
public protocol StorageReading: AnyObject {
    /// Fills the cells with the row of this identifier, one for each attribute; false if there is none.
    ///
    /// *Rule:* the cells are valid until the next call on the transaction.
    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool

    /// Calls the body for each identifier that has a row, in the order of the list, with its position; the cells
    /// hold the row then.
    ///
    /// One call for all: an engine that is reached over a network asks for them at once. The core passes at most
    /// 1,000 identifiers, in no particular order, and one may be in the list twice. An engine in the same process may
    /// use ``lookUpEachRow(at:of:into:_:)``.
    ///
    /// *Rule:* the cells are valid during the body, which makes no call on the transaction; its error ends the call.
    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError)

    /// True if the engine answers this plan by itself, though it tests or sorts by other items, or by folded text.
    ///
    /// If it returns false, the core finds the other items by plans of their own and replaces what is
    /// about them. Asked only for such plans; all others are for the engine alone.
    func runsWhole(_ plan: RequestPlan) -> Bool

    /// The rows of a plan, in its order. Any number of cursors may be open side by side.
    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor

    /// The number of rows that ``rows(for:)`` would give.
    func count(for plan: RequestPlan) throws(DataStoreError) -> Int

    /// The groups of a plan, each once and in any order, or nil if the engine leaves them to the core, which
    /// then reads the rows.
    ///
    /// An engine answers if it is faster and the answer is the same to the last bit, errors included: what
    /// ``Aggregate`` says of each function. A plan without keys has exactly one group. A plan whose rows are
    /// tested or sorted by other items is given only to an engine that ``runsWhole(_:)``.
    ///
    /// - Throws: `.overflow`; rethrows errors from the engine.
    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows?

    /// The steps by which the plan would be run, one line each: which index, which scan, which sort.
    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String]

    /// The steps by which ``groups(for:)`` would answer, or nil if it would not.
    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]?

    /// Ends the transaction; for a write transaction, without committing.
    ///
    /// *Rule:* releases the engine's resources; the object itself may be kept until the store closes.
    func end()

    /// Restarts this ended transaction on the latest committed state and reuses its allocations; returns
    /// false if the caller should begin a new one.
    ///
    /// It saves short blocks some allocations; an adapter may always return false. *Rule:* only called once the transaction
    /// has ended, and while the adapter has stayed open; for a write transaction, while no other is open.
    func beginAgain() throws(DataStoreError) -> Bool
}

extension StorageReading {
    /// Answers ``forEachRow(at:of:into:_:)`` by ``row(at:of:into:)``, for engines in which a call costs next to nothing.
    public func lookUpEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        for position in identifiers.indices
        where try row(at: identifiers[position], of: entity, into: cells) {
            try body(position)
        }
    }

    /// True if an entity has rows that pass a predicate.
    package func hasRows(
        _ entity: Int, _ schema: EntitySchema, where predicate: RowPredicate = .always(true)
    ) throws(DataStoreError) -> Bool {
        try count(
            for: RequestPlan(
                entity: entity, schema: schema, columns: .some([0]), predicate: predicate, limit: 1)) > 0
    }
}

/// The write transaction: reads see what it has written itself.
public protocol StorageWriting: StorageReading {
    /// Applies mutations in their order.
    ///
    /// A single mutation is applied whole or not at all; no savepoint is set for it. When one of several fails, those before
    /// it stay applied, and the coordinator goes back to a savepoint it has set, or ends the transaction.
    ///
    /// - Returns: The rows that each mutation has touched: one for an insert; one, or none if the row does
    ///   not exist, for an update and a delete; the number of rows for `deleteAll`.
    /// - Throws: `.duplicateIdentifier` for an insert whose identifier is taken; `.invalidValue` for a value that the
    ///   adapter itself refuses; rethrows errors from the engine. The row is not touched by the first two.
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows

    /// The transaction itself, if it can test a condition while it inserts a row; nil if the core reads other rows first.
    ///
    /// For an engine on a network: each of these requests would be a journey.
    var conditionalInserting: (any ConditionalInserting)? { get }

    /// Marks the present state, to which ``rollBackToSavepoint()`` can return; savepoints nest.
    func setSavepoint() throws(DataStoreError)

    /// Forgets the innermost savepoint and keeps what was done since.
    func releaseSavepoint() throws(DataStoreError)

    /// Undoes what was done since the innermost savepoint and forgets it.
    func rollBackToSavepoint() throws(DataStoreError)

    /// Makes everything permanent and ends the transaction. If it throws, nothing was kept, unless `.commitUncertain`.
    func commit() throws(DataStoreError)
}

/// A write transaction that inserts a row on a condition, in one call of the engine.
public protocol ConditionalInserting: AnyObject {
    /// Inserts a row if a condition holds and no row has its identifier.
    ///
    /// - Returns: False, with nothing changed, if not; the core then finds the reason, or makes room for the row.
    /// - Throws: As ``StorageWriting/apply(_:)``, but not `.duplicateIdentifier`.
    func insert(_ row: RowMutation, if condition: InsertCondition) throws(DataStoreError) -> Bool
}

extension StorageWriting {
    /// Applies a list of mutations in their order.
    @discardableResult
    package func apply(_ mutations: [RowMutation]) throws(DataStoreError) -> TouchedRows {
        try mutations.withUnsafeBufferPointer { list throws(DataStoreError) in try apply(list) }
    }

    /// Applies one mutation.
    @discardableResult
    package func apply(_ mutation: RowMutation) throws(DataStoreError) -> TouchedRows {
        try withUnsafePointer(to: mutation) { mutation throws(DataStoreError) in
            try apply(UnsafeBufferPointer(start: mutation, count: 1))
        }
    }
}

/// Rows one after the other.
public protocol RowCursor: AnyObject {
    /// Fills the cells with the next row, in the order of the plan's columns; false when there is none.
    ///
    /// *Rule:* the cells are valid until the next call on this cursor or the next mutation of its
    /// transaction, of whatever entity.
    ///
    /// - Throws: Rethrows errors from the engine. An error that names an item is about its row alone: the
    ///   next call gives the row after it.
    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool

    /// Ends the reading early or after the last row; may be called twice, with no other request between.
    func close()
}
