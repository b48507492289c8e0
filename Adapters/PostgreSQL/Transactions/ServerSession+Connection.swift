#if PostgreSQL
    import CPostgreSQL
    import LarderKernel
    import LarderSQL

    extension SessionReading {
        /// Lends the connection to code of the app, whose result is returned.
        ///
        /// - Throws: An error if the transaction is not the same after it.
        func lendConnection<Value>(
            _ body: (OpaquePointer) throws -> Value
        ) throws(DataStoreError) -> Result<Value, any Error> {
            // The transaction has begun before the body runs, so that it is not run again on another server.
            try perform { session throws(DataStoreError) in
                try session.setSavepoint()
                // It is prepared here, so that its use after the body shows if the body has removed what was prepared.
                session.pending.append(session.commands.releaseSavepoint)
                try session.setSavepoint()
                try session.flush()
            }
            return try current().lendConnection(body)
        }
    }

    extension ServerSession {
        /// Lends the connection after a savepoint, which is missing if the body ends the transaction, even if it begins
        /// another.
        ///
        /// - Returns: The result of the body; a failure too if it has left an error of a statement.
        fileprivate func lendConnection<Value>(
            _ body: (OpaquePointer) throws -> Value
        ) throws(DataStoreError) -> Result<Value, any Error> {
            let outcome: Result<Value, any Error>
            let error: DataStoreError?
            do throws(DataStoreError) {
                // Refuses what the accessor is asked for meanwhile.
                failure = isLent
                (outcome, error) = try connection.lend(body)
                failure = nil
                if error == nil { try releaseSavepoint() } else { try rollBackToSavepoint() }
                try flush()
            } catch {
                let lasting: DataStoreError
                switch ServerFailure.state(of: error) {
                // The savepoint is not there.
                case "3B001": lasting = .endedByApp(ServerConnection.lending, path: connection.path)
                case "26000": lasting = withoutStatements
                default: lasting = error
                }
                if lasting.code == .invalidRequest { connection.close() }
                failure = lasting
                throw lasting
            }
            if let error, case .success = outcome { return .failure(error) }
            return outcome
        }

        private var withoutStatements: DataStoreError {
            DataStoreError(
                .invalidRequest,
                "The store's prepared statements were removed in \(ServerConnection.lending).",
                advice: "Deallocate only what the body has prepared, by its name.", path: connection.path)
        }

        private var isLent: DataStoreError {
            DataStoreError(
                .invalidRequest, "The accessor was used while its connection was lent to the app.",
                advice: "Use it after \(ServerConnection.lending).", path: connection.path)
        }
    }

    extension ServerConnection {
        fileprivate static let lending = "withPostgreSQLConnection"

        /// Gives the handle to a body, outside of the pipeline mode.
        ///
        /// - Returns: The result of the body, and the error of a statement that it has left in the transaction.
        /// - Throws: An error if the connection was lost, or the transaction was ended, or something is still to come; the
        ///   connection is closed then.
        fileprivate func lend<Value>(
            _ body: (OpaquePointer) throws -> Value
        ) throws(DataStoreError) -> (Result<Value, any Error>, DataStoreError?) {
            guard let handle, PQexitPipelineMode(handle) == 1, PQsetnonblocking(handle, 0) == 0 else {
                throw lost()
            }
            let outcome = Result { try body(handle) }
            if isLost { throw lost() }
            let state = PQtransactionStatus(handle)
            let isWhole = PQpipelineStatus(handle) == PQ_PIPELINE_OFF && state != PQTRANS_ACTIVE
            let words = DataStoreError.Underlying(
                source: "PostgreSQL", code: 0, message: ServerFailure.trimmed(PQerrorMessage(handle)))
            guard isWhole, state == PQTRANS_INTRANS || state == PQTRANS_INERROR else {
                close()
                throw isWhole
                    ? .endedByApp(Self.lending, path: path)
                    : DataStoreError(
                        .invalidRequest, "A result was left unread after \(Self.lending).",
                        advice: "Read all results in the body, and end COPY and the pipeline mode.",
                        path: path)
            }
            guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost() }
            if state == PQTRANS_INTRANS { return (outcome, nil) }
            return (
                outcome,
                DataStoreError(
                    .engine, "A statement failed in \(Self.lending), and what it did was undone.",
                    advice: "Throw the error in the body.", path: path, underlying: words)
            )
        }
    }
#endif
