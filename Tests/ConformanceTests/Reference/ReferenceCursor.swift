import Larder

/// The rows of a plan, filtered, sorted and cut before the first is asked for.
final class ReferenceCursor: RowCursor {
    private let arena = RowArena()
    private let columns: [Int]
    private var rows: [[Cell]] = []
    private var next = 0

    init(over table: [[Constant]], for plan: RequestPlan) throws(DataStoreError) {
        columns = plan.columns.numbers(of: plan.schema)
        let deciding = plan.predicate.columns
        for row in table {
            var cells = Array(repeating: Cell.null, count: row.count)
            for column in deciding { cells[column] = try arena.cell(of: row[column]) }
            guard plan.predicate.matches(cells, of: plan.schema) else { continue }
            for column in row.indices { cells[column] = try arena.cell(of: row[column]) }
            rows.append(cells)
        }
        rows.sort { plan.precedes($0, $1) }
        rows = Array(rows.dropFirst(plan.offset).prefix(plan.limit ?? .max))
    }

    var count: Int { rows.count }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        guard next < rows.count else { return false }
        for (position, column) in columns.enumerated() { cells[position] = rows[next][column] }
        next += 1
        return true
    }

    func close() {}
}
