import CLMDB
import LarderKernel
import LarderKeyValue
import LarderPlatform

/// The write transaction; its savepoints are LMDB's nested transactions.
///
/// *Rule:* begins and ends on one thread, or LMDB's lock would never be released.
final class LMDBTransaction: LMDBReading, KeyValueTransaction {
    private var thread = pthread_self()
    /// The transactions around ``LMDBReading/transaction``, the outermost first.
    private var outer: [OpaquePointer] = []
    /// The error that made the innermost transaction unusable, and the number of transactions around it.
    // Unchecked, here and below, as CONTRIBUTING says of what one thread uses at a time.
    @exclusivity(unchecked) private var breakage: (error: DataStoreError, depth: Int)?
    /// The cursors that put entries, by the number of their table.
    @exclusivity(unchecked) private var putters: [TablePutter] = []
    /// Tables that were opened here and become known to other transactions after the commit.
    private var openedTables: [String: KeyValueTable] = [:]
    /// The same when each savepoint was set.
    private var outerTables: [[String: KeyValueTable]] = []

    deinit {
        end()
    }

    func beginAgain() throws(DataStoreError) -> Bool {
        transaction = try store.acquireWriting()
        thread = pthread_self()
        breakage = nil
        openedTables = [:]
        outerTables = []
        return true
    }

    /// The transaction has the number of the commit that it will become.
    var commitNumber: UInt64 {
        transaction.map { UInt64(mdb_txn_id($0)) - 1 } ?? 0
    }
}

// MARK: Tables

extension LMDBTransaction {
    func table(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable? {
        if let table = openedTables[name] { return table }
        if let table = try store.tables.table(named: name, keys) { return table }
        let transaction = try current()
        guard let table = try TableHandles.open(name, in: transaction, path: environment.path) else {
            return nil
        }
        guard table.keys == keys else {
            throw DataStoreError(.damaged, "The keys of the table \(name) are of another kind.")
        }
        openedTables[name] = table
        return table
    }

    func makeTable(named name: String, _ keys: KeyKind) throws(DataStoreError) -> KeyValueTable {
        if let table = try table(named: name, keys) { return table }
        let transaction = try soundTransaction()
        let flags = MDB_CREATE | (keys == .integer ? MDB_INTEGERKEY : 0)
        guard
            let table = try TableHandles.open(
                name, in: transaction, flags: flags, path: environment.path)
        else { throw failure(MDB_NOTFOUND) }
        openedTables[name] = table
        return table
    }

    func removeTable(_ table: KeyValueTable) throws(DataStoreError) {
        let transaction = try soundTransaction()
        closePutter(of: table)
        try check(mdb_drop(transaction, table.handle, 1))
        openedTables = openedTables.filter { $0.value != table }
        // LMDB has closed it, whatever becomes of the transaction.
        store.tables.remove(table)
    }
}

// MARK: Changes

extension LMDBTransaction {
    func put(
        _ value: UnsafeRawBufferPointer, at key: UnsafeRawBufferPointer, in table: KeyValueTable,
        overwrites: Bool
    ) throws(DataStoreError) -> Bool {
        let transaction = try soundTransaction()
        makePutter(of: table)
        let code = putters[table.number].put(
            value, at: key, in: table, of: transaction, overwrites: overwrites)
        if code == MDB_KEYEXIST && !overwrites { return false }
        try check(code)
        return true
    }

    func hasSeveral(
        beginningWith start: UnsafeRawBufferPointer, in table: KeyValueTable
    ) throws(DataStoreError) -> Bool {
        let transaction = try soundTransaction()
        makePutter(of: table)
        var count = 0
        try check(putters[table.number].count(beginningWith: start, in: table, of: transaction, &count))
        return count > 1
    }

    func delete(_ key: UnsafeRawBufferPointer, in table: KeyValueTable) throws(DataStoreError) -> Bool {
        let transaction = try soundTransaction()
        var key = MDB_val(key)
        let code = mdb_del(transaction, table.handle, &key, nil)
        if code == MDB_NOTFOUND || code == MDB_BAD_VALSIZE { return false }
        try check(code)
        return true
    }

    func clear(_ table: KeyValueTable) throws(DataStoreError) {
        let transaction = try soundTransaction()
        closePutter(of: table)
        try check(mdb_drop(transaction, table.handle, 0))
    }

    @inline(__always)
    private func makePutter(of table: KeyValueTable) {
        while putters.count <= table.number { putters.append(TablePutter()) }
    }

    private func closePutter(of table: KeyValueTable) {
        if table.number < putters.count { putters[table.number].close() }
    }

    /// Closes all of LMDB's cursors, which belong to the innermost transaction.
    private func detach() {
        suspendCursors()
        closePutters()
    }

    private func closePutters() {
        for number in putters.indices { putters[number].close() }
    }

    @inline(__always)
    private func soundTransaction() throws(DataStoreError) -> OpaquePointer {
        if let breakage { throw breakage.error }
        return try current()
    }

    /// Notes a failure; LMDB accepts nothing but the end of the transaction after most of them.
    private func check(_ code: Int32) throws(DataStoreError) {
        if code == 0 { return }
        let error = failure(code)
        if code != MDB_BAD_VALSIZE { breakage = (error, outer.count) }
        store.noteFailure(error, code)
        throw error
    }
}

// MARK: Savepoints

extension LMDBTransaction {
    func setSavepoint() throws(DataStoreError) {
        let transaction = try soundTransaction()
        detach()
        var nested: OpaquePointer?
        try check(mdb_txn_begin(environment.handle, transaction, 0, &nested))
        outer.append(transaction)
        outerTables.append(openedTables)
        self.transaction = nested
    }

    func releaseSavepoint() throws(DataStoreError) {
        let nested = try soundTransaction()
        detach()
        transaction = try parent()
        // A failure ends the nested transaction too, and its parent is not to be trusted.
        try check(mdb_txn_commit(nested))
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        let nested = try current()
        detach()
        openedTables = outerTables.last ?? openedTables
        transaction = try parent()
        mdb_txn_abort(nested)
        if let breakage, breakage.depth > outer.count { self.breakage = nil }
    }

    private func parent() throws(DataStoreError) -> OpaquePointer {
        guard let parent = outer.popLast() else {
            throw DataStoreError(.unsupported, "There is no savepoint to go back to.")
        }
        outerTables.removeLast()
        return parent
    }
}

// MARK: The end

extension LMDBTransaction {
    func commit() throws(DataStoreError) {
        // Does nothing once the transaction has gone its way.
        defer { end() }
        let transaction = try soundTransaction()
        guard pthread_equal(thread, pthread_self()) != 0 else {
            throw DataStoreError(
                .engine,
                "A write transaction cannot be committed on another thread than the one it began on.",
                path: environment.path)
        }
        detach()
        closeCursors()
        self.transaction = nil
        // LMDB ends the nested ones with the outermost.
        let outermost = outer.first ?? transaction
        let number = mdb_txn_id(outermost)
        let code = mdb_txn_commit(outermost)
        let error = code == 0 ? nil : failure(code)
        outer.removeAll()
        if code == 0 {
            store.tables.add(openedTables)
            store.noteCommit(number)
        }
        if let error { store.noteFailure(error, code) }
        store.endWriting()
        if let error { throw error }
    }

    func end() {
        guard let transaction else { return }
        // They are not suspended first: that reads pages, which are the other process's in a forked one.
        closePutters()
        closeCursors()
        self.transaction = nil
        if !store.isForked { mdb_txn_abort(outer.first ?? transaction) }
        outer.removeAll()
        store.endWriting()
    }
}
