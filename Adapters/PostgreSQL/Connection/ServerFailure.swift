#if PostgreSQL
    import CPostgreSQL
    import LarderKernel

    /// An error of the server or of libpq as an error of the store.
    enum ServerFailure {
        /// The error that a statement has ended with.
        ///
        /// - Parameter isOfReader: True if the connection never writes, so that only a standby refuses a snapshot.
        static func error(_ result: OpaquePointer, path: String, isOfReader: Bool) -> DataStoreError {
            let state = field(result, larder_pg_sqlstate) ?? ""
            let message = field(result, larder_pg_message) ?? trimmed(PQresultErrorMessage(result))
            if state.isEmpty { return lost(message, path: path) }
            if state == "40001", isOfReader { return snapshotLost(message, path: path) }
            // Only the detail says which objects depend on one; other details may have values of the app.
            let detail = state == dependents ? field(result, larder_pg_detail).map { ": \($0)" } ?? "" : ""
            let underlying = DataStoreError.Underlying(
                source: "PostgreSQL", code: number(of: state), message: "\(state): \(message)\(detail)")
            // A prepared statement of this connection is unknown, or another connection has prepared one.
            if ["26000", "42P05"].contains(state) { return pooled(path: path, underlying) }
            let function = field(result, larder_pg_function)
            if state == "0A000", let function {
                // A BEGIN with READ WRITE.
                if function == "call_bool_check_hook" { return standby(path: path, underlying) }
                if function == "RevalidateCachedQuery" { return outdated(path: path, underlying) }
            }
            if isLimitOfServer(state, in: function) { return exhausted(path: path, underlying) }
            let (code, sentence) = meaning(of: state)
            return DataStoreError(code, sentence, path: path, underlying: underlying)
        }

        /// True for an error about a limit of the whole server, whose SQLSTATE also stands for a row that is too large.
        ///
        /// - Parameter function: The function of the server that has found it.
        static func isLimitOfServer(_ state: String, in function: String?) -> Bool {
            guard state == "54000", let function else { return false }
            return ["PreCommit_Notify", "GetNewTransactionId", "GetNewMultiXactId"].contains(function)
        }

        /// The error for a queue of notifications that is full, or for numbers of transactions that have run out.
        private static func exhausted(
            path: String, _ underlying: DataStoreError.Underlying
        ) -> DataStoreError {
            DataStoreError(
                .storeFull, "The server has reached a limit of its own.",
                advice: """
                    End the oldest transactions of the server (pg_stat_activity, pg_prepared_xacts), then run VACUUM. \
                    They keep notifications (pg_notification_queue_usage()) and the numbers of transactions in use.
                    """,
                path: path, underlying: underlying)
        }

        /// The error for a connection that has ended.
        static func lost(_ message: String, path: String) -> DataStoreError {
            DataStoreError(
                .connectionLost, "The connection to the server was lost.", path: path,
                underlying: .init(source: "PostgreSQL", code: 0, message: message))
        }

        /// The error for a server that is not the primary, but may become it.
        static func standby(
            _ sentence: String = "The server is a standby, not the primary.", path: String,
            _ underlying: DataStoreError.Underlying? = nil
        ) -> DataStoreError {
            DataStoreError(
                .connectionLost, sentence,
                advice: """
                    Add the primary to the hosts, or open the store read-only. Promote the standby only if the primary \
                    is gone for good.
                    """,
                path: path, underlying: underlying)
        }

        private static func isOfStandby(_ error: DataStoreError) -> Bool {
            error.message.hasPrefix("The server is a standby")
        }

        /// The error of two hosts, neither of which is the primary.
        ///
        /// A standby may become the primary, so that its error is the one. It has the words of the other host, which may be
        /// the primary and refuse the user.
        static func ofHosts(
            _ first: DataStoreError, _ second: DataStoreError, path: String
        ) -> DataStoreError {
            if isOfStandby(first) == isOfStandby(second) { return first }
            let (error, other) = isOfStandby(first) ? (first, second) : (second, first)
            return standby(error.message, path: path, other.underlying)
        }

        /// The error for a statement that was prepared before a column was changed: another connection prepares it again.
        private static func outdated(
            path: String, _ underlying: DataStoreError.Underlying
        ) -> DataStoreError {
            DataStoreError(
                .connectionLost, "Another tool has changed a column since the connection was made.",
                advice: "Repeat the block.", path: path, underlying: underlying)
        }

        /// The error for a reading that a standby cannot continue, or not begin.
        static func snapshotLost(_ message: String, path: String) -> DataStoreError {
            DataStoreError(
                .snapshotLost, "The standby no longer has the state in which the block began.", path: path,
                underlying: .init(source: "PostgreSQL", code: 0, message: message))
        }

        /// The error for a session that is not the connection's own.
        static func pooled(path: String, _ underlying: DataStoreError.Underlying? = nil) -> DataStoreError {
            DataStoreError(
                .unsupported,
                "A pooler between the app and the server gives each transaction another session.",
                advice: "Set pooler: .transaction in the options of the store.", path: path,
                underlying: underlying)
        }

        /// The error for a connection that was not made.
        static func refused(_ message: String, path: String) -> DataStoreError {
            let text = message.lowercased()
            let underlying = DataStoreError.Underlying(source: "PostgreSQL", code: 0, message: message)
            // The words of libpq for a server that is not what target_session_attrs asks for.
            if ["session is read-only", "is in hot standby mode"].contains(where: text.contains) {
                return standby(
                    "The server is a standby, or its sessions are read-only.", path: path, underlying)
            }
            let known = state(in: message).map { meaning(of: $0).0 }
            let code: DataStoreError.Code =
                if let known, [.permissionDenied, .busy, .cannotOpen].contains(known) {
                    known
                } else if text.contains("authentication failed") || text.contains("no pg_hba.conf entry")
                    || text.contains("no password supplied")
                {
                    .permissionDenied
                } else if ["too many", "remaining connection slots", "starting up"].contains(
                    where: text.contains)
                {
                    .busy
                } else if text.contains("does not exist") {
                    .cannotOpen
                } else {
                    .connectionLost
                }
            return DataStoreError(
                code, "The server cannot be reached, or refused the connection.",
                advice: "Check the address, the server and the user's rights; nothing was changed.",
                path: path, underlying: underlying)
        }

        /// The SQLSTATE in the message of libpq for a connection, such as `28P01` in `FATAL:  28P01: …`.
        private static func state(in message: String) -> String? {
            message.split(separator: " ").first { word in
                word.utf8.count == 6 && word.hasSuffix(":") && word.utf8.contains { (48...57).contains($0) }
                    && word.utf8.dropLast().allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
            }.map { String($0.dropLast()) }
        }

        /// True if a transaction with this error has nothing left that could be continued.
        static func isFatal(_ error: DataStoreError) -> Bool {
            [
                .connectionLost, .snapshotLost, .storeFull, .inputOutput, .damaged, .schemaChanged, .timedOut,
                .cancelled,
            ]
            .contains(error.code)
        }

        /// The SQLSTATE of the statement that an error is of; of an error that has none, any other text.
        static func state(of error: DataStoreError) -> String {
            String(error.underlying?.message.prefix(5) ?? "")
        }

        /// True if a statement names a table or column that is missing, or another one.
        static func isAboutSchema(_ error: DataStoreError) -> Bool {
            ["42P01", "42703", "3F000", "42804"].contains(state(of: error))
        }

        /// True if objects depend on what a statement drops; the message of the server names them.
        static func isAboutDependents(_ error: DataStoreError) -> Bool { state(of: error) == dependents }

        /// True if a row has an identifier that another one has.
        static func isAboutIdentifier(_ error: DataStoreError) -> Bool { state(of: error) == "23505" }

        /// True if the connection ends with the transaction that has met an error.
        static func endsConnection(_ error: DataStoreError) -> Bool {
            [.connectionLost, .snapshotLost].contains(error.code) || state(of: error) == transactionLimit
        }

        private static let transactionLimit = "25P04"
        private static let dependents = "2BP01"

        private static func meaning(of state: String) -> (DataStoreError.Code, String) {
            switch state {
            case "55P03", "40P01", "40001", "53300", "57P03":
                (.busy, "Another process kept the store locked, or the server takes no further work.")
            // Any statement may meet it, whatever its rows.
            case "53200": (.busy, "The server has no memory left for a statement.")
            case "54000": (.valueTooLarge, "A row is larger than the server can store.")
            case "53100", "53400": (.storeFull, "The server's disk is full.")
            case "25006": (.readOnly, "The server may only be read from.")
            case "42501": (.permissionDenied, "The user may not do this in the database.")
            case "3D000": (.cannotOpen, "The database does not exist.")
            case "XX001", "XX002": (.damaged, "The server reports damaged data.")
            case "57014": (.timedOut, "The server has stopped a statement.")
            // Not as a lost connection, with which what begins a block is sent again: it would take as long.
            case transactionLimit: (.timedOut, "The server has ended a transaction that took too long.")
            case "57P01", "57P02", "57P05", "25P03":
                (.connectionLost, "The server has ended the connection.")
            case "58030", "58P01": (.inputOutput, "The server could not read or write its files.")
            default:
                if state.hasPrefix("08") {
                    (.connectionLost, "The connection to the server was lost.")
                } else if state.hasPrefix("28") {
                    (.permissionDenied, "The server refused the user.")
                } else {
                    (.engine, "The server refused a statement.")
                }
            }
        }

        /// A SQLSTATE as the number that its five characters are in base 36.
        private static func number(of state: String) -> Int { Int(state, radix: 36) ?? 0 }

        private static func field(_ result: OpaquePointer, _ name: Int32) -> String? {
            PQresultErrorField(result, name).map { String(cString: $0) }
        }

        static func trimmed(_ message: UnsafePointer<CChar>?) -> String {
            guard let message else { return "" }
            return String(cString: message).split(separator: "\n").joined(separator: " ")
        }
    }
#endif
