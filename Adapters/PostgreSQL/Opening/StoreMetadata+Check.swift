#if PostgreSQL
    import LarderEngine
    public import LarderKernel
    import LarderSQL

    extension StoreMetadata {
        /// Checks a whole store on a server: its tables, and every row as it is read, with the types that the app does not
        /// know.
        ///
        /// *Rule:* all is read in one snapshot, on a connection of its own. A table that cannot be read ends the snapshot, and
        /// the rest is read in another one.
        ///
        /// - Throws: Errors that prevent further reading; damage is returned.
        func problems() throws(DataStoreError) -> [String] {
            guard let stored = try self.schema() else {
                throw DataStoreError(
                    .damaged, "The store has been removed from the server.", path: connection.path)
            }
            let schema = try StoreSchema(of: stored)
            let reading = SoleReading(
                ServerSession(
                    .checking, on: connection, EntityTable.all(of: schema, as: stored.entities, in: place),
                    generation: stored.generation, identity: stored.identity, in: place))
            defer { reading.end() }
            var invariants = StoreInvariants(of: schema, in: reading)
            for problem in try TableAgreement(schema: stored, metadata: self).problems() {
                invariants.note(problem)
            }
            try invariants.check()
            return invariants.problems
        }
    }

    /// A snapshot on a connection that serves nothing else.
    private final class SoleReading: SessionReading {
        private let session: ServerSession

        init(_ session: ServerSession) {
            self.session = session
        }

        /// The server answers nothing more in a transaction with an error, so another one is begun after it.
        func current() throws(DataStoreError) -> ServerSession {
            if session.failure != nil { session.end() }
            return session
        }

        func end() { session.end() }
    }

    extension PostgreSQLDataStore {
        /// Returns the defects of the store, one sentence each, up to a limit; empty if it is sound.
        ///
        ///     func isSound(_ store: PostgreSQLDataStore) throws(DataStoreError) -> Bool {
        ///         try store.checkIntegrity().isEmpty
        ///     }
        ///
        /// Checks the tables, every row, every unique value and every reference. The pages on the server's disk are checked by
        /// its own tools, such as `pg_amcheck`. *Rule:* blocks the calling thread. *Cost:* reads everything once, and each
        /// unique index and each reference again.
        ///
        /// - Throws: `.notSetUp` or `.closed` when the store is not open; `.nestedTransaction` inside a block of the store;
        ///   `.cancelled` when the task is cancelled; `.connectionLost`.
        public func checkIntegrity() throws(DataStoreError) -> [String] {
            try coordinator.runTool("checkIntegrity()") { () throws(DataStoreError) in
                try adapter.checkIntegrity()
            }
        }

        /// Returns the defects of the store as ``checkIntegrity()`` does, without occupying the caller's actor.
        ///
        ///     func isSound(_ store: PostgreSQLDataStore) async throws(DataStoreError) -> Bool {
        ///         try await store.checkIntegrityAsync().isEmpty
        ///     }
        ///
        /// *Rule:* the check stops if the task is cancelled. *Cost:* as ``checkIntegrity()``; a thread while it runs.
        ///
        /// - Throws: As ``checkIntegrity()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
        public func checkIntegrityAsync() async throws(DataStoreError) -> [String] {
            try await AwaitedThread.call { () throws(DataStoreError) in try self.checkIntegrity() }
        }
    }
#endif
