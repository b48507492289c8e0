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
            for column in deciding { cells[column] = try row[column].copied(to: arena) }
            guard plan.predicate.matches(cells, of: plan.schema) else { continue }
            for column in row.indices { cells[column] = try row[column].copied(to: arena) }
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

extension Constant {
    /// The value as a cell whose text and bytes live in the arena.
    func copied(to arena: RowArena) throws(DataStoreError) -> Cell {
        let copy = withCell { cell in
            Result { () throws(DataStoreError) -> Cell in
                switch cell.kind {
                case .null, .integer, .real: return cell
                case .text: return .text(try arena.copy(cell.bytes))
                case .blob: return .blob(try arena.copy(cell.bytes))
                }
            }
        }
        return try copy.get()
    }
}
