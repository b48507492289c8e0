#if PostgreSQL
    import LarderKernel
    import LarderSQL
    import struct Foundation.UUID

    /// The write transaction of a store; its own changes are seen by its own requests.
    final class ServerWriteTransaction: StorageWriting, ConditionalInserting, SessionReading {
        private let writer: ServerWriter
        private let store: PostgreSQLStore
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var isEnded = false

        /// - Parameter writer: Is given back to the store at the end.
        init(_ writer: ServerWriter, of store: PostgreSQLStore) {
            self.writer = writer
            self.store = store
        }

        deinit {
            end()
        }

        func current() throws(DataStoreError) -> ServerSession {
            if isEnded { throw .transactionEnded }
            try writer.session.connection.requireSameProcess()
            return writer.session
        }

        func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
            _ = try current()
            return try writer.statements.apply(mutations)
        }

        var conditionalInserting: (any ConditionalInserting)? { self }

        func insert(_ row: RowMutation, if condition: InsertCondition) throws(DataStoreError) -> Bool {
            _ = try current()
            return try writer.statements.insert(row, if: condition)
        }

        func commit() throws(DataStoreError) {
            let session = try current()
            defer { end() }
            if session.isUntouched { return }
            // The number may have been lost since the transaction was asked for.
            if session.failure == nil { try store.numbers?.ensure(for: session.connection) }
            try writer.commit()
        }

        func end() {
            if isEnded { return }
            isEnded = true
            writer.session.end()
            store.releaseWriter()
        }
    }

    /// The one connection that writes, with the statements that change rows.
    final class ServerWriter {
        let session: ServerSession
        let statements: RowStatements
        private let place: ServerPlace
        /// Identifies the store in the rows of its commits.
        private let identity: UUID
        private let note: ServerStatement
        private let trim: ServerStatement
        // Unchecked, as CONTRIBUTING says of what one thread uses at a time.
        @exclusivity(unchecked) private var trimmedNumber = 0

        /// The commits that are remembered, and how many more there may be before some are forgotten.
        private static let keptCommits = 10_000
        private static let trimStep = 1000
        /// The commits that are forgotten at a time: one commit must not wait for all that were left over.
        private static let trimLimit = 5000

        init(_ session: ServerSession, in place: ServerPlace, identity: UUID) {
            self.session = session
            self.place = place
            self.identity = identity
            statements = RowStatements(session)
            note = session.connection.statement(
                """
                INSERT INTO \(place.commits) (number, token, writer) SELECT coalesce(max(number), 0) + 1, $1, $2 \
                FROM \(place.commits) RETURNING number, token
                """)
            trim = session.connection.statement(
                """
                DELETE FROM \(place.commits) \
                WHERE number <= least($1, (SELECT min(number) FROM \(place.commits)) + \(Self.trimLimit - 1))
                """)
        }

        /// Commits with a row that says so, by which the outcome can be found if the answer is lost.
        func commit() throws(DataStoreError) {
            // Without a COMMIT on its way, there is nothing to ask the server for.
            if let failure = session.failure { throw failure }
            if session.connection.isToOldPrimary {
                session.connection.close()
                throw ServerFailure.lost("Another server is the primary.", path: session.connection.path)
            }
            let token = UUID()
            let parameters = ParameterList()
            parameters.append(token)
            parameters.append(identity)
            var requests = [ServerRequest(note, parameters)]
            // The first commit knows it too, as some apps commit once in each opening.
            let newest = Int(session.numberBefore)
            if newest - trimmedNumber >= Self.trimStep {
                let bound = ParameterList()
                bound.append(newest - Self.keptCommits)
                requests.append(ServerRequest(trim, bound))
                trimmedNumber = newest
            }
            if session.connection.options.wakesObservers {
                requests.append(session.connection.passing("NOTIFY \(place.channel)"))
            }
            do throws(DataStoreError) {
                let answers = try session.commit(after: requests)
                session.noteInserted(1)
                note(answers[0].commit(at: 0, on: session.connection.timeline))
            } catch {
                // The commit may have been kept, whichever error a pooler gives at the end of a connection.
                guard error.code == .connectionLost || session.connection.isLost else { throw error }
                let hosts = session.connection.hosts
                hosts.note(isUncertain: true)
                let question = CommitQuestion(
                    token: token, numberBefore: session.numberBefore, place: place, hosts: hosts)
                let kept = try question.commit(after: error)
                hosts.note(isUncertain: false)
                guard let kept else { throw error }
                note(kept)
            }
        }

        private func note(_ commit: ServerCommit?) {
            guard let commit else { return }
            session.connection.hosts.note(isUncertain: false)
            session.connection.hosts.note(commit)
        }
    }
#endif
