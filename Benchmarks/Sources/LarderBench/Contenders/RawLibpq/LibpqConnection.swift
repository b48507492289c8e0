#if PostgreSQL
    import CPostgreSQLRaw
    import Foundation

    /// A statement that is prepared on a connection.
    struct LibpqStatement {
        let name: String
    }

    /// A connection for one thread, on which all statements go through a pipeline; it is closed once.
    ///
    /// A call ends the pipeline of the statements that were sent: ``perform()`` and ``answer()`` are a trip to
    /// the server and back, ``post()`` waits for nothing.
    final class LibpqConnection {
        /// The rows that one statement writes, or one FETCH reads.
        static let batch = 1000

        private let handle: OpaquePointer
        /// The statements of the pipeline that is filled.
        private var sent = 0
        /// The number of statements in each pipeline whose answers were not read, as nothing depends on them.
        private var unread: [Int] = []
        private var preparedCount = 0

        init(to address: String) throws {
            guard let made = PQconnectdb(address) else {
                throw LibpqFailure(message: "There is no memory for a connection.")
            }
            handle = made
            guard PQstatus(made) == CONNECTION_OK, PQsetnonblocking(made, 1) == 0,
                PQenterPipelineMode(made) == 1
            else {
                let failure = LibpqFailure(of: made)
                PQfinish(made)
                throw failure
            }
            PQsetNoticeProcessor(made, { _, _ in }, nil)
        }

        func close() {
            PQfinish(handle)
        }
    }

    // MARK: Sending

    extension LibpqConnection {
        func send(_ statement: LibpqStatement, _ parameters: LibpqParameters = LibpqParameters()) throws {
            let code: Int32 = parameters.withPointers { count, values, lengths, formats -> Int32 in
                PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
            }
            try check(code)
            sent += 1
        }

        /// Sends a statement that is not prepared.
        func send(sql: String) throws {
            try check(PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1))
            sent += 1
        }

        /// Sends a statement for each batch of a list; the server begins with one while the next is written.
        func sendBatches(
            _ statement: LibpqStatement, count: Int,
            _ append: (Range<Int>, inout LibpqParameters) -> Void
        ) throws {
            var parameters = LibpqParameters()
            for start in stride(from: 0, to: count, by: Self.batch) {
                parameters.removeAll()
                append(start..<min(start + Self.batch, count), &parameters)
                try send(statement, parameters)
                try flush()
            }
        }

        /// Ends the pipeline; its answers are read with the next pipeline.
        func post() throws {
            try check(PQpipelineSync(handle))
            try flush()
            unread.append(sent)
            sent = 0
        }

        /// Writes everything that was sent, and reads what the server sends meanwhile.
        func flush() throws {
            while true {
                let state: Int32 = PQflush(handle)
                if state == 0 { return }
                if state < 0 { throw LibpqFailure(of: handle) }
                try wait(for: Int16(POLLIN | POLLOUT))
            }
        }

        private func check(_ code: Int32) throws {
            guard code == 1 else { throw LibpqFailure(of: handle) }
        }

        private func wait(for events: Int16) throws {
            var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            while true {
                let count: Int32 = poll(&socket, 1, -1)
                if count > 0 { break }
                if count < 0, errno != EINTR { throw LibpqFailure(of: handle) }
            }
            if socket.revents & ~Int16(POLLOUT) != 0 { try check(PQconsumeInput(handle)) }
        }
    }

    // MARK: Answers

    extension LibpqConnection {
        /// Ends the pipeline, and returns the answers of all of its statements.
        func perform() throws -> [LibpqAnswer] {
            let count: Int = sent
            sent = 0
            try check(PQpipelineSync(handle))
            try flush()
            for earlier in unread {
                for _ in 0..<earlier { _ = try nextAnswer() }
                try readEnd()
            }
            unread.removeAll(keepingCapacity: true)
            var answers: [LibpqAnswer] = []
            answers.reserveCapacity(count)
            for _ in 0..<count { answers.append(try nextAnswer()) }
            try readEnd()
            return answers
        }

        /// Ends the pipeline, and returns the answer of its last statement.
        func answer() throws -> LibpqAnswer {
            let answers: [LibpqAnswer] = try perform()
            guard let last = answers.last else { throw LibpqFailure(message: "No statement was sent.") }
            return last
        }

        /// Runs a statement that is not prepared.
        func execute(_ sql: String) throws {
            try send(sql: sql)
            _ = try perform()
        }

        /// Prepares a statement, in a trip of its own.
        func prepare(_ sql: String, _ types: [UInt32]) throws -> LibpqStatement {
            preparedCount += 1
            let name: String = "b\(preparedCount)"
            try check(PQsendPrepare(handle, name, sql, Int32(types.count), types))
            sent += 1
            _ = try perform()
            return LibpqStatement(name: name)
        }

        private func nextAnswer() throws -> LibpqAnswer {
            var found: LibpqAnswer?
            while let result = try nextResult() {
                switch PQresultStatus(result) {
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK: found = LibpqAnswer(result)
                default:
                    let failure = LibpqFailure(result: result)
                    PQclear(result)
                    throw failure
                }
            }
            guard let found else { throw LibpqFailure(message: "A statement has no answer.") }
            return found
        }

        private func readEnd() throws {
            guard let end = try nextResult() else {
                throw LibpqFailure(message: "A pipeline has no end.")
            }
            defer { PQclear(end) }
            guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw LibpqFailure(result: end) }
        }

        private func nextResult() throws -> OpaquePointer? {
            while PQisBusy(handle) != 0 { try wait(for: Int16(POLLIN)) }
            return PQgetResult(handle)
        }
    }
#endif
