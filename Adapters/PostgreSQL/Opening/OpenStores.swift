#if PostgreSQL
    import LarderKernel
    import struct Foundation.UUID

    /// The stores on servers that this process has open, by their identity.
    ///
    /// Two openings in one process would wait for each other's locks, and take each other's commits for another process's.
    final class OpenStores: Sendable {
        static let shared = OpenStores()

        private let open = Locked<Set<UUID>>([])

        /// - Throws: `.alreadyOpen`.
        func claim(_ identity: UUID, at path: String) throws(DataStoreError) {
            let isNew = open.withLock { $0.insert(identity).inserted }
            if !isNew {
                throw DataStoreError(.alreadyOpen, "The store is already open in this process.", path: path)
            }
        }

        func release(_ identity: UUID) { _ = open.withLock { $0.remove(identity) } }

        func isOpen(_ identity: UUID) -> Bool { open.withLock { $0.contains(identity) } }
    }
#endif
