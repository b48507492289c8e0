#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The statements that change rows: one for each run of changes of one kind, all in one journey.
    ///
    /// A run has the changes of one item type, one kind and one set of columns that follow each other, each of another row.
    final class RowStatements {
        private let session: ServerSession
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var statements: [RowStatement: ServerStatement] = [:]

        private static let maximumRows = 1000
        /// The bytes of values after which a run ends.
        private static let maximumBytes = 4 << 20
        /// The bytes of one row that the server can take in one message, with room for the rest of it.
        private static let maximumRowBytes = 1_000_000_000
        private static let maximumStatementsOfTable = 32

        init(_ session: ServerSession) {
            self.session = session
        }

        /// Applies mutations in their order.
        func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
            var touched = TouchedRows()
            var position = 0
            while position < mutations.count {
                var runs = try runs(in: mutations, from: &position)
                var answers: ArraySlice<ServerAnswer>
                do throws(DataStoreError) {
                    answers = try perform(runs)[...]
                } catch {
                    guard ServerFailure.isAboutIdentifier(error) else { throw error }
                    // Which identifier it was is not known yet.
                    runs = try runs.map { run throws(DataStoreError) in
                        try self.run(in: mutations, from: run.range.lowerBound, isChecking: true)
                    }
                    answers = try perform(runs)[...]
                }
                for run in runs {
                    let answer = run.request == nil ? nil : answers.popFirst()
                    try add(run, answer, of: mutations, to: &touched)
                }
            }
            return touched
        }

        /// Inserts a row if a condition holds, by one statement.
        func insert(_ row: RowMutation, if condition: InsertCondition) throws(DataStoreError) -> Bool {
            try withUnsafePointer(to: row) { row throws(DataStoreError) in
                let row = UnsafeBufferPointer(start: row, count: 1)
                let run = try run(in: row, from: 0, if: condition)
                // A large row is sent once, when nothing is in its way.
                guard let request = run.request, run.byteCount < Self.maximumBytes / 4 else { return false }
                let count = try session.perform(request).changedCount
                session.noteInserted(count)
                return count == 1
            }
        }

        /// Some runs at a time, so that the values of one journey have room in memory.
        private func runs(
            in mutations: UnsafeBufferPointer<RowMutation>, from position: inout Int
        ) throws(DataStoreError) -> [Run] {
            var runs: [Run] = []
            var byteCount = 0
            while position < mutations.count, byteCount < Self.maximumBytes {
                let run = try run(in: mutations, from: position)
                runs.append(run)
                byteCount += run.byteCount
                position = run.range.upperBound
            }
            return runs
        }

        /// Runs the statements in one journey; if those that need a savepoint fail, they have changed nothing.
        private func perform(_ runs: [Run]) throws(DataStoreError) -> [ServerAnswer] {
            let requests = runs.compactMap(\.request)
            guard runs.contains(where: \.isGuarded) else { return try session.perform(requests) }
            try session.setSavepoint()
            do throws(DataStoreError) {
                let answers = try session.perform(requests)
                try session.releaseSavepoint()
                return answers
            } catch {
                // The caller's own savepoint is the innermost one again.
                try session.rollBackToSavepoint()
                throw error
            }
        }

        /// Changes that one statement makes.
        private struct Run {
            let range: Range<Int>
            /// Nil if nothing changes: an update of no column.
            let request: ServerRequest?
            let byteCount: Int
            /// True if an identifier that is taken makes it fail, so that it needs a savepoint.
            var isGuarded = false
        }
    }

    // MARK: Runs

    extension RowStatements {
        /// - Parameters:
        ///   - isChecking: True if the statement may not fail because of an identifier that is taken.
        ///   - condition: The condition of a lone insert; nil for none.
        private func run(
            in mutations: UnsafeBufferPointer<RowMutation>, from start: Int, isChecking: Bool = false,
            if condition: InsertCondition? = nil
        ) throws(DataStoreError) -> Run {
            let first = mutations[start]
            let table = session.tables[first.entity]
            if first.kind == .deleteAll {
                let request = session.connection.passing("DELETE FROM \(table.name)")
                return Run(range: start..<start + 1, request: request, byteCount: 0)
            }
            let columns = self.columns(of: first, table)
            if first.kind == .update, columns.count == 1 {
                return Run(range: start..<start + 1, request: nil, byteCount: 0)
            }
            var end = start
            var byteCount = 0
            var identifiers: Set<Constant> = []
            while end < mutations.count, end - start < Self.maximumRows, byteCount < Self.maximumBytes {
                let mutation = mutations[end]
                guard mutation.kind == first.kind, mutation.entity == first.entity,
                    mutation.columns == first.columns
                else { break }
                if mutation.kind != .insert {
                    // If one statement changes a row twice, the server makes the first change alone.
                    let identifier = Constant(mutation.cells[0], storage: table.storages[0])
                    guard identifiers.insert(identifier).inserted else { break }
                }
                var bytes = columns.reduce(0) { $0 + 16 + Int(mutation.cells[$1].length) }
                // Some characters take twice their bytes on the server.
                if bytes > Self.maximumRowBytes / 2 {
                    bytes = columns.reduce(0) {
                        $0 + 16 + written(mutation.cells[$1], as: table.storages[$1])
                    }
                }
                guard bytes <= Self.maximumRowBytes else {
                    throw DataStoreError(
                        .valueTooLarge,
                        "An item has \(bytes) bytes, and the server takes rows of \(Self.maximumRowBytes).",
                        itemType: table.schema.name)
                }
                byteCount += bytes
                end += 1
            }
            let isInserting = first.kind == .insert
            let isAlone = end - start == 1
            let ofOne: RowStatement.Form = condition == nil ? .one : .conditional
            let form = isAlone ? ofOne : isInserting && isChecking ? .checkedList : .list
            let parameters = ParameterList()
            for column in columns {
                let storage = table.storages[column]
                if isAlone {
                    parameters.append(first.cells[column], as: storage)
                } else {
                    parameters.appendList(count: end - start, as: storage) {
                        $1(mutations[start + $0].cells[column])
                    }
                }
            }
            let statement = statement(RowStatement(first, form), columns, table, condition)
            let request = ServerRequest(statement, parameters)
            return Run(
                range: start..<end, request: request, byteCount: byteCount,
                isGuarded: isInserting && form == .list)
        }

        private func statement(
            _ key: RowStatement, _ columns: [Int], _ table: EntityTable, _ condition: InsertCondition?
        ) -> ServerStatement {
            if let statement = statements[key] { return statement }
            if statements.count >= Self.maximumStatementsOfTable * session.tables.count {
                statements.removeAll()
            }
            let sql = key.sql(
                columns, table, if: condition?.sql(toInsertInto: key.entity, in: session.catalog))
            let made = session.connection.statement(sql)
            statements[key] = made
            return made
        }

        /// The bytes of a value as the server keeps it.
        private func written(_ cell: Cell, as storage: AttributeType.Storage) -> Int {
            storage.isText && !cell.isNull ? ServerText.count(of: cell.bytes) : Int(cell.length)
        }

        /// The columns whose values a mutation has, the identifier first.
        private func columns(of mutation: RowMutation, _ table: EntityTable) -> [Int] {
            switch mutation.kind {
            case .insert: Array(table.columns.indices)
            case .update: [0] + mutation.columns.filter { $0 > 0 }
            case .delete, .deleteAll: [0]
            }
        }

        private func add(
            _ run: Run, _ answer: ServerAnswer?, of mutations: UnsafeBufferPointer<RowMutation>,
            to touched: inout TouchedRows
        ) throws(DataStoreError) {
            let first = mutations[run.range.lowerBound]
            let count = answer.map { max($0.changedCount, $0.rowCount) } ?? 0
            if first.kind == .deleteAll { return touched.add(count) }
            if first.kind == .insert { session.noteInserted(count) }
            if count == run.range.count { return touched.addOne(forEachOf: count) }
            let table = session.tables[first.entity]
            let present: Set<Constant> =
                switch (first.kind, answer) {
                case (.update, _) where run.range.count > 1:
                    try identifiers(among: run.range.map { mutations[$0].cells[0] }, of: table)
                case (_, let answer?): try identifiers(in: answer, of: table)
                case (_, nil): []
                }
            var seen: Set<Constant> = []
            for position in run.range {
                let cell = mutations[position].cells[0]
                let identifier = Constant(cell, storage: table.storages[0])
                let isTouched = present.contains(identifier)
                if first.kind == .insert, !isTouched || !seen.insert(identifier).inserted {
                    throw table.schema.duplicateIdentifier(cell)
                }
                touched.add(isTouched ? 1 : 0)
            }
        }

        /// The identifiers that have a row.
        private func identifiers(
            among cells: [Cell], of table: EntityTable
        ) throws(DataStoreError) -> Set<Constant> {
            let key = table.columns[0]
            let parameters = ParameterList()
            parameters.appendList(count: cells.count, as: table.storages[0]) { $1(cells[$0]) }
            let request = session.connection.passing(
                "SELECT \(key) FROM \(table.name) WHERE \(key) = ANY($1)", parameters)
            return try identifiers(in: try session.perform(request), of: table)
        }

        private func identifiers(
            in answer: ServerAnswer, of table: EntityTable
        ) throws(DataStoreError) -> Set<Constant> {
            let arena = RowArena(chunkBytes: 4096)
            var identifiers: Set<Constant> = []
            for row in 0..<answer.rowCount {
                guard let bytes = answer.bytes(row, 0),
                    let cell = try WireValue.cell(bytes, as: table.storages[0], in: arena)
                else { continue }
                identifiers.insert(Constant(cell, storage: table.storages[0]))
            }
            return identifiers
        }
    }
#endif
