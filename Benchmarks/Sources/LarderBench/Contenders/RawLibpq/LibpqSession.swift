#if PostgreSQL
    /// The statements that a raw session needs.
    protocol LibpqQuery: Hashable {
        /// Begins a transaction that reads one snapshot.
        static var begin: Self { get }
        static var commit: Self { get }

        var sql: String { get }
        /// The numbers of the parameters' types.
        var types: [UInt32] { get }
    }

    /// A connection with its prepared statements.
    final class LibpqSession<Query: LibpqQuery> {
        let connection: LibpqConnection
        private var statements: [Query: LibpqStatement] = [:]

        init(in place: ServerPlace, _ durability: Durability) throws {
            connection = try LibpqConnection(to: place.address)
            try connection.send(sql: "SET search_path = \(place.schema)")
            // As Larder sets it: no request of the workloads is worth a compilation.
            try connection.send(sql: "SET jit = off")
            if durability == .normal { try connection.send(sql: "SET synchronous_commit = off") }
            _ = try connection.perform()
        }

        /// The statement for a query, which is prepared when it is first asked for.
        ///
        /// *Rule:* not between statements of one pipeline.
        func statement(_ query: Query) throws -> LibpqStatement {
            if let known = statements[query] { return known }
            let made: LibpqStatement = try connection.prepare(query.sql, query.types)
            statements[query] = made
            return made
        }

        /// Asks questions one after the other, each in a trip, all in one transaction.
        ///
        /// The first trip also begins the transaction, and nothing waits for its end.
        func ask<Question>(
            _ query: Query, _ questions: [Question],
            _ append: (Question, inout LibpqParameters) -> Void, visit: (LibpqAnswer) -> Void
        ) throws {
            if questions.isEmpty { return }
            let begin: LibpqStatement = try statement(.begin)
            let select: LibpqStatement = try statement(query)
            let commit: LibpqStatement = try statement(.commit)
            var parameters = LibpqParameters()
            try connection.send(begin)
            for question in questions {
                parameters.removeAll()
                append(question, &parameters)
                try connection.send(select, parameters)
                visit(try connection.answer())
            }
            try connection.send(commit)
            try connection.post()
        }

        /// Asks one question in a transaction of its own.
        func ask(_ query: Query) throws -> LibpqAnswer {
            let select: LibpqStatement = try statement(query)
            try connection.send(select)
            return try connection.answer()
        }
    }
#endif
