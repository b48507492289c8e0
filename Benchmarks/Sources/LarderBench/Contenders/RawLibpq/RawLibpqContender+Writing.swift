#if PostgreSQL
    extension RawLibpqContender {
        /// The inserts that are given at once and share a commit.
        private static let insertsPerCommit = 64

        /// One trip: the transaction begins, all batches are inserted, and it is committed.
        func insertInOneTransaction(_ records: [Restaurant]) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let insert: LibpqStatement = try session.statement(.insertBatch)
            let commit: LibpqStatement = try session.statement(.commit)
            try connection.send(begin)
            try connection.sendBatches(insert, count: records.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(lists: records[range])
            }
            try connection.send(commit)
            _ = try connection.perform()
        }

        /// One trip each, as a statement is a transaction of its own; two if it is judged before the commit.
        func insertOneByOne(_ records: [Restaurant]) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let insert: LibpqStatement = try session.statement(.insert)
            let commit: LibpqStatement = try session.statement(.commit)
            var parameters = LibpqParameters()
            for record in records {
                parameters.removeAll()
                parameters.append(record)
                if beginsAndEnds { try connection.send(begin) }
                try connection.send(insert, parameters)
                _ = try connection.perform()
                if beginsAndEnds {
                    try connection.send(commit)
                    _ = try connection.perform()
                }
            }
        }

        /// One trip: a pipeline for each commit, and none waits for another.
        func insertInGroups(_ records: [Restaurant]) throws {
            let insert: LibpqStatement = try session.statement(.insertBatch)
            var parameters = LibpqParameters()
            for start in stride(from: 0, to: records.count, by: Self.insertsPerCommit) {
                parameters.removeAll()
                parameters.append(lists: records[start..<min(start + Self.insertsPerCommit, records.count)])
                try connection.send(insert, parameters)
                try connection.post()
            }
            _ = try connection.perform()
        }

        /// Two trips: all are read, then all are written.
        func mirror(ids: [Int64]) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let select: LibpqStatement = try session.statement(.selectByIDs)
            let update: LibpqStatement = try session.statement(.updateBatch)
            let commit: LibpqStatement = try session.statement(.commit)
            try connection.send(begin)
            try connection.sendBatches(select, count: ids.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(list: ids[range])
            }
            var changed: [Restaurant] = []
            changed.reserveCapacity(ids.count)
            for answer in try connection.perform().dropFirst() {
                for row in 0..<answer.rowCount {
                    var restaurant: Restaurant = answer.restaurant(row)
                    restaurant.mirror()
                    changed.append(restaurant)
                }
            }
            let restaurants: [Restaurant] = changed
            try connection.sendBatches(update, count: restaurants.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(changes: restaurants[range])
            }
            try connection.send(commit)
            _ = try connection.perform()
        }

        /// One trip.
        func delete(_ records: [Restaurant]) throws {
            let begin: LibpqStatement = try session.statement(.beginWriting)
            let delete: LibpqStatement = try session.statement(.deleteBatch)
            let commit: LibpqStatement = try session.statement(.commit)
            let ids: [Int64] = records.map { $0.id }
            try connection.send(begin)
            try connection.sendBatches(delete, count: ids.count) {
                (range: Range<Int>, parameters: inout LibpqParameters) in
                parameters.append(list: ids[range])
            }
            try connection.send(commit)
            _ = try connection.perform()
        }
    }
#endif
