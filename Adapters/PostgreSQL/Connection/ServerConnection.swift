#if PostgreSQL
    import CPostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderPlatform
    import struct Foundation.UUID

    /// A statement that is prepared on a connection at its first use, and again after a reconnect.
    final class ServerStatement {
        /// The name on the server; empty for a statement that runs once and is not kept.
        let name: String
        let sql: String
        /// The count of the connection when the statement was prepared; nil if it was not.
        // reason: used by one thread at a time.
        @exclusivity(unchecked) fileprivate(set) var epoch: Int?
        private weak var connection: ServerConnection?

        fileprivate init(name: String, sql: String, on connection: ServerConnection) {
            (self.name, self.sql) = (name, sql)
            self.connection = connection
        }

        deinit {
            if let epoch { connection?.forget(name, of: epoch) }
        }
    }

    /// A statement to run, with its values.
    struct ServerRequest {
        let statement: ServerStatement
        let parameters: ParameterList?

        init(_ statement: ServerStatement, _ parameters: ParameterList? = nil) {
            (self.statement, self.parameters) = (statement, parameters)
        }
    }

    /// One connection to the server, on which all statements go through a pipeline.
    ///
    ///     let answers = try connection.perform([begin, select])       // in one journey
    ///
    /// *Rule:* used by one thread at a time. *Cost:* a ``perform(_:)`` is one journey to the server and back, whatever the
    /// number of statements; a ``post(_:)`` waits for nothing.
    final class ServerConnection {
        let hosts: ServerHosts
        let role: ServerHosts.Role
        private let forkCount = ForkCount()
        var options: PostgreSQLOptions { hosts.options }
        /// True if a pooler may give each transaction another session, of which nothing is known.
        var sharesSessions: Bool { options.pooler == .transaction }
        var path: String { hosts.path }
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) var handle: OpaquePointer?
        /// The timeline of the server, by which an old primary is known; 0 for a standby.
        @exclusivity(unchecked) var timeline: UInt64 = 0
        /// Names the session of the server, by which a pooler is noticed that gives a transaction another one.
        let mark = UUID().uuidString
        /// The number of times that the connection was made.
        @exclusivity(unchecked) var epoch = 0
        /// The moment at which the connection was made last.
        @exclusivity(unchecked) var madeAt = ContinuousClock.now
        /// The statements on their way whose answers are not read yet, one list for each pipeline.
        @exclusivity(unchecked) private var posted: [[Sent]] = []
        /// The names of prepared statements that are used no longer.
        @exclusivity(unchecked) var forgotten: [String] = []
        @exclusivity(unchecked) private var statementCount = 0
        @exclusivity(unchecked) private var cursorCount = 0
        /// The moment after which the statement that runs is cancelled; nil for none.
        @exclusivity(unchecked) private var deadline: ContinuousClock.Instant?
        @exclusivity(unchecked) private var isCancelled = false
        /// True if a wait for the server, or for a connection to it, ends when the task is cancelled.
        @exclusivity(unchecked) var watchesTask = false
        /// True if libpq has a large buffer since it has sent or read large values; it keeps it until the connection is closed.
        @exclusivity(unchecked) private(set) var hasLargeBuffer = false
        private static let maximumKeptBytes = 16 << 20

        /// A statement on its way.
        private struct Sent {
            let statement: ServerStatement
            /// True if it is prepared before it runs.
            let isPreparing: Bool
        }

        /// A connection to the primary.
        ///
        /// - Parameter waits: True to try again while the server is restarted or replaced.
        convenience init(_ hosts: ServerHosts, waits: Bool = false) throws(DataStoreError) {
            self.init(unconnectedTo: hosts)
            try waits ? reconnect() : connect()
        }

        /// A connection that ``connect()`` makes.
        init(unconnectedTo hosts: ServerHosts, _ role: ServerHosts.Role = .primary) {
            (self.hosts, self.role) = (hosts, role)
        }

        deinit {
            close()
        }

        /// Ends the connection; in a forked process it is left to the other one, so that nothing is sent.
        func close() {
            if let handle, !isForked { PQfinish(handle) }
            handle = nil
            posted = []
            hasLargeBuffer = false
        }

        private var isForked: Bool { !forkCount.isCurrent }

        /// - Throws: `.usedAfterFork`.
        func requireSameProcess() throws(DataStoreError) {
            try forkCount.requireSame(path: path)
        }

        /// True if the server is not the primary any more, as another connection has found.
        var isToOldPrimary: Bool { role == .primary && hosts.isRefused(timeline: timeline) }

        /// True if the connection is known to have ended.
        var isLost: Bool { handle.map { PQstatus($0) != CONNECTION_OK } ?? true }

        /// True if the connection has ended, as far as this machine knows by now.
        ///
        /// *Cost:* one system call.
        var hasEnded: Bool {
            guard let handle else { return true }
            // The end comes after the server's last words.
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            while poll(&socket, 1, 0) > 0 {
                if PQconsumeInput(handle) != 1 { return true }
            }
            return PQstatus(handle) != CONNECTION_OK
        }

        /// A statement that is prepared when it runs first; with a pooler for transactions, each time that it runs.
        ///
        /// *Rule:* the types of its values are the same in all runs.
        func statement(_ sql: String) -> ServerStatement {
            if sharesSessions { return passing(sql).statement }
            statementCount += 1
            return ServerStatement(name: "l\(statementCount)", sql: sql, on: self)
        }

        /// A request without values, with such a statement.
        func kept(_ sql: String) -> ServerRequest { ServerRequest(statement(sql)) }

        fileprivate func forget(_ name: String, of epoch: Int) {
            if epoch == self.epoch { forgotten.append(name) }
        }

        /// A name that no other cursor of the connection has.
        func newCursorName() -> String {
            cursorCount += 1
            return "larder_c\(cursorCount)"
        }

        /// A request whose statement is not kept.
        func passing(_ sql: String, _ parameters: ParameterList? = nil) -> ServerRequest {
            ServerRequest(ServerStatement(name: "", sql: sql, on: self), parameters)
        }
    }

    // MARK: Statements

    extension ServerConnection {
        /// Sends requests whose outcome decides nothing, and waits for none of their answers.
        func post(_ requests: [ServerRequest]) {
            guard !isForked, !isLost, postForgotten(), let sent = send(requests) else { return }
            posted.append(sent)
            if let handle { _ = PQflush(handle) }
        }

        /// Runs requests in one journey, and returns their answers.
        ///
        /// - Parameter time: The time after which they are cancelled; nil for none.
        /// - Throws: The error of the first one that fails; those after it are not run. `.usedAfterFork`.
        func perform(
            _ requests: [ServerRequest], within time: Duration? = nil
        ) throws(DataStoreError) -> [ServerAnswer] {
            try requireSameProcess()
            (deadline, isCancelled) = (time.map { .now + $0 }, false)
            defer { deadline = nil }
            options.journeyProbe?(requests.map(\.statement.sql))
            guard !isLost else { throw ServerFailure.lost("closed", path: path) }
            guard postForgotten(), let sent = send(requests) else { throw lost() }
            try flush()
            for earlier in posted.indices {
                // An error of a request that was posted ends its transaction, as was meant.
                do throws(DataStoreError) { _ = try answers(of: posted[earlier]) } catch {
                    // A limit of the server has ended that transaction, not what is asked now.
                    guard error.code == .timedOut, ServerFailure.endsConnection(error) else { throw error }
                    throw ServerFailure.lost(error.underlying?.message ?? "", path: path)
                }
            }
            posted = []
            let outcome = try answers(of: sent)
            if let error = outcome.error { throw error }
            return Array(outcome.answers.suffix(requests.count))
        }

        func perform(_ request: ServerRequest) throws(DataStoreError) -> ServerAnswer {
            guard let answer = try perform([request]).first else { throw lost() }
            return answer
        }

        /// Runs a statement that is not kept, with texts of the store's own as its parameters.
        @discardableResult
        func execute(_ sql: String, _ names: String...) throws(DataStoreError) -> ServerAnswer {
            let parameters = ParameterList()
            for name in names { parameters.append(name: name) }
            return try perform(passing(sql, parameters))
        }

        /// Ends a connection that has failed, and returns the error.
        func lost() -> DataStoreError {
            let message = handle.map { ServerFailure.trimmed(PQerrorMessage($0)) }
            close()
            return ServerFailure.lost(message ?? "The connection is closed.", path: path)
        }

        /// Removes statements from the server that are used no longer, in a pipeline of their own: before a BEGIN in its
        /// pipeline, they would begin a transaction themselves.
        private func postForgotten() -> Bool {
            guard !forgotten.isEmpty, let handle, PQtransactionStatus(handle) != PQTRANS_INERROR else {
                return true
            }
            let requests = forgotten.map { passing("DEALLOCATE \($0)") }
            forgotten = []
            guard let sent = send(requests) else { return false }
            posted.append(sent)
            return true
        }

        /// Puts requests into the pipeline; nil if libpq refuses, as the connection has ended.
        private func send(_ requests: [ServerRequest]) -> [Sent]? {
            guard let handle else { return nil }
            var sent: [Sent] = []
            for request in requests {
                let (statement, parameters) = (request.statement, request.parameters ?? ParameterList())
                let isPreparing = !statement.name.isEmpty && statement.epoch != epoch
                if isPreparing {
                    let types = parameters.types
                    guard PQsendPrepare(handle, statement.name, statement.sql, Int32(types.count), types) == 1
                    else { return nil }
                    statement.epoch = epoch
                }
                guard run(statement, parameters, on: handle) else { return nil }
                sent.append(Sent(statement: statement, isPreparing: isPreparing))
            }
            return PQpipelineSync(handle) == 1 ? sent : nil
        }

        private func run(
            _ statement: ServerStatement, _ parameters: ParameterList, on handle: OpaquePointer
        ) -> Bool {
            let count = Int32(parameters.count)
            if parameters.bytes.count > Self.maximumKeptBytes { hasLargeBuffer = true }
            return parameters.withPointers { values, lengths, formats in
                if statement.name.isEmpty {
                    PQsendQueryParams(
                        handle, statement.sql, count, parameters.types, values, lengths, formats, 1)
                } else {
                    PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
                }
            } == 1
        }

        /// Writes all that was sent, and reads what the server sends meanwhile.
        private func flush() throws(DataStoreError) {
            while let handle {
                let state = PQflush(handle)
                if state == 0 { return }
                guard state == 1 else { throw lost() }
                try wait(for: Int16(POLLIN | POLLOUT))
            }
        }

        /// Waits for the socket, and reads what has come.
        private func wait(for events: Int16) throws(DataStoreError) {
            guard let handle else { throw lost() }
            var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            let usesTLS = usesTLS
            while true {
                let count = poll(&socket, 1, try milliseconds())
                if count < 0, errno != EINTR { throw lost() }
                if watchesTask, AwaitedThread.isCancelled {
                    _ = stop()
                    // The order to stop may come late, and hit another statement.
                    close()
                    throw Cancellation.error("The read")
                }
                if count > 0 || usesTLS { break }
            }
            let isReadable = socket.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
            if isReadable || usesTLS, PQconsumeInput(handle) != 1 { throw lost() }
        }

        /// The longest wait for the socket, in milliseconds; -1 for no end.
        ///
        /// The socket does not tell of a task that is cancelled. Nor does it tell of what OpenSSL holds: some poolers send TLS
        /// records of more than 8 kB, and libpq may read only a part of one.
        ///
        /// *Source:* pull request 993 of supabase/supavisor, 148470 of cockroachdb/cockroach, issue 588 of ged/ruby-pg.
        var pause: Int32 { watchesTask || usesTLS ? 50 : -1 }

        private var usesTLS: Bool { handle.map { PQsslInUse($0) == 1 } ?? false }

        /// The time after which the pause or the deadline is over, in milliseconds; -1 for no end.
        ///
        /// - Throws: `.connectionLost` if the server does not even answer to be stopped.
        private func milliseconds() throws(DataStoreError) -> Int32 {
            let pause = pause
            guard let deadline else { return pause }
            let left = deadline - .now
            if left > .zero {
                return pause > 0 ? pause : Int32(clamping: left.milliseconds + 1)
            }
            // An order that comes later would stop another statement.
            if isCancelled || !stop() { throw lost() }
            (isCancelled, self.deadline) = (true, .now + options.connectTimeout)
            return 100
        }

        /// Orders the server to stop the statement that runs; false if it does not take the order.
        private func stop() -> Bool {
            guard let handle, let order = CancelOrder(handle) else { return false }
            return order.deliver(within: .seconds(2))
        }
    }

    // MARK: Answers

    extension ServerConnection {
        /// Reads the answers of a pipeline up to its end.
        private func answers(
            of sent: [Sent]
        ) throws(DataStoreError) -> (answers: [ServerAnswer], error: DataStoreError?) {
            var answers: [ServerAnswer] = []
            var failure: DataStoreError?
            for request in sent {
                if request.isPreparing {
                    let prepared = try nextAnswer()
                    failure = failure ?? prepared.error
                    if prepared.answer == nil { request.statement.epoch = nil }
                }
                let outcome = try nextAnswer()
                failure = failure ?? outcome.error
                if let answer = outcome.answer { answers.append(answer) }
            }
            guard let end = try nextResult() else {
                // The last words of a server or a pooler say more than the end of the connection.
                let lost = lost()
                throw failure ?? lost
            }
            defer { PQclear(end) }
            guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else {
                let error = self.error(in: end)
                close()
                throw error
            }
            return (answers, failure)
        }

        /// Reads the answer of one statement, or nothing if one before it has failed.
        private func nextAnswer() throws(DataStoreError) -> (answer: ServerAnswer?, error: DataStoreError?) {
            var answer: ServerAnswer?
            var failure: DataStoreError?
            while let result = try nextResult() {
                switch PQresultStatus(result) {
                case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                    let made = ServerAnswer(result)
                    // A row is read into the buffer as a whole.
                    if made.hasRow(over: Self.maximumKeptBytes) { hasLargeBuffer = true }
                    answer = made
                case PGRES_PIPELINE_ABORTED: PQclear(result)
                default:
                    let error = self.error(in: result)
                    PQclear(result)
                    // A standby that ends a reading may end the connection with it.
                    if ServerFailure.endsConnection(error) {
                        close()
                        throw error
                    }
                    failure = error
                }
            }
            return (answer, failure)
        }

        private func error(in result: OpaquePointer) -> DataStoreError {
            ServerFailure.error(result, path: path, isOfReader: role == .standby || options.isReadOnly)
        }

        private func nextResult() throws(DataStoreError) -> OpaquePointer? {
            while let handle {
                if PQisBusy(handle) == 0 { return PQgetResult(handle) }
                try wait(for: Int16(POLLIN))
            }
            throw lost()
        }
    }
#endif
