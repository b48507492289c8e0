import CLMDBRaw

/// A write transaction, with a cursor for each table; LMDB closes them when it ends.
struct LMDBRestaurantWriter {
    private let transaction: OpaquePointer
    private let cursors: LMDBCursors

    init(_ file: LMDBRestaurantFile) throws {
        transaction = try .beginning(in: file.environment, flags: 0)
        do {
            cursors = try LMDBCursors(file.tables, in: transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
    }

    func commit() throws {
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }

    func abort() {
        mdb_txn_abort(transaction)
    }

    func insert(_ restaurant: borrowing Restaurant) throws {
        try put(restaurant, flags: MDB_NOOVERWRITE)
        guard let indexes = cursors.indexes else { return }
        let id = restaurant.id
        try LMDBFailure.check(
            withEntry(restaurant.name, id) { key, value in mdb_cursor_put(indexes.names, &key, &value, 0) })
        try LMDBFailure.check(
            withEntry(restaurant.rating, id) { key, value in mdb_cursor_put(indexes.ratings, &key, &value, 0)
            })
    }

    /// Changes rating and reviews, and only the index of ratings.
    func mirror(id: Int64) throws {
        guard var restaurant = try cursors.restaurant(id: id) else { return }
        let oldRating = restaurant.rating
        restaurant.mirror()
        try put(restaurant, flags: MDB_CURRENT)
        guard let ratings = cursors.indexes?.ratings else { return }
        try remove(oldRating, id, through: ratings)
        try LMDBFailure.check(
            withEntry(restaurant.rating, id) { key, value in mdb_cursor_put(ratings, &key, &value, 0) })
    }

    /// Reads the row before, as its index entries are found by what it holds.
    func delete(id: Int64) throws {
        guard let restaurant = try cursors.restaurant(id: id) else { return }
        try LMDBFailure.check(mdb_cursor_del(cursors.rows, 0))
        guard let indexes = cursors.indexes else { return }
        try remove(restaurant.rating, id, through: indexes.ratings)
        let found = withEntry(restaurant.name, id) { key, value in
            mdb_cursor_get(indexes.names, &key, &value, MDB_GET_BOTH)
        }
        try LMDBFailure.check(found)
        try LMDBFailure.check(mdb_cursor_del(indexes.names, 0))
    }

    /// Encodes the row in the place that LMDB has made for it.
    private func put(_ restaurant: borrowing Restaurant, flags: Int32) throws {
        var id = restaurant.id
        var value = MDB_val(mv_size: RestaurantRow.byteCount(of: restaurant), mv_data: nil)
        let code = withUnsafeMutableBytes(of: &id) { bytes in
            var key = MDB_val(bytes)
            return mdb_cursor_put(cursors.rows, &key, &value, UInt32(flags | MDB_RESERVE))
        }
        try LMDBFailure.check(code)
        // reason: LMDB has reserved this place in a page of the transaction, until the next change.
        let place = UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
        RestaurantRow.write(restaurant, to: place)
    }

    private func remove(_ rating: Double, _ id: Int64, through ratings: OpaquePointer) throws {
        let found = withEntry(rating, id) { key, value in mdb_cursor_get(ratings, &key, &value, MDB_GET_BOTH)
        }
        try LMDBFailure.check(found)
        try LMDBFailure.check(mdb_cursor_del(ratings, 0))
    }
}

private func withEntry(
    _ name: String, _ id: Int64, _ body: (inout MDB_val, inout MDB_val) -> Int32
) -> Int32 {
    var (name, id) = (name, id)
    return name.withUTF8 { nameBytes in
        withUnsafeMutableBytes(of: &id) { idBytes in
            var key = MDB_val(UnsafeRawBufferPointer(nameBytes))
            var value = MDB_val(idBytes)
            return body(&key, &value)
        }
    }
}

private func withEntry(
    _ rating: Double, _ id: Int64, _ body: (inout MDB_val, inout MDB_val) -> Int32
) -> Int32 {
    var (rating, id) = (RatingKey.key(rating), id)
    return withUnsafeMutableBytes(of: &rating) { ratingBytes in
        withUnsafeMutableBytes(of: &id) { idBytes in
            var key = MDB_val(ratingBytes)
            var value = MDB_val(idBytes)
            return body(&key, &value)
        }
    }
}
