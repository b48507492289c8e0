import CLMDBRaw

/// What is asked of ratings: by their index, or by testing each row in place where there is none.
extension LMDBRestaurantReader {
    func restaurants(ratedAbove bound: Double) throws -> [Restaurant] {
        var found: [Restaurant] = []
        if let ratings = cursors.indexes?.ratings {
            var id = MDB_val()
            var code = findFirst(above: bound, id: &id, through: ratings)
            while try LMDBFailure.isFound(code) {
                if let restaurant = try restaurant(id: id.integer) { found.append(restaurant) }
                code = move(ratings, MDB_NEXT, id: &id)
            }
        } else {
            try forEachRow { id, row in
                if RestaurantRow.rating(in: row) > bound {
                    found.append(RestaurantRow.restaurant(id: id, in: row))
                }
            }
        }
        return found
    }

    func count(ratedAbove bound: Double) throws -> Int {
        var count = 0
        guard let ratings = cursors.indexes?.ratings else {
            try forEachRow { count += RestaurantRow.rating(in: $1) > bound ? 1 : 0 }
            return count
        }
        var id = MDB_val()
        var code = findFirst(above: bound, id: &id, through: ratings)
        while try LMDBFailure.isFound(code) {
            count += 1
            code = move(ratings, MDB_NEXT, id: &id)
        }
        return count
    }

    func restaurants(on page: Page) throws -> [Restaurant] {
        guard let ratings = cursors.indexes?.ratings else { return try sortedRestaurants(on: page) }
        let direction = page.isDescending ? MDB_PREV : MDB_NEXT
        var id = MDB_val()
        var code = move(ratings, page.isDescending ? MDB_LAST : MDB_FIRST, id: &id)
        for _ in 0..<page.offset where try LMDBFailure.isFound(code) {
            code = move(ratings, direction, id: &id)
        }
        var found: [Restaurant] = []
        while try found.count < page.limit && LMDBFailure.isFound(code) {
            if let restaurant = try restaurant(id: id.integer) { found.append(restaurant) }
            code = move(ratings, direction, id: &id)
        }
        return found
    }

    /// Sorts the keys of all rows, then reads those that are asked for.
    private func sortedRestaurants(on page: Page) throws -> [Restaurant] {
        var keys: [(rating: Double, id: Int64)] = []
        try forEachRow { keys.append((RestaurantRow.rating(in: $1), $0)) }
        if page.isDescending { keys.sort { $0 > $1 } } else { keys.sort { $0 < $1 } }
        return try restaurants(ids: keys.dropFirst(page.offset).prefix(page.limit).lazy.map(\.id))
    }

    private func move(_ cursor: OpaquePointer, _ step: MDB_cursor_op, id: inout MDB_val) -> Int32 {
        var key = MDB_val()
        return mdb_cursor_get(cursor, &key, &id, step)
    }

    private func findFirst(above bound: Double, id: inout MDB_val, through cursor: OpaquePointer) -> Int32 {
        var searched = RatingKey.key(bound) + 1
        return withUnsafeMutableBytes(of: &searched) { bytes in
            var key = MDB_val(bytes)
            return mdb_cursor_get(cursor, &key, &id, MDB_SET_RANGE)
        }
    }
}
