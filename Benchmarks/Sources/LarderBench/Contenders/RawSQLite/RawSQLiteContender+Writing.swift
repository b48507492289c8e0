extension RawSQLiteContender {
    func insertInOneTransaction(_ records: [Restaurant]) throws {
        try insertTogether(records[...])
    }

    func insertOneByOne(_ records: [Restaurant]) throws {
        let insert = try connection.statement(.insert)
        let begin = try connection.statement(.beginWriting)
        let commit = try connection.statement(.commit)
        var arena = TextArena()
        for record in records {
            try begin.run()
            try insert.bind(record, through: &arena)
            try insert.run()
            try commit.run()
        }
    }

    func insertInGroups(_ records: [Restaurant]) throws {
        for start in stride(from: 0, to: records.count, by: insertsPerCommit) {
            try insertTogether(records[start...].prefix(insertsPerCommit))
        }
    }

    func mirror(ids: [Int64]) throws {
        let select = try connection.statement(.selectByID)
        let update = try connection.statement(.update)
        try inTransaction(.beginWriting) {
            for id in ids {
                guard var restaurant = try select.restaurant(id: id) else { continue }
                restaurant.mirror()
                try update.bind(restaurant.rating, at: 1)
                try update.bind(restaurant.reviews, at: 2)
                try update.bind(id, at: 3)
                try update.run()
            }
        }
    }

    func delete(_ records: [Restaurant]) throws {
        let delete = try connection.statement(.delete)
        try inTransaction(.beginWriting) {
            for record in records {
                try delete.bind(record.id, at: 1)
                try delete.run()
            }
        }
    }

    private func insertTogether(_ records: ArraySlice<Restaurant>) throws {
        let insert = try connection.statement(.insert)
        var arena = TextArena()
        try inTransaction(.beginWriting) {
            for record in records {
                try insert.bind(record, through: &arena)
                try insert.run()
            }
        }
    }
}
