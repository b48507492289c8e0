#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderPlatform
    import struct Foundation.UUID

    /// Asks the server periodically for commits and schema changes of other processes, until it is ended.
    ///
    /// A notification wakes it at once. A pooler for transactions has none.
    ///
    /// *Cost:* a thread, a connection, and ten questions a second that each read three rows and an entry of an index.
    final class CommitWatch: StorageWatch, @unchecked Sendable {
        // reason: `hasEnded` and `activity` are only touched with the lock of `condition` held; all else belongs to
        // the thread.
        /// The activities of the thread; nothing waits while it makes a connection.
        private enum Activity {
            case asking, connecting, callingBody, over
        }

        private let condition = Condition()
        private var hasEnded = false
        private let listening: String?
        /// A pipe, whose end that is read gets a byte when the watch ends.
        private let wake: (read: Int32, write: Int32)
        private let pause: Duration
        private var activity = Activity.asking
        private let identity: UUID
        private let body: @Sendable () -> Void
        private let beforeQuestion: @Sendable () -> Void
        private let connection: ServerConnection
        private let question: ServerStatement
        /// The newest commit that is known, by its number and its token; 0 and nil for none.
        private var number: Int64 = 0
        private var token: UUID?
        /// The generation of the schema; nil before the first question.
        private var generation: Int64?
        /// True until the first answer of a server that may lack commits, even the store's own.
        private var mayLackCommits = false
        private var uncertaintyCount = 0
        private let forkCount = ForkCount()

        /// Asks the server for the first time; if it does not answer now, the thread asks it again, and the first answer calls
        /// the body.
        ///
        /// - Parameters:
        ///   - identity: Names the commits that are the store's own.
        ///   - pause: The time between two questions.
        ///   - beforeQuestion: Called before each question, by the thread of the watch.
        init(
            in place: ServerPlace, on hosts: ServerHosts, besides identity: UUID,
            pause: Duration = .milliseconds(100), _ body: @escaping @Sendable () -> Void,
            beforeQuestion: @escaping @Sendable () -> Void = {}
        ) throws(DataStoreError) {
            self.identity = identity
            self.body = body
            self.beforeQuestion = beforeQuestion
            self.pause = pause
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else {
                throw DataStoreError(.inputOutput, "The operating system gave no pipe to watch the server.")
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            wake = (ends[0], ends[1])
            connection = ServerConnection(unconnectedTo: hosts)
            listening = connection.sharesSessions ? nil : "LISTEN \(place.channel)"
            question = connection.statement(
                """
                SELECT (SELECT generation FROM \(place.store)), coalesce(bool_or(writer <> $2), false), max(number), \
                (array_agg(token ORDER BY number DESC))[1], \(connection.timelineOfTransaction), \
                (SELECT token FROM \(place.commits) WHERE number = $1), \
                (SELECT token FROM \(place.commits) WHERE number = $3) FROM \(place.commits) WHERE number > $1
                """)
            do throws(DataStoreError) {
                _ = try askAgain()
            } catch {
                guard [.connectionLost, .busy, .timedOut].contains(error.code) else {
                    release()
                    throw error
                }
            }
            guard OSThread.start({ [self] in run() }) else {
                release()
                throw DataStoreError(.inputOutput, "The operating system gave no thread to watch the server.")
            }
        }

        /// A standby has no notifications, and is asked all the same.
        private func listen() {
            guard let listening else { return }
            _ = try? connection.performAlone([connection.passing(listening)])
        }

        private func release() {
            connection.close()
            for end in [wake.read, wake.write] { _ = close(end) }
        }

        /// Ends the watch, and closes its connection if the server answers, as its question would hold up a `destroy()`.
        ///
        /// A silent server is waited for a second at most, and not at all while a connection is made. The thread ends by
        /// itself then, as soon as it learns of the end, and closes the connection.
        func end() {
            // A forked process has no thread to wait for.
            if !forkCount.isCurrent { return }
            let limit = ContinuousClock.now + .seconds(1)
            condition.withLock {
                // The thread closes the pipe at the end.
                if !hasEnded {
                    hasEnded = true
                    var byte: UInt8 = 0
                    _ = write(wake.write, &byte, 1)
                    condition.signalAll()
                }
                while activity == .callingBody { condition.wait() }
                while activity == .asking, condition.wait(until: limit) {}
            }
        }

        private func run() {
            while waitForNext() {
                beforeQuestion()
                do throws(DataStoreError) {
                    if try askAgain() { callBody() }
                } catch {
                    // The store was removed, which a reader finds; an outage ends, and is asked about again.
                    if ServerFailure.isAboutSchema(error) { callBody() }
                }
            }
            condition.withLock {
                release()
                activity = .over
                condition.signalAll()
            }
        }

        /// Calls the body, unless the watch has ended.
        private func callBody() {
            guard note(.callingBody) else { return }
            body()
            _ = note(.asking)
        }

        /// Waits for the next question; false if the watch has ended.
        private func waitForNext() -> Bool {
            let end = ContinuousClock.now + pause
            if connection.waitForNotification(orReading: wake.read, until: end) {
                return condition.withLock { !hasEnded }
            }
            return condition.withLock {
                while !hasEnded, condition.wait(until: end) {}
                return !hasEnded
            }
        }

        private func askAgain() throws(DataStoreError) -> Bool {
            if connection.isLost || connection.isToOldPrimary {
                guard note(.connecting) else { return false }
                defer { _ = note(.asking) }
                try connection.connect()
                listen()
                noteOtherServer()
            }
            // It may have ended meanwhile.
            guard condition.withLock({ !hasEnded }) else { return false }
            return try ask()
        }

        /// Notes the next activity of the thread; false if the watch has ended, after which it only ends its questions.
        private func note(_ next: Activity) -> Bool {
            condition.withLock {
                // After the end, the thread only goes back to its questions, whose loop ends it.
                if hasEnded, next != .asking { return false }
                activity = next
                condition.signalAll()
                return !hasEnded
            }
        }

        /// A promoted standby, or a store that was restored in its place, may lack the latest commits, and gives their
        /// numbers again.
        private func noteOtherServer() { (number, token, mayLackCommits) = (0, nil, true) }

        /// True if another process has committed or changed the schema since the last call.
        ///
        /// - Parameter lost: The token of a commit that the server had before; nil for none.
        private func ask(after lost: UUID? = nil) throws(DataStoreError) -> Bool {
            let uncertainty = connection.hosts.uncertaintyCount
            let seen = connection.hosts.newestCommit
            let parameters = ParameterList()
            parameters.append(Int(number))
            parameters.append(identity)
            parameters.append(Int(seen.number))
            let answers = try connection.performAlone([ServerRequest(question, parameters)])
            // An answer that comes late is not noted: the store may be open again by now.
            guard let answer = answers.first, condition.withLock({ !hasEnded }) else { return false }
            let timeline = connection.timeline
            try connection.note(timelineOfTransaction: answer.text(0, 4))
            if connection.timeline != timeline {
                // The answer is to a number of the server from which the pooler has changed.
                noteOtherServer()
                return try ask()
            }
            if number > 0, answer.uuid(0, 5) != token {
                // The store was restored in its place, or thousands of commits have come since.
                let lost = token
                noteOtherServer()
                return try ask(after: lost)
            }
            let known = generation
            generation = answer.integer(0, 0)
            let last =
                answer.commit(at: 2, on: connection.timeline)
                ?? ServerCommit(timeline: connection.timeline, number: number, token: token)
            (number, token) = (last.number, last.token)
            connection.hosts.note(
                last, after: seen, hasSeen: answer.uuid(0, 6) == seen.token,
                isCertain: lost != nil && lost == seen.token)
            // A block that ended without an outcome has told the observers nothing, and its commit may come late.
            let mayBeKept =
                uncertainty != uncertaintyCount || (uncertainty % 2 == 1 && answer.integer(0, 2) != nil)
            defer { (mayLackCommits, uncertaintyCount) = (false, uncertainty) }
            return mayLackCommits || mayBeKept || answer.bool(0, 1) || (known != nil && known != generation)
        }
    }
#endif
