#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import LarderSQL
    import struct Foundation.UUID

    /// A store that is open: its readers and its writer.
    final class PostgreSQLStore: @unchecked Sendable {
        // reason: `writer` belongs to the caller that has claimed writing, and is only touched by others while it is
        // unclaimed.
        let readers: ServerReaders
        private let opening: OpenedStore
        private let forkCount = ForkCount()
        private let isWriting = Locked(false)
        private var writer: ServerWriter?
        /// The number of this process in the store; nil for a store that is read-only.
        let numbers: ServerNumbers?
        /// Identifies this opening in the rows of its commits.
        private let identity = UUID()

        /// - Parameters:
        ///   - connection: The first connection that reads.
        ///   - numbers: Nil for a store that is read-only.
        init(_ opening: OpenedStore, first connection: ServerConnection, _ numbers: ServerNumbers?) {
            self.opening = opening
            self.numbers = numbers
            readers = ServerReaders(
                first: opening.session(.reading, on: connection)
            ) { role throws(DataStoreError) in
                opening.session(.reading, on: ServerConnection(unconnectedTo: opening.hosts, role))
            }
        }

        private var path: String { opening.path }

        /// - Parameter endsWithTask: True if its waits end when the task is cancelled.
        /// - Throws: `.usedAfterFork`.
        func acquireReader(endsWithTask: Bool) throws(DataStoreError) -> ServerSession {
            try forkCount.requireSame(path: path)
            readers.closeOld()
            let isPrimary = opening.options.reads == .primary || opening.hosts.isUncertain
            return try isPrimary
                ? readers.acquire(endsWithTask: endsWithTask)
                : readers.acquireOfStandby(endsWithTask: endsWithTask)
        }

        func beginWriting() throws(DataStoreError) -> ServerWriteTransaction {
            try forkCount.requireSame(path: path)
            readers.closeOld()
            guard !opening.options.isReadOnly else {
                throw DataStoreError(.readOnly, "The store was opened read-only.", path: path)
            }
            if isWriting.exchange(true) {
                throw DataStoreError(
                    .nestedTransaction, "A write transaction of the store is open already.", path: path)
            }
            do throws(DataStoreError) {
                try numbers?.ensure()
                return ServerWriteTransaction(try openWriter(), of: self)
            } catch {
                releaseWriter()
                throw error
            }
        }

        func releaseWriter() { isWriting.withLock { $0 = false } }

        private func openWriter() throws(DataStoreError) -> ServerWriter {
            if let writer { return writer }
            let session = opening.session(.writing(opening.options.durability), on: try opening.connect())
            let made = ServerWriter(session, in: opening.place, identity: identity)
            writer = made
            return made
        }

        /// Watches the table of commits on a connection of its own.
        func watchOtherWriters(_ body: @escaping @Sendable () -> Void) throws(DataStoreError)
            -> any StorageWatch
        {
            let readers = readers
            return try CommitWatch(
                in: opening.place, on: opening.hosts, besides: identity, body,
                beforeQuestion: { readers.closeOld() })
        }

        /// Closes all connections.
        ///
        /// In a forked process nothing is done: they are the other process's.
        ///
        /// - Throws: `.nestedTransaction` while a transaction is open.
        func close() throws(DataStoreError) {
            if !forkCount.isCurrent { return }
            guard !isWriting.withLock({ $0 }) else {
                throw DataStoreError(
                    .nestedTransaction, "The store cannot be closed while a transaction writes.", path: path)
            }
            for session in try readers.close(path: path) { session.connection.close() }
            writer?.session.connection.close()
            writer = nil
            numbers?.end()
            OpenStores.shared.release(opening.key)
        }
    }

    /// The findings of an opening, from which sessions are made.
    struct OpenedStore: Sendable {
        let hosts: ServerHosts
        let place: ServerPlace
        let tables: [EntityTable]
        let generation: Int
        let key: OpenStores.Key

        var options: PostgreSQLOptions { hosts.options }
        var path: String { hosts.path }

        /// A connection to the primary, which is waited for while it is restarted or replaced.
        func connect() throws(DataStoreError) -> ServerConnection { try ServerConnection(hosts, waits: true) }

        func session(_ kind: ServerSession.Kind, on connection: ServerConnection) -> ServerSession {
            ServerSession(
                kind, on: connection, tables, generation: generation, identity: key.identity, in: place)
        }
    }
#endif
