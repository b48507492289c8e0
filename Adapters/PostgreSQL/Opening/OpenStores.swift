#if PostgreSQL
    import LarderKernel
    import struct Foundation.UUID

    /// The stores on servers that this process has open.
    ///
    /// Two openings in one process would wait for each other's locks, and take each other's commits for another process's.
    final class OpenStores: Sendable {
        static let shared = OpenStores()

        /// A store in its place, whatever names lead there: a dump that is restored elsewhere has the same identity.
        struct Key: Hashable {
            let identity: UUID
            /// The number of the schema in its database.
            let schema: Int64
            let database: Int64
            /// The moment at which the server was started, which is another one on each server.
            let server: Int64
        }

        private let open = Locked<Set<Key>>([])

        /// - Throws: `.alreadyOpen`.
        func claim(_ key: Key, at path: String) throws(DataStoreError) {
            let isNew = open.withLock { $0.insert(key).inserted }
            if !isNew {
                throw DataStoreError(.alreadyOpen, "The store is already open in this process.", path: path)
            }
        }

        func release(_ key: Key) { _ = open.withLock { $0.remove(key) } }

        /// True if a store is open that a connection has found; the server is asked only if one of its identity is.
        func isOpen(_ identity: UUID?, _ metadata: StoreMetadata) throws(DataStoreError) -> Bool {
            guard let identity, open.withLock({ $0.contains { $0.identity == identity } }) else {
                return false
            }
            let key = try metadata.key(of: identity)
            return open.withLock { $0.contains(key) }
        }
    }

    extension StoreMetadata {
        /// The place of the store, which has an identity.
        func key(of identity: UUID) throws(DataStoreError) -> OpenStores.Key {
            let answer = try connection.execute(
                """
                SELECT n.oid::bigint, d.oid::bigint, \
                (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint \
                FROM pg_namespace AS n, pg_database AS d \
                WHERE n.nspname = $1 AND d.datname = current_database()
                """, place.schema)
            return OpenStores.Key(
                identity: identity, schema: answer.integer(0, 0) ?? 0, database: answer.integer(0, 1) ?? 0,
                server: answer.integer(0, 2) ?? 0)
        }
    }
#endif
