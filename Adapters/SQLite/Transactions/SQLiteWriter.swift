import CSQLite
import LarderKernel

/// The one connection that writes, with the statements that change rows.
///
/// *Rule:* used by one transaction at a time.
final class SQLiteWriter {
    let session: SQLiteSession
    let log: WriteAheadLog
    private let statements: RowStatements
    /// The number of rows that the transaction has changed.
    private var changedRows = 0

    init(session: SQLiteSession, policy: CheckpointPolicy) throws(DataStoreError) {
        self.session = session
        log = try WriteAheadLog(connection: session.connection, policy: policy)
        statements = RowStatements(session)
    }

    func close() {
        statements.finalize()
        session.close()
        log.deallocate()
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        session.resetRowStatement()
        let touched = try statements.apply(mutations)
        changedRows += touched.count
        return touched
    }

    /// True if the transaction that has ended was large; the next one starts counting from zero.
    func endedLargeWrite() -> Bool {
        defer { changedRows = 0 }
        return changedRows >= Self.manyRows
    }

    private static let manyRows = 10_000
}
