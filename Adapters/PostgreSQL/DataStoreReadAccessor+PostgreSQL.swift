#if PostgreSQL
    public import LarderKernel
    import LarderSQL

    /// The connection to the server, for functions of libpq that no call of the store stands for.
    extension DataStoreReadAccessor {
        /// Calls a body with the connection of the block, in the block's transaction.
        ///
        ///     try accessor.withPostgreSQLConnection { connection in print(connection) }
        ///
        /// The pointer is a `PGconn` for the functions of libpq, such as `PQexecParams` and `COPY`. It blocks, and has left
        /// the pipeline mode. It sees the block's snapshot, and in a write block the block's own changes. The transaction of
        /// a read block refuses to write. In a write block the call counts as a change, even if it only reads: it is undone
        /// if the body throws and with its block, handles show the new values, and every observation of the store reads
        /// again. As with ``DataStoreReadWriteAccessor/execute(sql:)``, no rule of the store is judged, and no change set
        /// names the rows.
        ///
        /// *Rule:* the pointer is valid during the body, on its thread, and the accessor is not used there. The body does
        /// not:
        ///
        /// - begin, commit or roll back a transaction, or name a savepoint `larder`; savepoints of other names are allowed.
        /// - ignore the error of a statement: it throws, and what it has done is undone.
        /// - leave a result unread, a `COPY` or a pipeline open, or keep a prepared statement.
        /// - deallocate prepared statements of others, as `DEALLOCATE ALL` does.
        /// - change settings but by `SET LOCAL`, set a processor of notices, or finish or reset the connection.
        /// - change or remove tables of the store, or write to those whose names begin with `larder_`.
        ///
        /// *Cost:* two journeys to the server beside the body's own; in a write block, the call holds up all other writes.
        ///
        /// - Throws: `.unsupported` for a store of another engine, a child store and a store over several parts;
        ///   `.changedDuringIteration` inside `forEachItem` of a write block; the body's own error; `.engine` if a statement
        ///   failed and the body did not throw. If the transaction was ended, the store's statements were deallocated, or a result
        ///   is still to come, `.invalidRequest`: the connection is closed, and nothing more can be done in the block. The
        ///   changes of a `COMMIT` stay, and no observation reports them.
        public final func withPostgreSQLConnection<Value>(
            _ body: (_ connection: OpaquePointer) throws -> Value
        ) throws -> Value {
            try lendingConnection("withPostgreSQLConnection", of: (any SessionReading).self) {
                transaction throws(DataStoreError) in try transaction.lendConnection(body)
            }
        }
    }
#endif
