public import LarderKernel

/// An engine that keeps ordered keys and values in tables; ``KeyValueAdapter`` makes a store of it.
///
/// An engine knows nothing of items, columns or indexes. It guarantees:
///
/// - *Order.* Keys are compared as their table's ``KeyKind`` says, never by content of another kind.
/// - *Snapshots.* A snapshot sees the last commit before it began, and nothing later. Writers do not wait for
///   snapshots, nor snapshots for the writer.
/// - *One writer.* At most one transaction is begun at a time in this process; an engine that shares its
///   file waits for other processes up to its own timeout and throws `.busy`.
/// - *All or nothing.* After `commit()` everything is kept; after `end()`, a failed `commit()` or a killed
///   process, nothing is.
///
/// Keys have 1 to 511 bytes, values any number up to 512 MiB. *Rule:* `open`, `close` and `destroy` are
/// called one at a time and never while a snapshot or transaction lives.
public protocol OrderedKeyValueEngine: AnyObject, Sendable {
    /// The location of the data, for errors and logs: a path, or `"memory"`.
    var location: String { get }

    /// The number of snapshots that the store's blocks may have open at once; further blocks wait.
    ///
    /// Optional; the default sets no limit.
    var maximumReaders: Int { get }

    /// True if the app opens the store read-only; false by default.
    var isReadOnly: Bool { get }

    /// True if a store exists; nothing is created or changed.
    func isStored() throws(DataStoreError) -> Bool

    /// Opens what is stored, or makes an empty store if there is none.
    ///
    /// - Throws: The reason why it cannot be opened; nothing was deleted, replaced or repaired then.
    func open() throws(DataStoreError)

    /// Opens the store like ``open()``, with room for more tables than the app's own types need.
    ///
    /// Optional; the default has no limit of tables, makes empty stores, and calls ``open()``.
    ///
    /// - Parameters:
    ///   - schema: The app's types. A new store that begins with a copy of another must have a way to them.
    ///   - count: The number of tables that schema steps make for a while.
    func open(
        for schema: StoreSchema?, by plan: MigrationPlan?, addingTables count: Int
    ) throws(DataStoreError)

    /// Makes ready for a change of the stored schema that is found to be due: checks that there is room for it, or
    /// makes it in a copy that takes the store's place, if the plan asks for that.
    ///
    /// Optional; the default does nothing and returns false. *Rule:* the store is not open.
    ///
    /// - Returns: True if the change was made.
    func prepareUpgrade(to schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) -> Bool

    /// Closes the store and keeps the data; does nothing when it is not open.
    func close() throws(DataStoreError)

    /// Closes a store that was opened and then refused, and removes the files that the opening has left
    /// beside it, so that nothing has changed. If an engine leaves none, it only closes the store.
    func closeRefused() throws(DataStoreError)

    /// Deletes the store and all that belongs to it, whether it is open or not.
    func destroy() throws(DataStoreError)

    /// Moves the store to a place of its own; see `StorageAdapter.setAside(if:)`. By default, returns nil.
    func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String?

    /// Begins a snapshot of the last committed state.
    func beginReading() throws(DataStoreError) -> any KeyValueSnapshot

    /// Begins the write transaction.
    func beginWriting() throws(DataStoreError) -> any KeyValueTransaction

    /// Calls a body soon after each commit of another process, as ``StorageAdapter/watchOtherWriters(_:)`` says.
    ///
    /// Optional; the default returns nil, for an engine whose data no other process can write to.
    func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)?
}

extension OrderedKeyValueEngine {
    public var maximumReaders: Int { .max }

    public var isReadOnly: Bool { false }

    public func open(
        for schema: StoreSchema?, by plan: MigrationPlan?, addingTables count: Int
    ) throws(DataStoreError) { try open() }

    public func prepareUpgrade(
        to schema: StoreSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) -> Bool { false }

    public func closeRefused() throws(DataStoreError) { try close() }

    public func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? { nil }

    public func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? { nil }
}

/// One state of all tables, read by one thread at a time.
///
/// *Rule:* pointers to keys and values are valid until the snapshot ends; in a transaction, until its next
/// change of any table or of its savepoints, or its end.
public protocol KeyValueSnapshot: AnyObject {
    /// The number of the last commit before the snapshot began, whichever process made it: two snapshots with
    /// the same number saw the same state when they began.
    var commitNumber: UInt64 { get }

    /// The table of this name, or nil when there is none. Names have 1 to 40 bytes of ASCII.
    ///
    /// *Rule:* one opened here may be used until the engine closes, unless it is removed.
    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable?

    /// The value under a key, or nil.
    func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer?

    /// The number of entries; O(1).
    func count(of table: KeyValueTable) throws(DataStoreError) -> Int

    /// A cursor, which stands nowhere yet. Any number may be open.
    func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor

    /// Ends the snapshot; a transaction, without keeping anything. May be called twice, and after `commit()`.
    func end()

    /// Restarts this ended transaction on the latest committed state, reusing its allocations; returns false
    /// if the caller should begin a new one.
    ///
    /// Optional; the default returns false. *Rule:* only called after the end, and while the engine has
    /// stayed open; for a transaction, while no other is open.
    func beginAgain() throws(DataStoreError) -> Bool
}

extension KeyValueSnapshot {
    public func beginAgain() throws(DataStoreError) -> Bool { false }
}

/// The write transaction: reads see what it has written.
///
/// *Rule:* it begins, works and ends on one thread.
public protocol KeyValueTransaction: KeyValueSnapshot {
    /// The table of this name, made if there is none.
    ///
    /// *Rule:* one that is made may be used by others once the transaction has committed.
    func makeTable(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable

    /// Removes a table with all its entries.
    func removeTable(_ table: KeyValueTable) throws(DataStoreError)

    /// Keeps a value under a key.
    ///
    /// - Parameter overwrites: True to replace the value of an existing key; false to keep it.
    /// - Returns: True if the value was stored.
    func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        overwrites: Bool
    ) throws(DataStoreError) -> Bool

    /// True if the keys of several entries begin with these bytes.
    ///
    /// It is asked for each entry of a unique index, right after its ``put(_:at:in:overwrites:)``. Optional; an override
    /// saves a cursor and a search for each.
    func hasSeveral(
        beginningWith start: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> Bool

    /// Deletes the entry of a key and returns whether there was one.
    func delete(_ key: UnsafeRawBufferPointer, in table: KeyValueTable) throws(DataStoreError) -> Bool

    /// Deletes all entries of a table.
    func clear(_ table: KeyValueTable) throws(DataStoreError)

    /// Marks the present state, to which ``rollBackToSavepoint()`` can return; savepoints nest.
    func setSavepoint() throws(DataStoreError)

    /// Forgets the innermost savepoint and keeps what was done since.
    func releaseSavepoint() throws(DataStoreError)

    /// Undoes what was done since the innermost savepoint and forgets it.
    func rollBackToSavepoint() throws(DataStoreError)

    /// Makes everything permanent and ends the transaction. When it throws, nothing was kept.
    func commit() throws(DataStoreError)
}

extension KeyValueTransaction {
    public func hasSeveral(
        beginningWith start: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> Bool {
        // A new one, as a cursor need not see what was written after it was made.
        let cursor = try cursor(over: table)
        defer { cursor.close() }
        var entry = KeyValueEntry()
        guard try cursor.seek(start, &entry), entry.key.begins(with: start) else { return false }
        guard try cursor.next(&entry) else { return false }
        return entry.key.begins(with: start)
    }
}

/// A place in a table.
///
/// Each move gives the entry found there, and false if there is none.
///
/// *Rule:* in a transaction, a cursor keeps its place while other tables are changed and savepoints come and
/// go; after a change of its own table, or a move that found nothing, it must be placed again by `first`,
/// `last` or `seek`. It need not see that change: make a new cursor for what was written since.
public protocol KeyValueCursor: AnyObject {
    /// Goes to the first entry.
    func first(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool

    /// Goes to the last entry.
    func last(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool

    /// Goes to the first entry whose key is not before this one.
    func seek(_ key: UnsafeRawBufferPointer, _ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool

    /// Goes to the entry after the present one.
    func next(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool

    /// Goes to the entry before the present one.
    func previous(_ entry: inout KeyValueEntry) throws(DataStoreError) -> Bool

    /// Gives the entries next to the present one, as many as there is room for, and returns how many there
    /// were.
    ///
    /// If it returns fewer, place the cursor again before using it. Optional; an override saves a call for
    /// each entry of a scan.
    func next(
        _ entries: UnsafeMutableBufferPointer<KeyValueEntry>, isAscending: Bool
    ) throws(DataStoreError) -> Int

    /// Passes over entries next to the present one, up to a number of them and as far as the limit allows,
    /// and returns how many there were.
    ///
    /// If it returns fewer, place the cursor again before using it. Optional; an override saves a call for
    /// each entry that is counted or skipped.
    func pass(_ count: Int, within limit: KeyLimit) throws(DataStoreError) -> Int

    /// Releases everything the cursor holds; may be called twice.
    func close()
}

extension KeyValueCursor {
    @inlinable
    public func next(
        _ entries: UnsafeMutableBufferPointer<KeyValueEntry>, isAscending: Bool
    ) throws(DataStoreError) -> Int {
        var count = 0
        while count < entries.count, try isAscending ? next(&entries[count]) : previous(&entries[count]) {
            count += 1
        }
        return count
    }

    @inlinable
    public func pass(_ count: Int, within limit: KeyLimit) throws(DataStoreError) -> Int {
        var entry = KeyValueEntry()
        var passed = 0
        while passed < count {
            guard try limit.isAscending ? next(&entry) : previous(&entry), limit.allows(entry.key) else {
                break
            }
            passed += 1
        }
        return passed
    }
}
