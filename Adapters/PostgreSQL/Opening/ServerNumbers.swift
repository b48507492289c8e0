#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import struct Foundation.UUID

    /// The locks for the numbers of processes in a store: advisory locks, which the server frees with their connection.
    ///
    /// A lock that was lost with the connection is taken again before the next write.
    final class ServerNumbers: NumberLocks, @unchecked Sendable {
        // reason: `connection` is only used with `lock` held, and `held` only by the caller that has claimed writing.
        private let lock = Lock()
        private let connection: ServerConnection
        private let question: ServerStatement
        private let release: ServerStatement
        /// The half of the locks' names that is the store's.
        private let store: Int32
        private var held: HeldNumber?

        /// - Parameter connection: Belongs to this object from now on.
        init(of identity: UUID, on connection: ServerConnection) {
            self.connection = connection
            let bytes = identity.uuid
            store = [bytes.0, bytes.1, bytes.2, bytes.3].reduce(0) { $0 << 8 | Int32($1) }
            question = connection.statement("SELECT pg_try_advisory_lock($1, $2)", [23, 23])
            release = connection.statement("SELECT pg_advisory_unlock($1, $2)", [23, 23])
        }

        /// Takes a number for this process.
        func take() throws(DataStoreError) {
            held = try ProcessNumbers.shared.take(in: self, at: connection.path)
        }

        /// Takes the number again if the connection was lost since.
        ///
        /// *Cost:* one system call, unless it was.
        func ensure() throws(DataStoreError) {
            let isLost = try lock.withLock { () throws(DataStoreError) in
                guard connection.hasEnded else { return false }
                try connection.reconnect()
                return true
            }
            if isLost { try held?.renew(at: connection.path) }
        }

        func lock(number: UInt16) -> LockOutcome {
            lock.withLock {
                guard let answer = try? connection.perform(question, parameters(number)) else {
                    return .unsupported
                }
                return answer.bool(0, 0) ? .locked : .taken
            }
        }

        func unlock(number: UInt16) {
            lock.withLock { _ = try? connection.perform(release, parameters(number)) }
        }

        private func parameters(_ number: UInt16) -> ParameterList {
            let list = ParameterList()
            list.append { WireValue.append(store, to: &$0) }
            list.append { WireValue.append(Int32(number), to: &$0) }
            return list
        }

        /// Gives the number back.
        func end() {
            held?.release()
            held = nil
        }

        func close() { lock.withLock { connection.close() } }

        /// Leaves the connection to the process that this one was forked from.
        func abandon() { connection.abandon() }
    }
#endif
