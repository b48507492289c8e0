#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The rows of a plan, some at a time.
    ///
    /// *Cost:* a journey for each batch of rows. Text and bytes are read where they arrived.
    final class ServerRowCursor: RowCursor {
        /// The most rows of the first batch of a cursor.
        static let firstBatch = 256

        private let session: ServerSession
        private let statement: PlanStatement
        private let table: EntityTable
        /// The cursor on the server; nil if all rows are here.
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var cursor: String?
        @exclusivity(unchecked) private var answer: ServerAnswer?
        @exclusivity(unchecked) private var row = 0
        /// The rows that have come so far.
        @exclusivity(unchecked) private var count: Int
        private let arena = RowArena(chunkBytes: 4096)

        /// - Parameters:
        ///   - answer: The first rows.
        ///   - count: The number of rows that were asked for.
        init(
            _ answer: ServerAnswer, of count: Int, _ statement: PlanStatement, of table: EntityTable,
            in session: ServerSession, cursor: String?
        ) {
            (self.session, self.statement, self.table) = (session, statement, table)
            (self.cursor, self.answer, self.count) = (cursor, answer, answer.rowCount)
            note(answer, of: count)
        }

        private func note(_ answer: ServerAnswer, of count: Int) {
            statement.batch.note(answer)
            guard cursor != nil, answer.rowCount < count else { return }
            statement.note(answerOf: self.count)
            closeCursor()
        }

        func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
            guard var current = answer else { return false }
            if row == current.rowCount {
                guard let cursor else {
                    close()
                    return false
                }
                // A request that fails ends the transaction, and the cursor with it.
                self.cursor = nil
                let count = statement.batch.rows
                current = try session.perform([session.fetch(count, from: cursor)])[0]
                (answer, row, self.cursor) = (current, 0, cursor)
                self.count += current.rowCount
                note(current, of: count)
                if current.rowCount == 0 {
                    close()
                    return false
                }
            }
            defer { row += 1 }
            arena.reset()
            try current.fill(cells, fromRow: row, statement.storages, of: table, arena)
            return true
        }

        func close() {
            answer = nil
            closeCursor()
        }

        private func closeCursor() {
            if let cursor { session.close(cursor) }
            cursor = nil
        }
    }

    extension ServerSession {
        /// The request for the next rows of a cursor.
        func fetch(_ count: Int, from cursor: String) -> ServerRequest {
            connection.passing("FETCH \(count) FROM \(cursor)")
        }

        /// Closes a cursor on the server with the next request.
        func close(_ cursor: String) {
            if hasBegun, failure == nil { pending.append(connection.passing("CLOSE \(cursor)")) }
        }
    }
#endif
