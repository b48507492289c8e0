#if PostgreSQL
    /// libpq by hand, in pipelines: what any library over it can at best reach.
    ///
    /// Statements are prepared and values binary. Each function says how many trips to the server it makes.
    final class RawLibpqContender: Contender {
        typealias Record = Restaurant

        private let place: ServerPlace
        let options: StoreOptions
        let beginsAndEnds: Bool
        private(set) var session: LibpqSession<RestaurantStatement>

        /// - Parameter beginsAndEnds: True if the transactions of single reads and inserts are begun and ended.
        convenience init(in place: ServerPlace, _ options: StoreOptions, beginsAndEnds: Bool) throws {
            try self.init(opening: place, options, beginsAndEnds: beginsAndEnds)
            try session.connection.execute("CREATE SCHEMA \(place.schema)")
            for statement in RestaurantStatement.creation(isIndexed: options.isIndexed) {
                try session.connection.execute(statement)
            }
            // A store that is new for each sample would prepare them while the clock runs.
            _ = try session.statement(.beginWriting)
            _ = try session.statement(.insertBatch)
            _ = try session.statement(.commit)
        }

        private init(opening place: ServerPlace, _ options: StoreOptions, beginsAndEnds: Bool) throws {
            self.place = place
            self.options = options
            self.beginsAndEnds = beginsAndEnds
            session = try LibpqSession(in: place, options.durability)
        }

        var connection: LibpqConnection { session.connection }

        /// A connection may be used by one thread only.
        func forAnotherThread() throws -> RawLibpqContender {
            try RawLibpqContender(opening: place, options, beginsAndEnds: beginsAndEnds)
        }

        func close() {
            session.connection.close()
        }

        func reopen() throws {
            session = try LibpqSession(in: place, options.durability)
            try connection.send(sql: RestaurantStatement.description)
            let columns: LibpqAnswer = try connection.answer()
            for row in 0..<columns.rowCount { blackHole(columns.text(row, 0)) }
        }
    }
#endif
