#if PostgreSQL
    import LarderKernel
    import LarderPlatform
    import struct Foundation.UUID

    /// The search for the outcome of a commit whose answer was lost with the connection.
    ///
    /// The server may not have noticed the loss, and may still be committing. So the lock of the writer is taken first: who
    /// has it knows that the other transaction has ended, and its token is there or will never be.
    struct CommitQuestion {
        let token: UUID
        /// The number of a commit that was there before.
        let numberBefore: Int64
        let place: ServerPlace
        let hosts: ServerHosts

        /// The commit if it was kept; asks again until the time for a connection is over.
        ///
        /// - Parameter loss: The error of the commit.
        /// - Throws: `.commitUncertain` if the server does not answer in time, or does not know any more.
        func commit(after loss: DataStoreError) throws(DataStoreError) -> ServerCommit? {
            let end = ContinuousClock.now + hosts.options.connectTimeout
            while true {
                do throws(DataStoreError) {
                    return try ask()
                } catch {
                    if ContinuousClock.now < end, [.connectionLost, .busy, .timedOut].contains(error.code) {
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

        private func ask() throws(DataStoreError) -> ServerCommit? {
            let connection = try ServerConnection(hosts)
            defer { connection.close() }
            let parameters = ParameterList()
            parameters.append(token)
            let begin =
                connection.beginning(ServerConnection.beginWriting)
                + ["SELECT generation FROM \(place.store) FOR UPDATE"]
            var requests = begin.map { connection.passing($0) }
            requests += [
                connection.passing("SELECT number, token FROM \(place.commits) WHERE token = $1", parameters),
                connection.passing("SELECT min(number) FROM \(place.commits)"),
                connection.passing("COMMIT"),
            ]
            let answers = try connection.perform(requests, within: hosts.options.connectTimeout)
            if let commit = answers[begin.count].commit(at: 0, on: connection.timeline) { return commit }
            // So many commits came after it that its row may have been removed.
            if let first = answers[begin.count + 1].integer(0, 0), first > numberBefore + 1 {
                throw DataStoreError(.commitUncertain, "The server has forgotten the commits of that time.")
            }
            return nil
        }
    }
#endif
