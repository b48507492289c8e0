#if PostgreSQL
    import LarderKernel
    import LarderPlatform
    import struct Foundation.UUID

    /// The search for the outcome of a commit whose answer was lost with the connection.
    ///
    /// The server may not have noticed the loss, and may still be committing. So the lock of the writer is taken first: who
    /// has it knows that the other transaction has ended, and its token is there or will never be.
    struct CommitQuestion {
        private let token: UUID
        private let place: ServerPlace
        private let connect: () throws(DataStoreError) -> ServerConnection

        /// - Parameter connect: Makes a connection.
        init(
            _ token: UUID, in place: ServerPlace,
            connect: @escaping () throws(DataStoreError) -> ServerConnection
        ) {
            (self.token, self.place, self.connect) = (token, place, connect)
        }

        /// True if the commit was kept; asks again until a time is over.
        ///
        /// - Parameter loss: The error of the commit.
        /// - Throws: `.commitUncertain` if the server does not answer in time.
        func wasKept(within patience: Duration, after loss: DataStoreError) throws(DataStoreError) -> Bool {
            let end = ContinuousClock.now + patience
            while true {
                do throws(DataStoreError) {
                    return try ask()
                } catch {
                    if ContinuousClock.now < end, [.connectionLost, .busy].contains(error.code) {
                        usleep(50_000)
                        continue
                    }
                    throw DataStoreError(
                        .commitUncertain,
                        "The connection was lost during a commit, and the server does not say if it was kept.",
                        path: loss.path, underlying: loss.underlying)
                }
            }
        }

        private func ask() throws(DataStoreError) -> Bool {
            let connection = try connect()
            defer { connection.close() }
            let parameters = ParameterList()
            parameters.append(token)
            let question = connection.passing(
                "SELECT count(*) FROM \(place.commits) WHERE token = $1", [WireValue.uuid])
            let answers = try connection.perform([
                ServerRequest(statement: connection.passing("BEGIN")),
                ServerRequest(
                    statement: connection.passing("SELECT generation FROM \(place.store) FOR UPDATE")),
                ServerRequest(statement: question, parameters: parameters),
                ServerRequest(statement: connection.passing("COMMIT")),
            ])
            return answers[2].integer(0, 0) ?? 0 > 0
        }
    }
#endif
