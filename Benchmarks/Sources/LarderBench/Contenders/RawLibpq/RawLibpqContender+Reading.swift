#if PostgreSQL
    extension RawLibpqContender {
        /// One trip each: the app knows the next identifier when it has the item before.
        func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) throws {
            try session.ask(.selectByID, ids) { (id: Int64, parameters: inout LibpqParameters) in
                parameters.append(id)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.firstRestaurant)
            }
        }

        /// One trip each; a statement alone is a transaction of its own.
        func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) throws {
            if beginsAndEnds { return try readInTransactions(ids: ids, visit: visit) }
            let select: LibpqStatement = try session.statement(.selectByID)
            var parameters = LibpqParameters()
            for id in ids {
                parameters.removeAll()
                parameters.append(id)
                try connection.send(select, parameters)
                visit(try connection.answer().firstRestaurant)
            }
        }

        /// One trip each: the statement goes with the beginning and the end of its transaction.
        private func readInTransactions(ids: [Int64], visit: (Restaurant?) -> Void) throws {
            let begin: LibpqStatement = try session.statement(.begin)
            let select: LibpqStatement = try session.statement(.selectByID)
            let commit: LibpqStatement = try session.statement(.commit)
            var parameters = LibpqParameters()
            for id in ids {
                parameters.removeAll()
                parameters.append(id)
                try connection.send(begin)
                try connection.send(select, parameters)
                try connection.send(commit)
                let answers: [LibpqAnswer] = try connection.perform()
                visit(answers[1].firstRestaurant)
            }
        }

        /// One trip.
        func scan() throws -> [Restaurant] {
            try session.ask(.selectAll).restaurants
        }

        /// A trip for each batch of rows of a cursor, so that memory does not grow with the table.
        func stream(_ visit: (Restaurant) -> Void) throws {
            let begin: LibpqStatement = try session.statement(.begin)
            let commit: LibpqStatement = try session.statement(.commit)
            let fetch: String = "FETCH \(LibpqConnection.batch) FROM walk"
            try connection.send(begin)
            try connection.send(
                sql: "DECLARE walk NO SCROLL CURSOR FOR \(RestaurantStatement.selectAll.sql)")
            while true {
                try connection.send(sql: fetch)
                let answer: LibpqAnswer = try connection.answer()
                for row in 0..<answer.rowCount { visit(answer.restaurant(row)) }
                if Int(answer.rowCount) < LibpqConnection.batch { break }
            }
            try connection.send(commit)
            try connection.post()
        }

        /// One trip each, as in all that follow.
        func lookUp(names: [String], visit: ([Restaurant]) -> Void) throws {
            try session.ask(.selectByName, names) { (name: String, parameters: inout LibpqParameters) in
                parameters.append(name)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.restaurants)
            }
        }

        func find(ratedAbove bounds: [Double], visit: ([Restaurant]) -> Void) throws {
            let query: RestaurantStatement = options.isIndexed ? .selectRatedAbove : .selectRatedAboveByID
            try session.ask(query, bounds) { (bound: Double, parameters: inout LibpqParameters) in
                parameters.append(bound)
            } visit: { (answer: LibpqAnswer) in
                visit(answer.restaurants)
            }
        }

        func count(ratedAbove bounds: [Double], visit: (Int) -> Void) throws {
            try session.ask(.countRatedAbove, bounds) { (bound: Double, parameters: inout LibpqParameters) in
                parameters.append(bound)
            } visit: { (answer: LibpqAnswer) in
                visit(Int(answer.integer(0, 0)))
            }
        }

        func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer {
            switch question {
            case .sum:
                let answer: LibpqAnswer = try session.ask(.sum)
                return .numbers([answer.real(0, 0)])
            case .average:
                let answer: LibpqAnswer = try session.ask(.average)
                return .numbers([answer.real(0, 0)])
            case .extremes:
                let answer: LibpqAnswer = try session.ask(.extremes)
                return .numbers([answer.real(0, 0), answer.real(0, 1)])
            case .names:
                let answer: LibpqAnswer = try session.ask(.countNames)
                var counts: [(String, Int)] = []
                counts.reserveCapacity(Int(answer.rowCount))
                for row in 0..<answer.rowCount {
                    counts.append((answer.text(row, 0), Int(answer.integer(row, 1))))
                }
                return .names(counts)
            }
        }

        /// *Rule:* all pages have one direction.
        func show(_ pages: [Page], visit: ([Restaurant]) -> Void) throws {
            guard let first = pages.first else { return }
            let query: RestaurantStatement = first.isDescending ? .selectPageDescending : .selectPage
            try session.ask(query, pages) { (page: Page, parameters: inout LibpqParameters) in
                parameters.append(Int64(page.limit))
                parameters.append(Int64(page.offset))
            } visit: { (answer: LibpqAnswer) in
                visit(answer.restaurants)
            }
        }
    }
#endif
