public import LarderKernel
import LarderSQL

/// The connection of SQLite, for functions of its C library that no call of the store stands for.
extension DataStoreReadAccessor {
    /// Calls a body with the connection of the block, in the block's transaction.
    ///
    ///     try accessor.withSQLiteConnection { connection in print(connection) }
    ///
    /// The pointer is a `sqlite3` for the functions of SQLite's C library. It sees the block's snapshot, and in a write block
    /// the block's own changes. The connection of a read block refuses to write. In a write block the call counts as a
    /// change, even if it only reads: it is undone if the body throws and with its block, handles show the new values, and
    /// every observation of the store reads again. As with ``DataStoreReadWriteAccessor/execute(sql:)``, no rule of the store
    /// is judged, and no change set names the rows.
    ///
    /// *Rule:* the pointer is valid during the body, on its thread. The body does not:
    ///
    /// - begin, commit or roll back a transaction, or name a savepoint `larder`; savepoints of other names are allowed.
    /// - ignore an error of SQLite: it throws, as SQLite may have ended the transaction.
    /// - keep a statement: it finalizes those that it prepares, and takes no others.
    /// - set a pragma, a limit, an authorizer, a handler or a hook, attach a file, or close the connection.
    /// - change or remove tables of the store, or write to those whose names begin with `larder_`.
    ///
    /// Functions and collations that it registers are known to this one of the store's connections.
    ///
    /// *Cost:* a savepoint and a look-up; in a write block, the call holds up all other writes.
    ///
    /// - Throws: `.unsupported` for a store of another engine, a child store and a store over several parts;
    ///   `.changedDuringIteration` inside `forEachItem` of a write block; the body's own error; `.invalidRequest` if a
    ///   statement was left at a row. If the transaction was ended, `.invalidRequest` or SQLite's own error, and nothing more
    ///   can be done in the block; the changes of a `COMMIT` stay, and observations do not report them.
    public final func withSQLiteConnection<Value>(
        _ body: (_ connection: OpaquePointer) throws -> Value
    ) throws -> Value {
        try lendingConnection("withSQLiteConnection", of: (any SessionReading).self) {
            transaction throws(DataStoreError) in try transaction.lendConnection(body)
        }
    }
}
