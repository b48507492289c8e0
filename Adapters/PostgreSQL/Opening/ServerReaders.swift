#if PostgreSQL
    import LarderKernel

    /// The connections that read.
    final class ServerReaders: @unchecked Sendable {
        // reason: all mutable state is only touched with `lock` held.
        private let lock = Lock()
        private let open: () throws(DataStoreError) -> ServerSession
        private var idle: [ServerSession]
        private var usedCount = 0
        private var isClosed = false

        /// Readers of which there is one already.
        init(first: ServerSession, open: @escaping () throws(DataStoreError) -> ServerSession) {
            self.open = open
            idle = [first]
        }

        /// A session to read with; the caller must ``release(_:)`` it.
        func acquire() throws(DataStoreError) -> ServerSession {
            let found = try lock.withLock { () throws(DataStoreError) in
                if isClosed { throw DataStoreError(.closed, "The store was used after it had been closed.") }
                usedCount += 1
                return idle.popLast()
            }
            if let found { return found }
            do throws(DataStoreError) {
                return try open()
            } catch {
                lock.withLock { usedCount -= 1 }
                throw error
            }
        }

        func release(_ session: ServerSession) {
            lock.withLock {
                usedCount -= 1
                idle.append(session)
            }
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

        /// Leaves the connections to the process that this one was forked from.
        func abandon() { for session in idle { session.connection.abandon() } }
    }
#endif
