#if PostgreSQL
    import LarderKernel

    /// One snapshot of the store, taken with the first request.
    final class ServerReadTransaction: SessionReading {
        private let store: PostgreSQLStore
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var session: ServerSession?

        private let endsWithTask: Bool

        /// - Parameter endsWithTask: True if requests throw `.cancelled` soon after their task is cancelled.
        init(_ session: ServerSession, of store: PostgreSQLStore, endsWithTask: Bool) {
            self.session = session
            self.store = store
            self.endsWithTask = endsWithTask
            session.connection.watchesTask = endsWithTask
        }

        deinit {
            end()
        }

        func current() throws(DataStoreError) -> ServerSession {
            guard let session else { throw .transactionEnded }
            return session
        }

        func end() {
            guard let session else { return }
            self.session = nil
            session.end()
            session.connection.watchesTask = false
            store.readers.release(session)
        }

        func beginAgain() throws(DataStoreError) -> Bool {
            let session = try store.acquireReader()
            session.connection.watchesTask = endsWithTask
            self.session = session
            return true
        }
    }
#endif
