import CLMDBRaw

/// A transaction's cursors, one for each table.
struct LMDBCursors {
    struct Indexes {
        let names: OpaquePointer
        let ratings: OpaquePointer
    }

    let rows: OpaquePointer
    let indexes: Indexes?

    init(_ tables: LMDBTables, in transaction: OpaquePointer) throws {
        rows = try .cursor(of: tables.rows, in: transaction)
        indexes = try tables.indexes.map { indexes in
            Indexes(
                names: try .cursor(of: indexes.names, in: transaction),
                ratings: try .cursor(of: indexes.ratings, in: transaction))
        }
    }

    var all: [OpaquePointer] { [rows] + (indexes.map { [$0.names, $0.ratings] } ?? []) }

    func restaurant(id: Int64) throws -> Restaurant? {
        var searched = id
        var value = MDB_val()
        let code = withUnsafeMutableBytes(of: &searched) { bytes in
            var key = MDB_val(bytes)
            return mdb_cursor_get(rows, &key, &value, MDB_SET)
        }
        return try LMDBFailure.isFound(code) ? RestaurantRow.restaurant(id: id, in: value.bytes) : nil
    }
}

/// Ratings as keys: integers in the order of the numbers.
enum RatingKey {
    static func key(_ rating: Double) -> UInt64 {
        let bits = rating.bitPattern
        return rating.sign == .minus ? ~bits : bits | 1 << 63
    }

    static func rating(_ key: UInt64) -> Double {
        Double(bitPattern: key >> 63 == 0 ? ~key : key ^ 1 << 63)
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

    var integer: Int64 { bytes.loadUnaligned(as: Int64.self) }
}
