#if PostgreSQL
    import CPostgreSQL
    import LarderKernel
    import LarderPlatform

    extension ServerConnection {
        /// Makes the connection again, to the primary of several hosts or to any standby.
        ///
        /// Statements are prepared again as they are used.
        func connect() throws(DataStoreError) {
            close()
            switch role {
            case .primary: try connectToPrimary()
            case .standby: try connectToStandby()
            }
        }

        private func connectToStandby() throws(DataStoreError) {
            for keywords in try hosts.alternatives(for: .standby) {
                if watchesTask { try Cancellation.check("The read") }
                if let timeline = try? open(keywords), timeline == 0 { return forgotten = [] }
                close()
            }
            throw ServerFailure.lost("None of the hosts is a standby.", path: path)
        }

        private func connectToPrimary() throws(DataStoreError) {
            var best: (handle: OpaquePointer, epoch: Int, timeline: UInt64)?
            var failure: DataStoreError?
            let opening = hosts.openingCount
            for keywords in try hosts.alternatives(for: .primary) {
                // It is asked again if no other one is the primary.
                if let best, !hosts.isRefused(timeline: best.timeline), hosts.isSilent(keywords) { continue }
                do throws(DataStoreError) {
                    let timeline = try open(keywords)
                    guard let opened = handle else { continue }
                    handle = nil
                    if let known = best, known.timeline >= timeline {
                        PQfinish(opened)
                    } else {
                        if let known = best { PQfinish(known.handle) }
                        best = (opened, epoch, timeline)
                    }
                } catch {
                    close()
                    if error.code == .cancelled {
                        if let best { PQfinish(best.handle) }
                        throw error
                    }
                    failure = failure.map { ServerFailure.ofHosts($0, error, path: path) } ?? error
                }
            }
            guard let best else {
                throw failure ?? ServerFailure.lost("The connection names no host.", path: path)
            }
            (handle, timeline, forgotten) = (best.handle, best.timeline, [])
            do throws(DataStoreError) {
                try hosts.note(timeline: best.timeline, of: opening)
            } catch {
                close()
                guard best.timeline == 0, let failure else { throw error }
                throw ServerFailure.ofHosts(error, failure, path: path)
            }
        }

        /// Makes the connection again while the server begins, or another one becomes the primary.
        func reconnect() throws(DataStoreError) {
            let end = ContinuousClock.now + options.connectTimeout
            while true {
                do throws(DataStoreError) {
                    return try connect()
                } catch {
                    if watchesTask { try Cancellation.check("The read") }
                    guard ContinuousClock.now < end, [.connectionLost, .busy].contains(error.code) else {
                        throw error
                    }
                    usleep(20_000)
                }
            }
        }

        /// Opens a connection to one host, and returns the host's timeline, or 0 for a standby; notes its silence.
        private func open(_ keywords: [String: String]) throws(DataStoreError) -> UInt64 {
            let start = ContinuousClock.now
            do throws(DataStoreError) {
                return try openNow(keywords)
            } catch {
                if ContinuousClock.now - start > .seconds(1) { hosts.noteSilence(of: keywords) }
                throw error
            }
        }

        private func openNow(_ keywords: [String: String]) throws(DataStoreError) -> UInt64 {
            // As one text: in a list, libpq takes an empty value for a missing one.
            let text = PostgreSQLConnection.text(of: keywords)
            let made = try watchesTask ? ConnectionAttempt(text).run() : ConnectionAttempt.connect(text)
            guard let made else {
                throw DataStoreError(.inputOutput, "There is no memory for a connection.", path: path)
            }
            guard PQstatus(made) == CONNECTION_OK else {
                defer { PQfinish(made) }
                throw ServerFailure.refused(ServerFailure.trimmed(PQerrorMessage(made)), path: path)
            }
            handle = made
            epoch += 1
            madeAt = .now
            PQsetNoticeProcessor(made, { _, _ in }, nil)
            guard PQsetnonblocking(made, 1) == 0, PQenterPipelineMode(made) == 1 else { throw lost() }
            return try prepareSession(keywords)
        }

        /// The settings on which all statements rely, and the server's own that they need.
        private func prepareSession(_ keywords: [String: String]) throws(DataStoreError) -> UInt64 {
            let settings = (Self.settings(options) + ["larder.session = '\(mark)'"]).map { "SET \($0)" }
            let own = sharesSessions ? [] : settings + [Self.settingLimits(of: keywords)]
            let check = passing(
                """
                SELECT current_setting('server_version_num'), current_setting('server_encoding'), version(), \
                \(Self.timelineQuery)
                """)
            let answers = try performAlone(own.map { passing($0) } + [check])
            guard let answer = answers.last, answer.rowCount == 1 else { return 0 }
            let version = Int(answer.text(0, 0)) ?? 0
            guard version >= 130_000 else {
                throw DataStoreError(
                    .unsupported, "The server's version \(version / 10000) is too old.",
                    advice: "Use PostgreSQL 13 or newer.", path: path)
            }
            guard answer.text(0, 1) == "UTF8" else {
                throw DataStoreError(
                    .unsupported, "The database has the encoding \(answer.text(0, 1)).",
                    advice: "Make the database with ENCODING 'UTF8'.", path: path)
            }
            if let name = Self.unlikeServers.first(where: { answer.text(0, 2).contains($0) }) {
                throw DataStoreError(
                    .unsupported, "The server is \(name == "-YB-" ? "YugabyteDB" : name), not PostgreSQL.",
                    advice: "Use a PostgreSQL server: this one has not the locks that a store relies upon.",
                    path: path)
            }
            return UInt64(answer.text(0, 3), radix: 16) ?? 0
        }

        /// The words in the versions of servers that speak like PostgreSQL, and have not all of its locks.
        private static let unlikeServers = ["CockroachDB", "-YB-"]

        /// Statements have no limit here: a block sets one when it has its lock.
        private static func settings(_ options: PostgreSQLOptions) -> [String] {
            [
                "search_path = pg_catalog", "lock_timeout = \(options.busyTimeout.milliseconds)", "jit = off",
                "statement_timeout = 0",
                "idle_in_transaction_session_timeout = \(options.idleTimeout.milliseconds)",
                "default_transaction_isolation = 'read committed'", "standard_conforming_strings = on",
            ]
        }

        /// Sets the limits of this end's TCP for the server's end too, which keeps the locks of its session, as SQL; those that
        /// a server lacks are left out.
        private static func settingLimits(of keywords: [String: String]) -> String {
            let hasProbes = keywords["keepalives"] != "0"
            var limits = ["keepalives_idle", "keepalives_interval", "keepalives_count"].map { keyword in
                (name: "tcp_" + keyword, text: hasProbes ? keywords[keyword] : nil)
            }
            limits.append((name: "tcp_user_timeout", text: keywords["tcp_user_timeout"]))
            let rows = limits.map { limit in
                let number = limit.text.flatMap { Int32($0) } ?? 0
                return "('\(limit.name)', '\(max(0, number))')"
            }
            return """
                SELECT set_config(name, value, false) FROM (VALUES \(rows.joined(separator: ", "))) AS l (name, value) \
                WHERE current_setting(name, true) IS NOT NULL
                """
        }

        /// The mark of the session that runs a query, as SQL.
        static let markQuery = "current_setting('larder.session', true)"

        /// The timeline of the server that runs a query, as SQL; 0 for a standby.
        private static let timelineQuery = """
            CASE WHEN pg_is_in_recovery() THEN '0' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END
            """

        /// The same for each transaction, if a pooler may give it another server; else an empty text, as SQL.
        var timelineOfTransaction: String {
            sharesSessions ? Self.timelineQuery : "''"
        }

        /// Notes the timeline that a transaction has found.
        ///
        /// - Throws: `.connectionLost` for a server that is not the primary any more, or not yet.
        func note(timelineOfTransaction text: String) throws(DataStoreError) {
            guard role == .primary, let found = UInt64(text, radix: 16), found != timeline else { return }
            try hosts.note(timeline: found)
            timeline = found
        }

        /// - Throws: `.unsupported` if the session of an answer is not the connection's.
        func require(mark found: String) throws(DataStoreError) {
            if sharesSessions || found == mark { return }
            throw ServerFailure.pooled(path: path)
        }

        /// Runs requests outside of transactions, in one journey and within the time for a connection.
        ///
        /// - Parameter isWriting: False for requests that a standby answers too.
        func performAlone(
            _ requests: [ServerRequest], isWriting: Bool = false
        ) throws(DataStoreError) -> [ServerAnswer] {
            let time = options.connectTimeout
            guard sharesSessions else { return try perform(requests, within: time) }
            let begin = beginning(isWriting ? Self.beginWriting : "BEGIN ISOLATION LEVEL READ COMMITTED")
                .map { passing($0) }
            do throws(DataStoreError) {
                let answers = try perform(begin + requests + [passing("COMMIT")], within: time)
                return Array(answers.dropFirst(begin.count).prefix(requests.count))
            } catch {
                post([passing("ROLLBACK")])
                throw error
            }
        }

        /// The BEGIN of a transaction that writes, with its isolation and its access: a role may have other defaults, and
        /// SET LOCAL of a default comes too late for the transaction that has begun.
        static let beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

        /// A BEGIN with what each transaction needs.
        func beginning(_ begin: String) -> [String] {
            guard sharesSessions else { return [begin] }
            return [begin] + Self.settings(options).map { "SET LOCAL \($0)" }
        }

        /// The same for a transaction that may take any time, such as an upgrade or a check.
        ///
        /// The limit of transactions is lifted by ``withoutTransactionLimit``.
        func beginningWithoutLimits(_ begin: String) -> [String] {
            beginning(begin) + ["SET LOCAL idle_in_transaction_session_timeout = 0"]
        }

        /// Lifts the limit of the server for the present transaction, which servers have from version 17 on.
        ///
        /// A query, as older servers refuse a SET of it. So it takes the snapshot of a transaction that has none.
        static let withoutTransactionLimit = """
            SELECT set_config('transaction_timeout', '0', true) \
            WHERE current_setting('transaction_timeout', true) IS NOT NULL
            """
    }

    extension Duration {
        /// The time in milliseconds, from one to what the server's settings take: 23 days.
        var milliseconds: Int64 {
            let (seconds, attoseconds) = min(self, Duration.seconds(2_000_000)).components
            return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        }
    }
#endif
