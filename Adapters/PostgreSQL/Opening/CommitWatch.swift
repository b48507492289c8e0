#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import struct Foundation.UUID

    /// Asks the server periodically for commits and schema changes of other processes, until it is ended.
    ///
    /// *Cost:* a thread, a connection, and ten questions a second that each read a row and an entry of an index.
    final class CommitWatch: StorageWatch, @unchecked Sendable {
        // reason: `hasEnded` and `isRunning` are only touched with the lock of `condition` held; all else belongs to the thread.
        private let condition = Condition()
        private var hasEnded = false
        private var isRunning = true
        private let identity: UUID
        private let body: @Sendable () -> Void
        private let connection: ServerConnection
        private let question: ServerStatement
        private var number: Int64 = 0
        /// The generation of the schema; nil before the first question.
        private var generation: Int64?
        private let forkCount = ForkCount.current

        private static let pause = Duration.milliseconds(100)

        /// - Parameter identity: Names the commits that are the store's own.
        init(
            in place: ServerPlace, besides identity: UUID, _ body: @escaping @Sendable () -> Void,
            connect: () throws(DataStoreError) -> ServerConnection
        ) throws(DataStoreError) {
            self.identity = identity
            self.body = body
            connection = try connect()
            question = connection.statement(
                """
                SELECT (SELECT generation FROM \(place.store)), max(number), coalesce(bool_or(writer <> $2), false) \
                FROM \(place.commits) WHERE number > $1
                """, [WireValue.bigint, WireValue.uuid])
            _ = try ask()
            guard OSThread.start({ [self] in run() }) else {
                connection.close()
                throw DataStoreError(.inputOutput, "The operating system gave no thread to watch the server.")
            }
        }

        func end() {
            // A forked process has no thread to wait for.
            if ForkCount.current != forkCount { return connection.abandon() }
            condition.withLock {
                hasEnded = true
                condition.signalAll()
                while isRunning { condition.wait() }
            }
        }

        private func run() {
            while waitForNext() {
                do throws(DataStoreError) {
                    if try askAgain() { body() }
                } catch {
                    // The store was removed, which a reader finds; an outage ends, and is asked about again.
                    if ServerFailure.isAboutSchema(error) { body() }
                }
            }
            connection.close()
            condition.withLock {
                isRunning = false
                condition.signalAll()
            }
        }

        /// False if the watch has ended.
        private func waitForNext() -> Bool {
            condition.withLock {
                let end = ContinuousClock.now + Self.pause
                while !hasEnded, condition.wait(until: end) {}
                return !hasEnded
            }
        }

        private func askAgain() throws(DataStoreError) -> Bool {
            if connection.isLost { try connection.connect() }
            return try ask()
        }

        /// True if another process has committed or changed the schema since the last call.
        private func ask() throws(DataStoreError) -> Bool {
            let parameters = ParameterList()
            parameters.append(Int(number))
            parameters.append(identity)
            let answer = try connection.perform(question, parameters)
            let known = generation
            generation = answer.integer(0, 0)
            if let last = answer.integer(0, 1) {
                number = last
                connection.hosts.note(commit: last)
            }
            return answer.bool(0, 2) || (known != nil && known != generation)
        }
    }
#endif
