import CLMDB
import LarderKernel
import LarderKeyValue

/// The common part of reading in a snapshot and in the write transaction.
class LMDBReading {
    final let store: LMDBStore
    final let environment: LMDBEnvironment
    /// The transaction that reads, of a write transaction the innermost one; nil once it has ended.
    // Unchecked, here and below, as CONTRIBUTING says of what one thread uses at a time.
    @exclusivity(unchecked) final var transaction: OpaquePointer?
    /// The cursors that are open, to be closed before the transaction ends.
    @exclusivity(unchecked) private final var cursors: [LMDBCursor] = []

    init(_ transaction: OpaquePointer, of store: LMDBStore) {
        self.store = store
        environment = store.environment
        self.transaction = transaction
    }

    /// The transaction to read in.
    ///
    /// - Throws: `.closed` when it has ended; `.usedAfterFork`, as its pages are used again when the other process ends it.
    final func current() throws(DataStoreError) -> OpaquePointer {
        guard let transaction else { throw ended }
        try store.requireSameProcess()
        return transaction
    }

    final func value(
        at key: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> UnsafeRawBufferPointer? {
        let transaction = try current()
        var key = MDB_val(key)
        var value = MDB_val()
        let code = mdb_get(transaction, table.handle, &key, &value)
        if code == 0 { return value.bytes }
        // No key is that long, or empty.
        if code == MDB_NOTFOUND || code == MDB_BAD_VALSIZE { return nil }
        throw failure(code)
    }

    final func count(of table: KeyValueTable) throws(DataStoreError) -> Int {
        let transaction = try current()
        var statistics = MDB_stat()
        let code = mdb_stat(transaction, table.handle, &statistics)
        if code != 0 { throw failure(code) }
        return statistics.ms_entries
    }

    final func cursor(over table: KeyValueTable) throws(DataStoreError) -> any KeyValueCursor {
        let cursor = LMDBCursor(over: table, in: self)
        try cursor.open()
        cursors.append(cursor)
        return cursor
    }

    /// Forgets a cursor that has closed.
    final func remove(_ cursor: LMDBCursor) {
        if let position = cursors.lastIndex(where: { $0 === cursor }) { cursors.remove(at: position) }
    }

    /// Closes the cursors; they can be opened again where they stand.
    final func suspendCursors() {
        for cursor in cursors { cursor.suspend() }
    }

    /// Closes the cursors for good.
    final func closeCursors() {
        if cursors.isEmpty { return }
        for cursor in cursors { cursor.closeHandle() }
        cursors.removeAll()
    }

    final func failure(_ code: Int32) -> DataStoreError {
        LMDBFailure(code).error(path: environment.path)
    }

    final var ended: DataStoreError {
        DataStoreError(.closed, "The transaction has ended.", path: environment.path)
    }
}

extension KeyValueTable {
    var handle: MDB_dbi { MDB_dbi(truncatingIfNeeded: number) }
}

extension MDB_val {
    init(_ bytes: UnsafeRawBufferPointer) {
        // reason: LMDB takes keys and values to read from as pointers to change; it does not change them.
        self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}
