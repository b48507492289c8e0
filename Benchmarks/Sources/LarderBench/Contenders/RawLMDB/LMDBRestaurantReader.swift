import CLMDBRaw

/// A read transaction that is used again and again, with a cursor for each table.
///
/// *Rule:* everything but `begin` and `close` is called between `begin` and `end`.
final class LMDBRestaurantReader {
    private let transaction: OpaquePointer
    private let rows: OpaquePointer
    private let names: OpaquePointer?

    init(_ file: LMDBRestaurantFile) throws {
        transaction = try .beginning(in: file.environment, flags: MDB_RDONLY)
        do {
            rows = try .cursor(of: file.rows, in: transaction)
            names = try file.names.map { [transaction] in try .cursor(of: $0, in: transaction) }
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        mdb_txn_reset(transaction)
    }

    /// Renews the transaction and its cursors on what was committed last.
    func begin() throws {
        try LMDBFailure.check(mdb_txn_renew(transaction))
        try LMDBFailure.check(mdb_cursor_renew(transaction, rows))
        if let names {
            try LMDBFailure.check(mdb_cursor_renew(transaction, names))
        }
    }

    func end() {
        mdb_txn_reset(transaction)
    }

    func close() {
        mdb_cursor_close(rows)
        if let names { mdb_cursor_close(names) }
        mdb_txn_abort(transaction)
    }

    func restaurant(id: Int64) throws -> Restaurant? {
        var searched = id
        var value = MDB_val()
        let code = withUnsafeMutableBytes(of: &searched) { bytes in
            var key = MDB_val(bytes)
            return mdb_cursor_get(rows, &key, &value, MDB_SET)
        }
        return try isFound(code) ? RestaurantRow.restaurant(id: id, in: value.bytes) : nil
    }

    func restaurants() throws -> [Restaurant] {
        var found: [Restaurant] = []
        var key = MDB_val()
        var value = MDB_val()
        var code = mdb_cursor_get(rows, &key, &value, MDB_FIRST)
        while try isFound(code) {
            found.append(RestaurantRow.restaurant(id: key.integer, in: value.bytes))
            code = mdb_cursor_get(rows, &key, &value, MDB_NEXT)
        }
        return found
    }

    func restaurants(named name: String) throws -> [Restaurant] {
        guard let names else { return try restaurants().filter { $0.name == name } }
        var found: [Restaurant] = []
        var id = MDB_val()
        var code = findFirst(name, id: &id, through: names)
        while try isFound(code) {
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

    private func isFound(_ code: Int32) throws -> Bool {
        if code == MDB_NOTFOUND { return false }
        try LMDBFailure.check(code)
        return true
    }
}

extension MDB_val {
    fileprivate var integer: Int64 { bytes.loadUnaligned(as: Int64.self) }
}
