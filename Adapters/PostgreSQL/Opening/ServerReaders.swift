#if PostgreSQL
    import LarderKernel

    /// The connections that read, to the primary and to standbys.
    final class ServerReaders: @unchecked Sendable {
        // reason: all mutable state is only touched with `lock` held.
        private let lock = Lock()
        private let open: (ServerHosts.Role) throws(DataStoreError) -> ServerSession
        private let now: () -> ContinuousClock.Instant
        private var idle: [ServerSession]
        private var usedCount = 0
        private var isClosed = false

        /// The moment before which standbys are not asked, as none has answered; nil if one has.
        private var standbyPause: ContinuousClock.Instant?

        /// Readers of which there is one already.
        ///
        /// - Parameters:
        ///   - now: The clock for the pauses of standbys, for tests.
        ///   - open: Makes another one, whose connection may be one that is yet to be made.
        init(
            first: ServerSession, now: @escaping () -> ContinuousClock.Instant = { .now },
            open: @escaping (ServerHosts.Role) throws(DataStoreError) -> ServerSession
        ) {
            self.open = open
            self.now = now
            idle = [first]
        }

        /// A session on a standby, if one answers; else on the primary.
        ///
        /// The caller must ``release(_:)`` it.
        func acquireOfStandby(endsWithTask: Bool = false) throws(DataStoreError) -> ServerSession {
            let start = now()
            let isPaused = lock.withLock { standbyPause.map { start < $0 } ?? false }
            if isPaused { return try acquire(endsWithTask: endsWithTask) }
            do throws(DataStoreError) {
                let session = try acquire(.standby, endsWithTask: endsWithTask)
                lock.withLock { standbyPause = nil }
                return session
            } catch {
                // A block waits for a host that answers nothing, so that must be seldom.
                let end = now()
                let waited = end - start
                let isCancelled = endsWithTask && AwaitedThread.isCancelled
                // A wait that was cancelled soon, or before all hosts were asked, says nothing about the standbys.
                let isEarly = isCancelled && (waited <= .seconds(1) || error.code == .cancelled)
                let pause: ContinuousClock.Instant? =
                    isEarly ? nil : end + max(Duration.seconds(1), waited * 10)
                lock.withLock { standbyPause = pause }
                // The wait for the primary would end too, and close its connection for nothing.
                if isCancelled { throw Cancellation.error("The read") }
                return try acquire(endsWithTask: endsWithTask)
            }
        }

        /// A session to read with; the caller must ``release(_:)`` it.
        ///
        /// - Parameter endsWithTask: True if its waits end when the task is cancelled.
        func acquire(
            _ role: ServerHosts.Role = .primary, endsWithTask: Bool = false
        ) throws(DataStoreError) -> ServerSession {
            let found = try lock.withLock { () throws(DataStoreError) in
                if isClosed { throw DataStoreError(.closed, "The store was used after it had been closed.") }
                usedCount += 1
                return idle.lastIndex { $0.connection.role == role }.map { idle.remove(at: $0) }
            }
            do throws(DataStoreError) {
                // The primary is waited for by the transaction; a standby is not, and one block at a time tries to reach it.
                if role == .standby, found?.connection.isLost ?? true {
                    let pause = now() + .seconds(60)
                    lock.withLock { standbyPause = pause }
                }
                let session: ServerSession
                if let found { session = found } else { session = try open(role) }
                let connection = session.connection
                connection.watchesTask = endsWithTask
                if connection.isLost, role == .standby {
                    try connection.connect()
                } else if connection.isLost, found == nil {
                    try connection.reconnect()
                }
                return session
            } catch {
                lock.withLock { usedCount -= 1 }
                throw error
            }
        }

        func release(_ session: ServerSession) {
            lock.withLock {
                session.connection.watchesTask = false
                session.idleSince = .now
                usedCount -= 1
                idle.append(session)
            }
        }

        /// Closes the connections that have been idle for `maximumIdleTime`, or were made half an hour ago.
        ///
        /// - Parameter now: The moment by which they are judged, for tests.
        func closeOld(now: ContinuousClock.Instant = .now) {
            func isOld(_ session: ServerSession) -> Bool {
                let connection = session.connection
                return now - session.idleSince >= connection.options.maximumIdleTime
                    || now - connection.madeAt >= .seconds(1800)
            }
            let old = lock.withLock {
                defer { idle.removeAll(where: isOld) }
                return idle.filter(isOld)
            }
            for session in old { session.connection.close() }
        }

        /// Takes all sessions out of use, to be closed by the caller.
        ///
        /// - Throws: `.nestedTransaction` while any is in use, and nothing is done.
        func close(path: String) throws(DataStoreError) -> [ServerSession] {
            try lock.withLock { () throws(DataStoreError) in
                guard usedCount == 0 else {
                    throw DataStoreError(
                        .nestedTransaction,
                        "The store cannot be closed while \(usedCount) transactions are open.",
                        path: path)
                }
                isClosed = true
                defer { idle = [] }
                return idle
            }
        }
    }
#endif
