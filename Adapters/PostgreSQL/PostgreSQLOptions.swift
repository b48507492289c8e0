#if PostgreSQL
    // The module of reading and changing by SQL.
    @_exported public import LarderSQL

    /// The options of a store on a PostgreSQL server; the defaults suit an app.
    ///
    ///     PostgreSQLDataStore(
    ///         connection: connection, schema: "recipes", storing: [Recipe.self],
    ///         options: PostgreSQLOptions(maximumReaders: 20))
    public struct PostgreSQLOptions: Sendable {
        /// The durability of a commit.
        public enum Durability: Sendable, Hashable {
            /// As the server's own setting says: it survives a power failure unless the server has another setting.
            case full
            /// Survives a crash of the app. A crash of the server may lose the latest commits.
            case normal
        }

        /// The servers that blocks read from.
        public enum Reads: Sendable, Hashable {
            /// The primary.
            case primary
            /// A standby, if the connection names one that answers and is new enough; else the primary.
            ///
            /// A block sees each commit of this store, and nothing older than a block before it saw. Commits of other
            /// processes may arrive later than on the primary.
            case standby
        }

        /// The kinds of poolers between the app and the server.
        public enum Pooler: Sendable, Hashable {
            /// None, or one that gives each connection a session of its own.
            case session
            /// One that gives each transaction a session, such as pgbouncer with `pool_mode = transaction`.
            ///
            /// Statements are parsed each time that they run, and the number of the process is leased for an hour.
            case transaction
        }

        /// The durability of a commit.
        public var durability: Durability
        /// The servers that blocks read from.
        public var reads: Reads
        /// The pooler between the app and the server.
        public var pooler: Pooler
        /// The time to wait for another process that writes before throwing `.busy`.
        public var busyTimeout: Duration
        /// The time to wait for a connection, and for a server that is restarted or replaced.
        public var connectTimeout: Duration
        /// The time that one statement may take on the server before it is `.timedOut`; nil for no limit.
        ///
        /// A server that does not even stop it is left after `connectTimeout` more, with `.connectionLost`. The wait for
        /// another process at the beginning of a block has `busyTimeout` instead.
        ///
        /// Opening and upgrading a store, checks and transfers have no limit.
        public var statementTimeout: Duration?
        /// The time that a commit may wait for a synchronous standby.
        ///
        /// A commit that takes longer is cancelled. The server keeps it then, but perhaps on itself alone, and it counts as a
        /// success. If the server does not answer at all, it is looked for as after a lost connection.
        public var commitTimeout: Duration
        /// The time for which a block may ask the server for nothing before the server ends its connection.
        ///
        /// Opening and upgrading a store, checks and transfers have no limit.
        public var idleTimeout: Duration
        /// The time after which a connection that reads is closed if no block has used it.
        ///
        /// It is closed when the next block begins, or at once while something is observed. A connection that is used is
        /// closed half an hour after it was made.
        public var maximumIdleTime: Duration
        /// True if the store is read-only, and neither created nor destroyed.
        public var isReadOnly: Bool
        /// True if each commit wakes the observers in other processes at once, by NOTIFY.
        ///
        /// Otherwise they ask ten times a second. The server takes a lock for each such commit that all its databases share,
        /// so leave it off where several stores of a server are written to all the time.
        public var wakesObservers: Bool
        /// The maximum number of concurrent reads in this process; further reads wait.
        ///
        /// Each has a connection of its own, which is closed after `maximumIdleTime` without a block.
        public var maximumReaders: Int
        /// True if `setup()` creates a new store if none exists.
        public var createsStore: Bool
        /// True for a transfer, whose blocks the server's own limit of transactions does not end.
        var isOfTransfer = false
        /// Called with each journey to the server, before it; for tests.
        package var journeyProbe: (@Sendable (_ statements: [String]) -> Void)?

        public init(
            durability: Durability = .full, reads: Reads = .primary,
            pooler: Pooler = .session, busyTimeout: Duration = .seconds(5),
            connectTimeout: Duration = .seconds(10), statementTimeout: Duration? = nil,
            commitTimeout: Duration = .seconds(30), idleTimeout: Duration = .seconds(300),
            maximumIdleTime: Duration = .seconds(300),
            isReadOnly: Bool = false, wakesObservers: Bool = false, maximumReaders: Int = 8,
            createsStore: Bool = true
        ) {
            self.durability = durability
            self.reads = reads
            self.pooler = pooler
            self.busyTimeout = busyTimeout
            self.connectTimeout = connectTimeout
            self.statementTimeout = statementTimeout
            self.commitTimeout = commitTimeout
            self.idleTimeout = idleTimeout
            self.maximumIdleTime = maximumIdleTime
            self.isReadOnly = isReadOnly
            self.wakesObservers = wakesObservers
            self.maximumReaders = maximumReaders
            self.createsStore = createsStore
        }
    }
#endif
