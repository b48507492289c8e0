import CSQLite
import Larder

/// The one connection that writes, with the statements that change rows.
///
/// *Rule:* used by one transaction at a time.
final class SQLiteWriter {
    let session: SQLiteSession
    let log: WriteAheadLog
    private var tables: [TableStatements]

    init(session: SQLiteSession, policy: CheckpointPolicy) throws(DataStoreError) {
        self.session = session
        log = try WriteAheadLog(connection: session.connection, policy: policy)
        tables = session.tables.map { TableStatements(table: $0, session: session) }
    }

    func close() {
        tables.removeAll()
        session.close()
        log.deallocate()
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> Int {
        session.hideRow()
        var count = 0
        for mutation in mutations {
            let table = tables[mutation.entity]
            switch mutation.kind {
            case .insert: count += try table.insert(mutation.cells)
            case .update: count += try table.update(mutation.cells, mutation.columns)
            case .delete: count += try table.delete(mutation.cells[0])
            case .deleteAll: count += try table.deleteAll()
            }
        }
        return count
    }
}
