#if PostgreSQL
    import LarderKernel
    import struct Foundation.UUID

    /// A commit of a store, as a primary had it.
    ///
    /// A promoted standby may lack the latest commits of the old primary, and gives their numbers to others.
    struct ServerCommit {
        /// The timeline of the primary.
        let timeline: UInt64
        /// The number of times that the store was found restored in its place on the timeline, which gives numbers again.
        fileprivate(set) var restorations = 0
        let number: Int64
        /// Tells the commit from others with its number; nil if there is no commit yet.
        let token: UUID?

        /// Becomes another commit if that one is newer, whose server has been asked after `seen` was known.
        fileprivate mutating func note(_ commit: Self, after seen: Self, isRestored: Bool) {
            var commit = commit
            if commit.timeline == seen.timeline {
                commit.restorations = seen.restorations + (isRestored ? 1 : 0)
            }
            let isNewer =
                (timeline, restorations, number) < (commit.timeline, commit.restorations, commit.number)
            if isNewer { self = commit }
        }
    }

    /// The way to the server of a store, which may be one of several hosts.
    ///
    /// If several take writes, the one with the newest timeline is the primary: a server that was promoted begins a new
    /// one, and an old primary that comes back continues its own. A server with an older timeline than one that was
    /// used before is refused, until the store is opened again. So is a standby in the place of the primary, unless the
    /// store is read-only. Standbys are asked in any order.
    ///
    /// *Rule:* may be used by any thread.
    final class ServerHosts: Sendable {
        let options: PostgreSQLOptions
        /// The store's place, for errors.
        let path: String
        let target: PostgreSQLConnection
        /// The timeline of the newest primary, and the number of times that the servers were forgotten.
        private let primary = Locked((timeline: UInt64(0), openings: 0))
        private let newest = Locked(ServerCommit(timeline: 0, number: 0, token: nil))
        private let inserted = Locked(0)
        /// The times that a commit became uncertain or ceased to be; odd while there is one.
        private let uncertainty = Locked(0)
        /// The hosts that have not answered, with the moments from which they are asked like the others.
        private let silences = Locked<[String: ContinuousClock.Instant]>([:])

        /// The parts that a server plays.
        enum Role {
            /// Takes writes.
            case primary
            /// Follows the primary, and may be some commits late.
            case standby
        }

        init(_ target: PostgreSQLConnection, _ options: PostgreSQLOptions, path: String) {
            self.target = target
            self.options = options
            self.path = path
        }

        /// The keywords for a connection to each of the hosts, the silent ones last; standbys in any order.
        func alternatives(for role: Role) throws(DataStoreError) -> [[String: String]] {
            var all = try target.parameters(options)
            if role == .standby { all["target_session_attrs"] = "any" }
            let lists = Self.parts.map { (keyword: $0, values: Self.list(all[$0])) }
            let count = max(lists[0].values.count, lists[1].values.count)
            guard count > 1 else { return [all] }
            // A host that is gone must not use up the time of the others.
            let seconds = all["connect_timeout"].flatMap { Int($0) } ?? 10
            all["connect_timeout"] = String(max(2, seconds / count))
            let order = role == .standby ? (0..<count).shuffled() : Array(0..<count)
            return order.map { number in
                var one = all
                for list in lists { one[list.keyword] = list.values.prefix(number + 1).last ?? "" }
                return one
            }.sorted { !isSilent($0) && isSilent($1) }
        }

        /// True if a host has not answered lately.
        func isSilent(_ keywords: [String: String]) -> Bool {
            silences.withLock { $0[Self.name(of: keywords)].map { ContinuousClock.now < $0 } ?? false }
        }

        func noteSilence(of keywords: [String: String]) {
            silences.withLock { $0[Self.name(of: keywords)] = .now + .seconds(10) }
        }

        private static func name(of keywords: [String: String]) -> String {
            parts.map { keywords[$0] ?? "" }.joined(separator: "|")
        }

        /// The keywords for a host; each may have a list of values, one for each host.
        private static let parts = ["host", "hostaddr", "port"]

        /// True while a commit of the app may be kept whose number is not known, so that no standby is new enough.
        var isUncertain: Bool { uncertaintyCount % 2 == 1 }

        /// Another number after each change of ``isUncertain``.
        var uncertaintyCount: Int { uncertainty.withLock { $0 } }

        /// Notes that the outcome of a commit is not known, or that a later one has an end.
        func note(isUncertain: Bool) {
            uncertainty.withLock { if ($0 % 2 == 1) != isUncertain { $0 += 1 } }
        }

        /// The newest commit that the app has made or seen.
        var newestCommit: ServerCommit { newest.withLock { $0 } }

        /// Notes a commit that the app has made, or has found when it opened the store.
        func note(_ commit: ServerCommit) {
            newest.withLock { known in
                let seen = known
                known.note(commit, after: seen, isRestored: false)
            }
        }

        /// Notes the newest commit that a server has, which the app may see from now on.
        ///
        /// If a primary lacks the commit that was known before, the store was restored in its place, or thousands of commits
        /// have come since.
        ///
        /// - Parameters:
        ///   - seen: The newest commit that was known before the server was asked.
        ///   - hasSeen: True if the server has that commit.
        ///   - isCertain: True if that commit cannot be on its way: it was on the primary, or no other process can commit.
        func note(
            _ commit: ServerCommit, after seen: ServerCommit, hasSeen: Bool, isCertain: Bool = false
        ) {
            // A standby may show the commit of the one writer before the primary does.
            let isOnItsWay = !isCertain && seen.number == commit.number + 1
            // A server without a timeline is a standby, which may be late.
            let isRestored = !hasSeen && !isOnItsWay && commit.timeline > 0
            newest.withLock { $0.note(commit, after: seen, isRestored: isRestored) }
        }

        /// The rows that this process has inserted, by which a session knows that tables have grown.
        var insertedCount: Int { inserted.withLock { $0 } }

        func noteInserted(_ count: Int) { inserted.withLock { $0 += count } }

        private static func list(_ text: String?) -> [String] {
            guard let text, !text.isEmpty else { return [] }
            return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }

        /// Forgets the servers before the store is opened: it may be on a new cluster now, whose timelines begin with 1.
        ///
        /// *Rule:* not when it is closed, as `destroy()` closes it first, and an old primary is refused then too.
        func forgetServers() {
            primary.withLock { $0 = (0, $0.openings + 1) }
            newest.withLock { $0 = ServerCommit(timeline: 0, number: 0, token: nil) }
        }

        /// The timeline of the newest primary that was used; 0 for none.
        var newestTimeline: UInt64 { primary.withLock { $0.timeline } }

        /// Another number after each ``forgetServers()``.
        var openingCount: Int { primary.withLock { $0.openings } }

        /// True if a server is not used as the primary: it was that before another one that has been used since, or it is a
        /// standby, from which only a store that is read-only may read.
        func isRefused(timeline: UInt64) -> Bool {
            timeline == 0 ? !options.isReadOnly : timeline < newestTimeline
        }

        /// Notes the timeline of a connection that will be used.
        ///
        /// - Parameter opening: The ``openingCount`` from before the connection was made: if the servers were forgotten
        ///   meanwhile, it belongs to an earlier opening, and is not noted. Nil for the present one.
        /// - Throws: `.connectionLost` for one that is refused, of whichever opening it is.
        func note(timeline: UInt64, of opening: Int? = nil) throws(DataStoreError) {
            primary.withLock { primary in
                guard opening == nil || opening == primary.openings else { return }
                primary.timeline = max(primary.timeline, timeline)
            }
            guard isRefused(timeline: timeline) else { return }
            if timeline == 0 { throw ServerFailure.standby(path: path) }
            throw DataStoreError(
                .connectionLost,
                "Only a server answers that was the primary before another one was promoted.",
                advice: "Stop the old primary, or make a standby of it.", path: path)
        }
    }
#endif
