import LarderKernel

/// The rows of a plan, read one by one from their statement.
///
/// *Cost:* one step and the columns' functions of SQLite for each row; nothing is allocated.
final class SQLiteRowCursor: RowCursor {
    private let statement: PlanStatement
    private let session: SQLiteSession
    // reason: used by one thread at a time and never while another access to it runs; read with every row.
    @exclusivity(unchecked) private var state: State

    private enum State {
        /// At a row that was not given yet.
        case atRow
        /// At a row that was given.
        case behindRow
        /// The statement is given back.
        case closed
    }

    /// A cursor over a statement that has made its first step.
    init(_ statement: PlanStatement, in session: SQLiteSession, isAtRow: Bool) {
        self.statement = statement
        self.session = session
        // A statement at its end would start again with the next step.
        state = isAtRow ? .atRow : .closed
    }

    func next(into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        if state == .closed { return false }
        // The statement is the other process's, even for the row at which it stands.
        try session.connection.requireSameProcess()
        if state == .behindRow, try !step() { return false }
        state = .behindRow
        statement.fill(cells)
        return true
    }

    private func step() throws(DataStoreError) -> Bool {
        do {
            if try statement.statement.step() { return true }
        } catch {
            close()
            throw error
        }
        close()
        return false
    }

    func close() {
        if state == .closed { return }
        state = .closed
        session.release(self, statement)
    }
}
