#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL
    import struct Foundation.UUID

    /// A connection with everything that is prepared on it; serves one transaction after the other.
    ///
    /// A transaction begins on the server with its first request, in one journey with it: until then nothing was seen, so
    /// that a connection which turns out to be lost is made again without a trace.
    ///
    /// *Rule:* used by one transaction at a time.
    final class ServerSession {
        let connection: ServerConnection
        let catalog: SQLCatalog
        let kind: Kind
        private let generation: Int
        /// The identity of the store; nil for a transaction that another has begun.
        private let identity: UUID?
        private let generationQuery: ServerRequest
        /// The statements that begin a transaction; the last one gives the store's generation.
        private let beginning: [ServerRequest]
        /// The question for the newest commit, and for the token of the newest one that was seen; empty unless standbys are
        /// read from.
        private var commitQuestion: [ServerRequest] = []
        private let seenNumber = ParameterList()
        /// The limit for the statements after the wait for a lock, which has one of its own; empty for none.
        private var limit: [ServerRequest] = []
        let commands: Commands
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        /// The moment at which the last transaction ended.
        @exclusivity(unchecked) var idleSince = ContinuousClock.now
        @exclusivity(unchecked) var hasBegun = false
        /// The number of the newest commit when a write began, or of an older one: the query looks before it waits for its turn.
        @exclusivity(unchecked) private(set) var numberBefore: Int64 = 0
        /// The rows that the process had inserted when the server made its plans.
        @exclusivity(unchecked) var plannedCount: Int
        /// The requests that go with the next ones.
        @exclusivity(unchecked) var pending: [ServerRequest] = []
        /// The error after which the server refuses everything until a savepoint; nil if there was none.
        @exclusivity(unchecked) var failure: DataStoreError?
        /// True if the first request failed, so that nothing was seen.
        @exclusivity(unchecked) var couldNotBegin = false
        /// True while a statement of the app runs, whose mistakes say nothing about the store.
        @exclusivity(unchecked) var runsTextOfApp = false
        @exclusivity(unchecked) var cache: ShapeCache<PlanStatement>
        @exclusivity(unchecked) var groupings = GroupingUses()
        @exclusivity(unchecked) private var rowStatements: [ServerStatement?]
        @exclusivity(unchecked) private var listStatements: [ServerStatement?]
        @exclusivity(unchecked) private var listBatches: [BatchSize]
        /// The answer whose row the caller may still be reading.
        @exclusivity(unchecked) private var rowAnswer: ServerAnswer?
        @exclusivity(unchecked) private let rowArena = RowArena(chunkBytes: 4096)
        @exclusivity(unchecked) private let parameters = ParameterList()

        /// The kinds of transactions.
        enum Kind {
            case reading
            /// A reading that may take any time.
            case checking
            case writing(PostgreSQLOptions.Durability)
            /// The transaction is another's, which has begun it.
            case within

            fileprivate var isOfBlock: Bool {
                switch self {
                case .reading, .writing: true
                case .checking, .within: false
                }
            }
        }

        struct Commands {
            let commit, rollBack, setSavepoint, releaseSavepoint, rollBackToSavepoint: ServerRequest
        }

        init(
            _ kind: Kind, on connection: ServerConnection, _ tables: [EntityTable],
            generation: Int, identity: UUID?, in place: ServerPlace
        ) {
            self.kind = kind
            self.identity = identity
            self.connection = connection
            self.generation = generation
            catalog = SQLCatalog(tables, PostgreSQLDialect())
            cache = ShapeCache(capacity: 256, longList: catalog.dialect.longList)
            rowStatements = Array(repeating: nil, count: tables.count)
            listStatements = rowStatements
            listBatches = tables.map { BatchSize($0.storages) }
            generationQuery = connection.kept("SELECT generation FROM \(place.store)")
            commands = Commands(
                commit: connection.kept("COMMIT"), rollBack: connection.kept("ROLLBACK"),
                setSavepoint: connection.kept("SAVEPOINT larder"),
                releaseSavepoint: connection.kept("RELEASE SAVEPOINT larder"),
                rollBackToSavepoint: connection.kept("ROLLBACK TO SAVEPOINT larder"))
            plannedCount = connection.hosts.insertedCount
            var state =
                "SELECT generation, identity, \(ServerConnection.markQuery), \(connection.timelineOfTransaction)"
            if case .writing = kind { state += ", (SELECT max(number) FROM \(place.commits))" }
            state += " FROM \(place.store)"
            let lock = "LOCK TABLE \(place.store) IN ACCESS SHARE MODE"
            if case .within = kind { hasBegun = true }
            let options = connection.options
            let isUnlimited = if case .checking = kind { true } else { options.isOfTransfer }
            let lifting = isUnlimited ? [ServerConnection.withoutTransactionLimit] : []
            let texts: [String] =
                switch kind {
                case .within: []
                // The snapshot is taken by the first query, so after the lock, which keeps the schema.
                case .reading: connection.beginning(Self.beginReading) + [lock] + lifting + [state]
                case .checking:
                    connection.beginningWithoutLimits(Self.beginReading) + [lock] + lifting + [state]
                case .writing(let durability):
                    // Each statement sees what the transaction before has committed, as the first one waits for it.
                    connection.beginning(ServerConnection.beginWriting)
                        + (durability == .normal ? ["SET LOCAL synchronous_commit = off"] : [])
                        + lifting + ["\(state) FOR UPDATE"]
                }
            beginning = texts.map { connection.kept($0) }
            if kind.isOfBlock, let time = options.statementTimeout {
                limit = [connection.kept("SET LOCAL statement_timeout = \(time.milliseconds)")]
            }
            // A block that writes sees commits of others too, and has waited for a commit whose outcome is not known.
            guard kind.isOfBlock, options.reads == .standby else { return }
            let commits = """
                SELECT *, (SELECT token FROM \(place.commits) WHERE number = $1) FROM (\(place.newestCommit)) AS n
                """
            commitQuestion = [ServerRequest(connection.statement(commits), seenNumber)]
        }

        var tables: [EntityTable] { catalog.tables }

        private static let beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    }

    // MARK: The transaction

    extension ServerSession {
        /// Runs requests in one journey, after those that wait, and begins the transaction if it has not begun.
        func perform(_ requests: [ServerRequest]) throws(DataStoreError) -> [ServerAnswer] {
            try run(requests) { all throws(DataStoreError) in
                hasBegun ? try connection.perform(all, within: time(for: all)) : try begin(with: all)
            }
        }

        /// Passes requests on, after those that wait, and notes the error after which nothing else can be done.
        private func run(
            _ requests: [ServerRequest],
            by perform: ([ServerRequest]) throws(DataStoreError) -> [ServerAnswer]
        ) throws(DataStoreError) -> [ServerAnswer] {
            if let failure { throw failure }
            rowAnswer = nil
            let (waiting, all) = (pending, pending + requests)
            pending = []
            do throws(DataStoreError) {
                return Array(try perform(all).suffix(requests.count))
            } catch {
                let error = explained(error)
                failure = error
                // The savepoints that were set before the beginning are set again with the next one.
                if couldNotBegin { pending = waiting }
                throw error
            }
        }

        /// The time after which the server would have stopped the requests itself, so that it is silent; nil for no limit.
        private func time(for requests: [ServerRequest]) -> Duration? {
            let options = connection.options
            guard kind.isOfBlock, let time = options.statementTimeout else { return nil }
            return Duration.milliseconds(time.milliseconds * Int64(requests.count)) + options.connectTimeout
        }

        private func begin(with requests: [ServerRequest]) throws(DataStoreError) -> [ServerAnswer] {
            let seen = connection.hosts.newestCommit
            seenNumber.removeAll()
            seenNumber.append(Int(seen.number))
            let all = beginning + commitQuestion + limit + takeNewPlans() + requests
            let longest = time(for: all).map { $0 + connection.options.busyTimeout }
            (hasBegun, couldNotBegin) = (true, true)
            if connection.isToOldPrimary { connection.close() }
            let answers: [ServerAnswer]
            do throws(DataStoreError) {
                answers = try performBeginning(all, within: longest)
            } catch {
                // A standby to read from is not waited for. A statement that does not fit the tables may have met a
                // standby without the latest changes, to which a pooler has turned.
                let mayFit = !runsTextOfApp && ServerFailure.isAboutSchema(error)
                guard connection.role == .primary, mayFit || error.code == .connectionLost else {
                    throw error
                }
                try connection.reconnect()
                answers = try performBeginning(all, within: longest)
            }
            let state = answers[beginning.count - 1]
            try connection.require(mark: state.text(0, 2))
            let isSameStore = identity == nil || state.uuid(0, 1) == identity
            guard isSameStore, state.integer(0, 0).map(Int.init) == generation else { throw schemaChanged }
            if case .writing = kind { numberBefore = state.integer(0, 4) ?? 0 }
            if !commitQuestion.isEmpty { try requireCommit(seen, in: answers[beginning.count]) }
            couldNotBegin = false
            return answers
        }

        /// Runs what begins a transaction, and refuses the answers if a pooler has turned to a server that is not the primary.
        private func performBeginning(
            _ requests: [ServerRequest], within time: Duration?
        ) throws(DataStoreError) -> [ServerAnswer] {
            let answers = try connection.perform(requests, within: time)
            try connection.note(timelineOfTransaction: answers[beginning.count - 1].text(0, 3))
            return answers
        }

        /// Refuses the snapshot of a standby that has not the newest commit that was seen, and notes a newer one.
        ///
        /// Such a standby is late, or follows an old primary and has another commit of that number.
        private func requireCommit(_ seen: ServerCommit, in answer: ServerAnswer) throws(DataStoreError) {
            let isStandby = connection.role == .standby
            // Both are nil if there was no commit.
            let hasSeen = (answer.rowCount > 0 ? answer.uuid(0, 2) : nil) == seen.token
            if isStandby, !hasSeen {
                throw ServerFailure.snapshotLost("The standby lacks a commit.", path: connection.path)
            }
            let timeline = isStandby ? seen.timeline : connection.timeline
            let newest =
                answer.commit(at: 0, on: timeline)
                ?? ServerCommit(timeline: timeline, number: 0, token: nil)
            let hasLock = if case .writing = kind { true } else { false }
            connection.hosts.note(newest, after: seen, hasSeen: hasSeen, isCertain: hasLock)
        }

        /// The meaning of an error about a missing table or column: the schema was changed, or the store is damaged.
        private func explained(_ error: DataStoreError) -> DataStoreError {
            guard !runsTextOfApp, ServerFailure.isAboutSchema(error) else { return error }
            if case .within = kind { return error }
            connection.post([commands.rollBack])
            hasBegun = false
            do throws(DataStoreError) {
                let question = [generationQuery]
                let answer = try connection.perform(question, within: time(for: question))[0]
                if answer.integer(0, 0).map(Int.init) != generation { return schemaChanged }
            } catch {
                return ServerFailure.isAboutSchema(error) ? schemaChanged : error
            }
            return DataStoreError(
                .damaged, "A table of the store is missing, or has other columns.", path: connection.path,
                underlying: error.underlying)
        }

        private var schemaChanged: DataStoreError {
            DataStoreError(
                .schemaChanged, "Another process changed the schema of the store, or removed it.",
                path: connection.path)
        }

        func perform(_ request: ServerRequest) throws(DataStoreError) -> ServerAnswer {
            try perform([request])[0]
        }

        /// Sends the requests that wait: a table with an open cursor cannot be changed.
        func flush() throws(DataStoreError) {
            if !pending.isEmpty { _ = try perform([]) }
        }

        /// Ends the transaction without a commit, and waits for nothing.
        func end() {
            rowAnswer = nil
            (pending, failure, couldNotBegin) = ([], nil, false)
            if case .within = kind { return }
            if connection.hasLargeBuffer {
                // The next transaction makes the connection again.
                connection.close()
            } else if hasBegun {
                connection.post([commands.rollBack])
            }
            hasBegun = false
        }

        /// Commits what has begun, with further statements before, whose answers are returned.
        ///
        /// The connection is not made again, and nothing is sent twice: a commit may have been kept without an answer.
        ///
        /// - Throws: `.connectionLost` if it is not known whether the transaction was kept.
        func commit(after requests: [ServerRequest]) throws(DataStoreError) -> [ServerAnswer] {
            let answers = try run(requests + [commands.commit]) { all throws(DataStoreError) in
                try connection.perform(all, within: connection.options.commitTimeout)
            }
            hasBegun = false
            return answers
        }

        /// True if nothing was asked or changed yet.
        var isUntouched: Bool { !hasBegun && failure == nil }
    }

    // MARK: Reading

    extension ServerSession {
        func row(
            at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
        ) throws(DataStoreError) -> Bool {
            let table = tables[entity]
            let statement = kept(&rowStatements[entity]) {
                "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) WHERE \(table.columns[0]) = $1"
            }
            parameters.removeAll()
            parameters.append(identifier, as: table.storages[0])
            let answer = try perform(ServerRequest(statement, parameters))
            guard answer.rowCount > 0 else { return false }
            rowAnswer = answer
            rowArena.reset()
            try answer.fill(cells, fromRow: 0, table.storages, of: table, rowArena)
            return true
        }

        /// Some rows at a time, in the order of the list.
        func forEachRow(
            at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
            _ body: (_ position: Int) throws(DataStoreError) -> Void
        ) throws(DataStoreError) {
            if identifiers.isEmpty { return }
            let table = tables[entity]
            let statement = kept(&listStatements[entity]) {
                let columns = table.columns.map { "larder_t.\($0)" }.joined(separator: ", ")
                return """
                    SELECT \(columns), larder_x.larder_n FROM unnest($1) WITH ORDINALITY AS larder_x(larder_id, larder_n) \
                    JOIN \(table.name) AS larder_t ON larder_t.\(table.columns[0]) = larder_x.larder_id \
                    ORDER BY larder_x.larder_n
                    """
            }
            let arena = RowArena(chunkBytes: 4096)
            var start = 0
            while start < identifiers.count {
                let end = min(start + listBatches[entity].rows, identifiers.count)
                parameters.removeAll()
                parameters.appendList(count: end - start, as: table.storages[0]) {
                    $1(identifiers[start + $0])
                }
                let answer = try perform(ServerRequest(statement, parameters))
                listBatches[entity].note(answer)
                for row in 0..<answer.rowCount {
                    arena.reset()
                    try answer.fill(cells, fromRow: row, table.storages, of: table, arena)
                    guard let number = answer.integer(row, table.storages.count) else { continue }
                    try body(start + Int(number) - 1)
                }
                start = end
            }
        }

        private func kept(_ place: inout ServerStatement?, _ sql: () -> String) -> ServerStatement {
            if let statement = place { return statement }
            let statement = connection.statement(sql())
            place = statement
            return statement
        }
    }
#endif
