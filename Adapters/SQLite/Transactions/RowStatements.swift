import LarderKernel

/// The statements that change rows, for each table of a session.
final class RowStatements {
    private let tables: [TableStatements]

    init(_ session: SQLiteSession) {
        tables = session.tables.map { TableStatements(table: $0, session: session) }
    }

    func finalize() {
        for table in tables { table.finalize() }
    }

    /// Applies mutations in their order; rows of one type that are inserted one after the other, together.
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
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
        return touched
    }

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
