#if PostgreSQL
    import CPostgreSQL
    import LarderKernel

    /// An attempt to connect that is not waited for once the task is cancelled.
    ///
    /// Only libpq's own wait tries the next address of a host when one is silent. So it runs on a thread of its own,
    /// which ends after `connect_timeout` if it is left.
    final class ConnectionAttempt: @unchecked Sendable {
        // reason: all mutable state is only touched with the lock of `condition` held.
        private let text: String
        private let condition = Condition()
        private var made: OpaquePointer?
        private var hasEnded = false
        private var isLeft = false

        /// - Parameter text: The keywords of libpq.
        init(_ text: String) {
            self.text = text
        }

        /// The connection, be it refused; nil if libpq has no memory for it.
        ///
        /// - Throws: `.cancelled`.
        func run() throws(DataStoreError) -> OpaquePointer? {
            try Cancellation.check("The read")
            let isRunning = OSThread.start { [self] in
                let connection = Self.connect(text)
                let isLeft = condition.withLock {
                    made = connection
                    hasEnded = true
                    condition.signalAll()
                    return self.isLeft
                }
                if isLeft { PQfinish(connection) }
            }
            guard isRunning else { return Self.connect(text) }
            return try condition.withLock { () throws(DataStoreError) -> OpaquePointer? in
                while !hasEnded {
                    if AwaitedThread.isCancelled {
                        isLeft = true
                        throw Cancellation.error("The read")
                    }
                    _ = condition.wait(until: .now + .milliseconds(50))
                }
                return made
            }
        }

        /// Connects, and waits for the end of it.
        static func connect(_ text: String) -> OpaquePointer? {
            guard let made = PQconnectdb(text) else { return nil }
            if PQstatus(made) == CONNECTION_OK { return made }
            let refusal = ServerFailure.refused(ServerFailure.trimmed(PQerrorMessage(made)), path: "")
            // The words of a server in another language tell nothing, and libpq gives their SQLSTATE at another attempt.
            // Two spaces are in words of the server alone.
            if refusal.code == .connectionLost, refusal.underlying?.message.contains(":  ") == true {
                _ = PQsetErrorVerbosity(made, PQERRORS_VERBOSE)
                PQreset(made)
                _ = PQsetErrorVerbosity(made, PQERRORS_DEFAULT)
            }
            return made
        }
    }
#endif
