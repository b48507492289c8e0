import CLMDBRaw

/// What is computed of all rows: where they lie, or by the indexes alone.
extension LMDBRestaurantReader {
    func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer {
        switch question {
        case .sum: .numbers([try sumOfRatings()])
        case .average: .numbers([try sumOfRatings() / Double(try countOfRows())])
        case .extremes: .numbers([try rating(at: MDB_FIRST), try rating(at: MDB_LAST)])
        case .names: .names(try countsOfNames())
        }
    }

    private func sumOfRatings() throws -> Double {
        var sum = 0.0
        try forEachRow { sum += RestaurantRow.rating(in: $1) }
        return sum
    }

    private func countOfRows() throws -> Int {
        var statistics = MDB_stat()
        try LMDBFailure.check(
            mdb_stat(mdb_cursor_txn(cursors.rows), mdb_cursor_dbi(cursors.rows), &statistics))
        return statistics.ms_entries
    }

    private func rating(at place: MDB_cursor_op) throws -> Double {
        guard let ratings = cursors.indexes?.ratings else { return .nan }
        var key = MDB_val()
        var id = MDB_val()
        guard try LMDBFailure.isFound(mdb_cursor_get(ratings, &key, &id, place)) else { return .nan }
        return RatingKey.rating(key.bytes.loadUnaligned(as: UInt64.self))
    }

    private func countsOfNames() throws -> [(String, Int)] {
        guard let names = cursors.indexes?.names else { return [] }
        var counts: [(String, Int)] = []
        var key = MDB_val()
        var id = MDB_val()
        var code = mdb_cursor_get(names, &key, &id, MDB_FIRST)
        while try LMDBFailure.isFound(code) {
            var count = 0
            try LMDBFailure.check(mdb_cursor_count(names, &count))
            counts.append((String(decoding: key.bytes, as: UTF8.self), count))
            code = mdb_cursor_get(names, &key, &id, MDB_NEXT_NODUP)
        }
        return counts
    }
}
