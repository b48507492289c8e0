#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// A transaction whose requests run on a session.
    protocol SessionReading: SQLReading {
        /// The session of the transaction.
        ///
        /// - Throws: `.accessorExpired` after the end of the transaction; `.usedAfterFork`.
        func current() throws(DataStoreError) -> ServerSession

        /// Runs a request on the session, or on another one if the first request of the transaction fails.
        func perform<Result>(
            _ request: (ServerSession) throws(DataStoreError) -> Result
        ) throws(DataStoreError) -> Result
    }

    extension SessionReading {
        func perform<Result>(
            _ request: (ServerSession) throws(DataStoreError) -> Result
        ) throws(DataStoreError) -> Result {
            try request(try current())
        }

        func row(
            at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
        ) throws(DataStoreError) -> Bool {
            try perform { session throws(DataStoreError) in
                try session.row(at: identifier, of: entity, into: cells)
            }
        }

        func forEachRow(
            at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
            _ body: (_ position: Int) throws(DataStoreError) -> Void
        ) throws(DataStoreError) {
            try perform { session throws(DataStoreError) in
                try session.forEachRow(at: identifiers, of: entity, into: cells, body)
            }
        }

        func runsWhole(_ plan: RequestPlan) -> Bool { (try? current().catalog.runsWhole(plan)) ?? false }

        func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
            try perform { session throws(DataStoreError) in try session.rows(for: plan) }
        }

        func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
            try perform { session throws(DataStoreError) in try session.count(for: plan) }
        }

        func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
            try perform { session throws(DataStoreError) in try session.groups(for: plan) }
        }

        func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
            try perform { session throws(DataStoreError) in try session.explain(plan) }
        }

        func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
            try perform { session throws(DataStoreError) in try session.explain(plan) }
        }

        func beginAgain() throws(DataStoreError) -> Bool { false }

        func catalog() throws(DataStoreError) -> SQLCatalog { try current().catalog }

        func run(_ statement: SQLStatement, _ body: SQLRowBody) throws(DataStoreError) -> Int {
            // The rows are here before the body sees the first, so that nothing is shown twice.
            let answer = try perform { session throws(DataStoreError) in try session.answer(to: statement) }
            let columns = AnswerColumns(of: answer, in: try current().tables)
            let arena = RowArena(chunkBytes: 1024)
            for row in 0..<(statement.isWriting ? 0 : answer.rowCount) {
                arena.reset()
                columns.row = row
                guard try body(columns, arena) else { break }
            }
            return statement.isWriting ? answer.changedCount : 0
        }
    }

    extension SessionReading where Self: StorageWriting {
        func setSavepoint() throws(DataStoreError) { try current().setSavepoint() }

        func releaseSavepoint() throws(DataStoreError) { try current().releaseSavepoint() }

        func rollBackToSavepoint() throws(DataStoreError) { try current().rollBackToSavepoint() }
    }
#endif
