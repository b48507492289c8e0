#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// One snapshot of the store, taken with the first request.
    final class ServerReadTransaction: SessionReading {
        private let store: PostgreSQLStore
        /// The session, or the reason why there is none.
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var session: Result<ServerSession, DataStoreError>
        private let endsWithTask: Bool

        /// - Parameter endsWithTask: True if requests throw `.cancelled` soon after their task is cancelled.
        init(of store: PostgreSQLStore, endsWithTask: Bool) throws(DataStoreError) {
            self.store = store
            self.endsWithTask = endsWithTask
            session = .success(try store.acquireReader(endsWithTask: endsWithTask))
        }

        deinit {
            end()
        }

        func current() throws(DataStoreError) -> ServerSession {
            let session = try session.get()
            // No other server is asked in its place either.
            try session.connection.requireSameProcess()
            return session
        }

        /// A standby that cannot begin the transaction is left for the primary.
        func perform<Value>(
            _ request: (ServerSession) throws(DataStoreError) -> Value
        ) throws(DataStoreError) -> Value {
            let session = try current()
            do throws(DataStoreError) {
                return try request(session)
            } catch {
                guard session.connection.role == .standby, session.couldNotBegin, error.code != .cancelled
                else { throw error }
                end()
                self.session = Result { () throws(DataStoreError) in
                    try store.readers.acquire(endsWithTask: endsWithTask)
                }
                return try request(try current())
            }
        }

        func end() {
            guard case .success(let session) = session else { return }
            self.session = .failure(.transactionEnded)
            session.end()
            store.readers.release(session)
        }

        func beginAgain() throws(DataStoreError) -> Bool {
            session = .success(try store.acquireReader(endsWithTask: endsWithTask))
            return true
        }
    }
#endif
