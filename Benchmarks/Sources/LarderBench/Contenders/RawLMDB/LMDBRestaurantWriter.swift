import CLMDBRaw

/// A write transaction, with a cursor for each table; LMDB closes them when it ends.
struct LMDBRestaurantWriter {
    private let transaction: OpaquePointer
    private let rows: OpaquePointer
    private let names: OpaquePointer?

    init(_ file: LMDBRestaurantFile) throws {
        transaction = try .beginning(in: file.environment, flags: 0)
        do {
            rows = try .cursor(of: file.rows, in: transaction)
            names = try file.names.map { [transaction] in try .cursor(of: $0, in: transaction) }
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
    }

    /// Encodes the row in the place that LMDB has made for it.
    func insert(_ restaurant: borrowing Restaurant) throws {
        var id = restaurant.id
        var value = MDB_val(mv_size: RestaurantRow.byteCount(of: restaurant), mv_data: nil)
        let code = withUnsafeMutableBytes(of: &id) { bytes in
            var key = MDB_val(bytes)
            return mdb_cursor_put(rows, &key, &value, UInt32(MDB_NOOVERWRITE | MDB_RESERVE))
        }
        try LMDBFailure.check(code)
        // reason: LMDB has reserved this place in a page of the transaction, until the next change.
        let place = UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
        RestaurantRow.write(restaurant, to: place)
        if let names {
            try LMDBFailure.check(insert(id, named: restaurant.name, through: names))
        }
    }

    func commit() throws {
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }

    func abort() {
        mdb_txn_abort(transaction)
    }

    private func insert(_ id: Int64, named name: String, through cursor: OpaquePointer) -> Int32 {
        var id = id
        var name = name
        return name.withUTF8 { nameBytes in
            withUnsafeMutableBytes(of: &id) { idBytes in
                var key = MDB_val(UnsafeRawBufferPointer(nameBytes))
                var value = MDB_val(idBytes)
                return mdb_cursor_put(cursor, &key, &value, 0)
            }
        }
    }
}

extension OpaquePointer {
    /// A new transaction.
    static func beginning(in environment: OpaquePointer, flags: Int32) throws -> OpaquePointer {
        var transaction: OpaquePointer?
        try LMDBFailure.check(mdb_txn_begin(environment, nil, UInt32(flags), &transaction))
        guard let transaction else { throw LMDBFailure(code: MDB_PANIC) }
        return transaction
    }

    /// A new cursor over a table.
    static func cursor(of table: MDB_dbi, in transaction: OpaquePointer) throws -> OpaquePointer {
        var cursor: OpaquePointer?
        try LMDBFailure.check(mdb_cursor_open(transaction, table, &cursor))
        guard let cursor else { throw LMDBFailure(code: MDB_PANIC) }
        return cursor
    }
}

extension MDB_val {
    init(_ bytes: UnsafeMutableRawBufferPointer) {
        self.init(mv_size: bytes.count, mv_data: bytes.baseAddress)
    }

    /// LMDB only reads what keys and values point to, though it declares them mutable.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(UnsafeMutableRawBufferPointer(mutating: bytes))
    }

    // reason: the file's map, which stays as it is while the transaction lasts.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }
}
