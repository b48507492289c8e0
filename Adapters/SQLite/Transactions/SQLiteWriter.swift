import CSQLite
import Larder

/// The one connection that writes, with the statements that change rows.
///
/// *Rule:* used by one transaction at a time.
final class SQLiteWriter {
    let session: SQLiteSession
    let log: WriteAheadLog
    private let tables: [TableStatements]
    /// The number of rows that the transaction has changed.
    private var changedRows = 0

    init(session: SQLiteSession, policy: CheckpointPolicy) throws(DataStoreError) {
        self.session = session
        log = try WriteAheadLog(connection: session.connection, policy: policy)
        tables = session.tables.map { TableStatements(table: $0, session: session) }
    }

    func close() {
        for table in tables { table.finalize() }
        session.close()
        log.deallocate()
    }

    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        session.resetRowStatement()
        var touched = TouchedRows()
        var position = 0
        while position < mutations.count {
            let mutation = mutations[position]
            let table = tables[mutation.entity]
            switch mutation.kind {
            case .insert:
                let rows = Self.insertions(in: mutations, from: position)
                try table.insert(rows)
                touched.addOne(forEachOf: rows.count)
                position += rows.count
                continue
            case .update: touched.add(try table.update(mutation.cells, mutation.columns))
            case .delete: touched.add(try table.delete(mutation.cells[0]))
            case .deleteAll: touched.add(try table.deleteAll())
            }
            position += 1
        }
        changedRows += touched.count
        return touched
    }

    /// True if the transaction that has ended was large; the next one starts counting from zero.
    func endedLargeWrite() -> Bool {
        defer { changedRows = 0 }
        return changedRows >= Self.manyRows
    }

    private static let manyRows = 10_000

    /// The mutations from a position on that insert rows of one type, one after the other.
    private static func insertions(
        in mutations: UnsafeBufferPointer<RowMutation>, from start: Int
    ) -> UnsafeBufferPointer<RowMutation> {
        let entity = mutations[start].entity
        var end = start + 1
        while end < mutations.count, mutations[end].kind == .insert, mutations[end].entity == entity {
            end += 1
        }
        return UnsafeBufferPointer(rebasing: mutations[start..<end])
    }
}
