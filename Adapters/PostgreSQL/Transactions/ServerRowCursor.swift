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
        private let arena = RowArena(chunkBytes: 4096)

        /// - Parameters:
        ///   - answer: The first rows.
        ///   - count: The number of rows that were asked for.
        init(
            _ answer: ServerAnswer, of count: Int, _ statement: PlanStatement, of table: EntityTable,
            in session: ServerSession, cursor: String?
        ) {
            self.answer = answer
            self.session = session
            self.table = table
            self.cursor = cursor
            self.statement = statement
            statement.batch.note(answer)
            if answer.rowCount < count { closeCursor() }
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
                statement.batch.note(current)
                if current.rowCount < count { closeCursor() }
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
#endif
