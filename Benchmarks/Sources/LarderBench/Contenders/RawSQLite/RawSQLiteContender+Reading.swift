extension RawSQLiteContender {
    func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        try inTransaction(.begin) { try readOneByOne(ids: ids, visit: visit) }
    }

    /// Outside a transaction each SELECT is one of its own.
    func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        let select = try connection.statement(.selectByID)
        for id in ids {
            visit(try select.restaurant(id: id))
        }
    }

    func scan() throws -> [Restaurant] {
        try connection.statement(.selectAll).restaurants()
    }

    func stream(_ visit: (Restaurant) -> Void) throws {
        let select = try connection.statement(.selectAll)
        defer { select.reset() }
        while try select.step() {
            visit(select.restaurant())
        }
    }

    func lookUp(names: [String], visit: ([Restaurant]) -> Void) throws {
        let select = try connection.statement(.selectByName)
        var arena = TextArena()
        try inTransaction(.begin) {
            for name in names {
                arena.beginRow(byteCount: name.utf8.count)
                try select.bind(arena.store(name), at: 1)
                visit(try select.restaurants())
            }
        }
    }

    func find(ratedAbove bounds: [Double], visit: ([Restaurant]) -> Void) throws {
        let select = try connection.statement(.selectRatedAbove)
        try inTransaction(.begin) {
            for bound in bounds {
                try select.bind(bound, at: 1)
                visit(try select.restaurants())
            }
        }
    }

    func count(ratedAbove bounds: [Double], visit: (Int) -> Void) throws {
        let select = try connection.statement(.countRatedAbove)
        try inTransaction(.begin) {
            for bound in bounds {
                try select.bind(bound, at: 1)
                visit(try select.integer())
            }
        }
    }

    func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer {
        switch question {
        case .sum: .numbers(try connection.statement(.sum).numbers(count: 1))
        case .average: .numbers(try connection.statement(.average).numbers(count: 1))
        case .extremes: .numbers(try connection.statement(.extremes).numbers(count: 2))
        case .names: .names(try connection.statement(.countNames).counts())
        }
    }

    func show(_ pages: [Page], visit: ([Restaurant]) -> Void) throws {
        try inTransaction(.begin) {
            for page in pages {
                let select = try connection.statement(page.isDescending ? .selectPageDescending : .selectPage)
                try select.bind(Int64(page.limit), at: 1)
                try select.bind(Int64(page.offset), at: 2)
                visit(try select.restaurants())
            }
        }
    }
}
