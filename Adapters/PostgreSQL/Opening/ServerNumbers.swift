#if PostgreSQL
    import LarderEngine
    import LarderKernel
    import struct Foundation.UUID

    /// The locks for the numbers of processes in a store.
    ///
    /// A connection with a session of its own takes advisory locks, which the server frees with the connection. One that
    /// shares sessions with others leases a number for an hour by a row of `larder_leases`. Each kind respects the other.
    ///
    /// What was lost with the connection, or not leased for long, is taken again before the next write begins or commits.
    final class ServerNumbers: NumberLocks, @unchecked Sendable {
        // reason: `connection`, `isHeld` and `writerEpoch` are only used with `lock` held, and `held` only by the caller that
        // has claimed writing.
        private let lock = Lock()
        private let connection: ServerConnection
        private let place: ServerPlace
        /// The half of the locks' names that is the store's.
        private let store: Int32
        private let holder = UUID()
        private let numbers: ProcessNumbers
        /// The time for which a number is leased, and the time after which it is leased again.
        private let lease, renewal: Duration
        private var leasedAt = ContinuousClock.now
        private var held: HeldNumber?
        /// False if the number may be another process's by now.
        private var isHeld = true
        /// The count of the writer's connection when it committed last.
        private var writerEpoch = 0

        /// - Parameter connection: Belongs to this object from now on.
        init(
            of key: OpenStores.Key, in place: ServerPlace, on connection: ServerConnection,
            for numbers: ProcessNumbers = .shared, lease: Duration = .seconds(3600),
            renewal: Duration = .seconds(1200)
        ) {
            self.numbers = numbers
            self.connection = connection
            self.place = place
            (self.lease, self.renewal) = (lease, renewal)
            let bytes = key.identity.uuid
            let half: Int32 = [bytes.0, bytes.1, bytes.2, bytes.3].reduce(0) { $0 << 8 | Int32($1) }
            // A restored copy in another schema of the database has locks of its own.
            store = half ^ Int32(truncatingIfNeeded: key.schema)
        }

        /// Takes a number for this process.
        func take() throws(DataStoreError) {
            held = try numbers.take(in: self, at: connection.path)
        }

        /// Takes the number again if it may be lost.
        ///
        /// *Cost:* one system call, unless it was, or a lease is taken again, or the writer has connected since the last call.
        ///
        /// - Parameter writer: The connection that is about to commit; nil before it begins.
        func ensure(for writer: ServerConnection? = nil) throws(DataStoreError) {
            let mayBeLost = try lock.withLock { () throws(DataStoreError) in
                let epoch = writer?.epoch ?? writerEpoch
                let isDue = isLeasing && ContinuousClock.now - leasedAt > renewal
                // The server has perhaps ended this connection with the writer's, and its last words were lost. A standby
                // to which a pooler has turned refuses the question, which ends the connection too.
                if epoch != writerEpoch || isDue, !connection.hasEnded { _ = try? ask("SELECT 1") }
                writerEpoch = epoch
                if isDue { isHeld = false }
                if connection.hasEnded || connection.isToOldPrimary {
                    isHeld = false
                    try connection.reconnect()
                }
                return !isHeld
            }
            guard mayBeLost, let held else { return }
            lock.withLock { isHeld = true }
            do throws(DataStoreError) {
                try held.renew(at: connection.path)
            } catch {
                lock.withLock { isHeld = false }
                throw error
            }
        }

        private var isLeasing: Bool { connection.sharesSessions }

        func lock(number: UInt16) throws(DataStoreError) -> LockOutcome {
            try lock.withLock { () throws(DataStoreError) in
                // Nothing is held since, so another store need not wait for this one's server.
                if connection.hasEnded {
                    isHeld = false
                    return true
                }
                return try isLeasing ? lease(number) : lockForSession(number)
            } ? .locked : .taken
        }

        private func lockForSession(_ number: UInt16) throws(DataStoreError) -> Bool {
            let question = connection.passing(
                "SELECT pg_try_advisory_lock($1, $2), \(ServerConnection.markQuery)",
                parameters(number, with: store))
            // A statement of its own, which sees the leases that were taken before the lock.
            let leases = connection.passing(
                "SELECT count(*) > 0 FROM \(place.leases) WHERE number = $1 AND until > now()",
                parameters(number))
            let answers = try connection.performAlone([question, leases])
            try connection.require(mark: answers[0].text(0, 1))
            guard answers[0].bool(0, 0) else { return false }
            if !answers[1].bool(0, 0) { return true }
            try unlockForSession(number)
            return false
        }

        private func unlockForSession(_ number: UInt16) throws(DataStoreError) {
            _ = try ask("SELECT pg_advisory_unlock($1, $2)", parameters(number, with: store))
        }

        /// Writes a row for the number unless another process has one, or the advisory lock.
        private func lease(_ number: UInt16) throws(DataStoreError) -> Bool {
            let values = parameters(number, with: store)
            values.append(holder)
            values.append(Int(lease.components.seconds))
            let answer = try ask(
                """
                INSERT INTO \(place.leases) AS larder_l (number, holder, until) \
                SELECT $2, $3, now() + $4 * interval '1 second' WHERE (SELECT pg_try_advisory_xact_lock($1, $2)) \
                ON CONFLICT (number) DO UPDATE SET holder = excluded.holder, until = excluded.until \
                WHERE larder_l.until <= now() OR larder_l.holder = excluded.holder RETURNING number
                """, values)
            guard answer.rowCount > 0 else { return false }
            leasedAt = .now
            return true
        }

        func unlock(number: UInt16) {
            lock.withLock {
                guard isLeasing else { return _ = try? unlockForSession(number) }
                let values = parameters(number)
                values.append(holder)
                _ = try? ask("DELETE FROM \(place.leases) WHERE number = $1 AND holder = $2", values)
            }
        }

        private func ask(
            _ sql: String, _ parameters: ParameterList? = nil
        ) throws(DataStoreError) -> ServerAnswer {
            try connection.performAlone([connection.passing(sql, parameters)], isWriting: true)[0]
        }

        private func parameters(_ number: UInt16, with store: Int32? = nil) -> ParameterList {
            let list = ParameterList()
            if let store { list.append(store) }
            list.append(Int32(number))
            return list
        }

        /// Gives the number back.
        func end() {
            held?.release()
            held = nil
        }

        func close() {
            lock.withLock {
                if isLeasing {
                    let values = ParameterList()
                    values.append(holder)
                    _ = try? ask("DELETE FROM \(place.leases) WHERE holder = $1", values)
                }
                connection.close()
            }
        }
    }
#endif
