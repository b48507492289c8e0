#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// One snapshot of the store, taken with the first request.
    final class ServerReadTransaction: SessionReading {
        private let store: PostgreSQLStore
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var session: ServerSession?

        /// The reason why no other session could be taken; nil if one was.
        @exclusivity(unchecked) private var failure: DataStoreError?

        private let endsWithTask: Bool

        /// - Parameter endsWithTask: True if requests throw `.cancelled` soon after their task is cancelled.
        init(of store: PostgreSQLStore, endsWithTask: Bool) throws(DataStoreError) {
            self.store = store
            self.endsWithTask = endsWithTask
            session = try store.acquireReader(endsWithTask: endsWithTask)
        }

        deinit {
            end()
        }

        func current() throws(DataStoreError) -> ServerSession {
            guard let session else { throw failure ?? .transactionEnded }
            // No other server is asked in its place either.
            try session.connection.requireSameProcess()
            return session
        }

        /// A standby that cannot begin the transaction is left for the primary.
        func perform<Result>(
            _ request: (ServerSession) throws(DataStoreError) -> Result
        ) throws(DataStoreError) -> Result {
            let session = try current()
            do throws(DataStoreError) {
                return try request(session)
            } catch {
                guard session.connection.role == .standby, session.couldNotBegin, error.code != .cancelled
                else { throw error }
                end()
                do throws(DataStoreError) {
                    take(try store.readers.acquire(endsWithTask: endsWithTask))
                } catch {
                    failure = error
                    throw error
                }
                return try request(try current())
            }
        }

        private func take(_ session: ServerSession) {
            (self.session, failure) = (session, nil)
        }

        func end() {
            guard let session else { return }
            self.session = nil
            session.end()
            store.readers.release(session)
        }

        func beginAgain() throws(DataStoreError) -> Bool {
            take(try store.acquireReader(endsWithTask: endsWithTask))
            return true
        }
    }
#endif
