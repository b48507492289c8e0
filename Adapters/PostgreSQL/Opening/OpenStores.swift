#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import struct Foundation.UUID

    /// The stores on servers that this process has open.
    ///
    /// Two openings in one process would wait for each other's locks, and take each other's commits for another process's.
    final class OpenStores: Sendable {
        static let shared = OpenStores()

        /// A store in its place, whatever names lead there: a dump that is restored elsewhere has the same identity.
        ///
        /// A copy of a whole cluster is the same place, as a standby is one that may be promoted.
        struct Key: Hashable {
            let identity: UUID
            /// The number of the schema in its database.
            let schema: Int64
            let database: Int64
            /// The number of the server's cluster, which a restart keeps and a standby shares; nil if it is not known.
            let cluster: Int64?

            /// True unless the places are known to differ.
            func mayBe(_ other: Key) -> Bool {
                guard identity == other.identity, schema == other.schema, database == other.database else {
                    return false
                }
                return cluster == other.cluster || cluster == nil || other.cluster == nil
            }
        }

        private struct State {
            let forkCount = ForkCount()
            var keys: Set<Key> = []
        }

        private let state = Locked(State())

        private func withKeys<Result>(_ body: (inout Set<Key>) -> Result) -> Result {
            state.withLock { state in
                // A forked process has none open: the connections belong to the other one.
                if !state.forkCount.isCurrent { state = State() }
                return body(&state.keys)
            }
        }

        /// - Throws: `.alreadyOpen`.
        func claim(_ key: Key, at path: String) throws(DataStoreError) {
            let isNew = withKeys { keys in
                if keys.contains(where: key.mayBe) { return false }
                keys.insert(key)
                return true
            }
            if !isNew {
                throw DataStoreError(.alreadyOpen, "The store is already open in this process.", path: path)
            }
        }

        func release(_ key: Key) { _ = withKeys { $0.remove(key) } }

        /// True if a store is open that a connection has found; the server is asked only if one of its identity is.
        func isOpen(
            _ identity: UUID?, _ metadata: StoreMetadata, in cluster: Int64?
        ) throws(DataStoreError) -> Bool {
            guard let identity, withKeys({ $0.contains { $0.identity == identity } }) else { return false }
            let key = try metadata.key(of: identity, in: cluster)
            return withKeys { $0.contains(where: key.mayBe) }
        }
    }

    extension StoreMetadata {
        /// The number of the server's cluster; nil if the server does not tell the role.
        ///
        /// *Rule:* not within a transaction, which a refusal would end.
        func cluster() -> Int64? {
            try? connection.execute("SELECT system_identifier FROM pg_control_system()").integer(0, 0)
        }

        /// The place of the store, which has an identity.
        func key(of identity: UUID, in cluster: Int64?) throws(DataStoreError) -> OpenStores.Key {
            let answer = try connection.execute(
                """
                SELECT n.oid::bigint, d.oid::bigint FROM pg_namespace AS n, pg_database AS d \
                WHERE n.nspname = $1 AND d.datname = current_database()
                """, place.schema)
            return OpenStores.Key(
                identity: identity, schema: answer.integer(0, 0) ?? 0, database: answer.integer(0, 1) ?? 0,
                cluster: cluster)
        }
    }
#endif
