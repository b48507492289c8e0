import Larder

/// One snapshot of the store, taken at the first request.
final class SQLiteReadTransaction: StorageReading {
    private let session: SQLiteSession
    private let readers: ReaderPool
    private var state = State.new

    private enum State {
        case new, begun, ended
    }

    init(session: SQLiteSession, readers: ReaderPool) {
        self.session = session
        self.readers = readers
    }

    deinit {
        end()
    }

    @inline(__always)
    private func beginIfNeeded() throws(DataStoreError) {
        if state != .begun { try begin() }
    }

    private func begin() throws(DataStoreError) {
        guard state == .new else { throw .transactionEnded }
        try session.commands.run(.begin)
        state = .begun
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        try beginIfNeeded()
        return try session.row(at: identifier, of: entity, into: cells)
    }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        try beginIfNeeded()
        return try session.rows(for: plan)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try beginIfNeeded()
        return try session.count(for: plan)
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        try beginIfNeeded()
        return try session.explain(plan)
    }

    func end() {
        if state == .ended { return }
        session.reset()
        if state == .begun {
            do {
                try session.commands.run(.commit)
            } catch {
                session.commands.rollBackIfNeeded()
            }
        }
        state = .ended
        readers.giveBack(session)
    }
}

extension DataStoreError {
    /// The error for a request to a transaction that is over.
    static var transactionEnded: DataStoreError {
        DataStoreError(.accessorExpired, "A transaction was used after its end.")
    }
}
