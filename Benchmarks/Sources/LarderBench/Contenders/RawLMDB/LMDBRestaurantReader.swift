import CLMDBRaw

/// A read transaction that is used again and again, with a cursor for each table.
///
/// *Rule:* everything but `begin` and `close` is called between `begin` and `end`.
final class LMDBRestaurantReader {
    private let transaction: OpaquePointer
    let cursors: LMDBCursors

    init(_ file: LMDBRestaurantFile) throws {
        transaction = try .beginning(in: file.environment, flags: MDB_RDONLY)
        do {
            cursors = try LMDBCursors(file.tables, in: transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        mdb_txn_reset(transaction)
    }

    /// Renews the transaction and its cursors on what was committed last.
    func begin() throws {
        try LMDBFailure.check(mdb_txn_renew(transaction))
        try LMDBFailure.check(mdb_cursor_renew(transaction, cursors.rows))
        guard let indexes = cursors.indexes else { return }
        try LMDBFailure.check(mdb_cursor_renew(transaction, indexes.names))
        try LMDBFailure.check(mdb_cursor_renew(transaction, indexes.ratings))
    }

    func end() {
        mdb_txn_reset(transaction)
    }

    func close() {
        cursors.all.forEach { mdb_cursor_close($0) }
        mdb_txn_abort(transaction)
    }

    func restaurant(id: Int64) throws -> Restaurant? {
        try cursors.restaurant(id: id)
    }

    /// Reads a row in a transaction that is begun and aborted for it.
    static func restaurant(id: Int64, inNewTransactionOf file: LMDBRestaurantFile) throws -> Restaurant? {
        let transaction = try OpaquePointer.beginning(in: file.environment, flags: MDB_RDONLY)
        defer { mdb_txn_abort(transaction) }
        var searched = id
        var value = MDB_val()
        let code = withUnsafeMutableBytes(of: &searched) { bytes in
            var key = MDB_val(bytes)
            return mdb_get(transaction, file.tables.rows, &key, &value)
        }
        return try LMDBFailure.isFound(code) ? RestaurantRow.restaurant(id: id, in: value.bytes) : nil
    }

    /// Visits every row where it lies.
    func forEachRow(_ visit: (Int64, UnsafeRawBufferPointer) -> Void) throws {
        var key = MDB_val()
        var value = MDB_val()
        var code = mdb_cursor_get(cursors.rows, &key, &value, MDB_FIRST)
        while try LMDBFailure.isFound(code) {
            visit(key.integer, value.bytes)
            code = mdb_cursor_get(cursors.rows, &key, &value, MDB_NEXT)
        }
    }

    func restaurants() throws -> [Restaurant] {
        var found: [Restaurant] = []
        try forEachRow { found.append(RestaurantRow.restaurant(id: $0, in: $1)) }
        return found
    }

    func restaurants(ids: some Sequence<Int64>) throws -> [Restaurant] {
        var found: [Restaurant] = []
        for id in ids {
            if let restaurant = try restaurant(id: id) { found.append(restaurant) }
        }
        return found
    }

    func restaurants(named name: String) throws -> [Restaurant] {
        guard let names = cursors.indexes?.names else { return try restaurants().filter { $0.name == name } }
        var found: [Restaurant] = []
        var id = MDB_val()
        var code = findFirst(name, id: &id, through: names)
        while try LMDBFailure.isFound(code) {
            if let restaurant = try restaurant(id: id.integer) {
                found.append(restaurant)
            }
            var key = MDB_val()
            code = mdb_cursor_get(names, &key, &id, MDB_NEXT_DUP)
        }
        return found
    }

    private func findFirst(_ name: String, id: inout MDB_val, through cursor: OpaquePointer) -> Int32 {
        var name = name
        return name.withUTF8 { bytes in
            var key = MDB_val(UnsafeRawBufferPointer(bytes))
            return mdb_cursor_get(cursor, &key, &id, MDB_SET_KEY)
        }
    }
}
