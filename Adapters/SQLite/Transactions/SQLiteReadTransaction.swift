import LarderKernel
import LarderSQL

/// One snapshot of the store, taken at the first request.
///
/// If the first request is for one row and finds it, its statement alone holds the snapshot as long as it
/// is not reset; only a second request turns that into a transaction of several statements, which costs half
/// as much again.
final class SQLiteReadTransaction: SessionReading {
    private let store: SQLiteStore
    // Unchecked, here and below, as CONTRIBUTING says of what one thread uses at a time.
    @exclusivity(unchecked) private(set) var session: SQLiteSession
    @exclusivity(unchecked) private var state = State.new
    /// The error with which the snapshot was lost.
    @exclusivity(unchecked) private var loss: DataStoreError?

    private enum State {
        case new
        /// The statement of the first request holds the snapshot.
        case held
        /// BEGIN holds it.
        case begun
        /// The app or an error has ended the transaction; no other snapshot takes its place.
        case lost
        case ended
    }

    /// True if the connection checks the task, which must be turned off when it is returned.
    @exclusivity(unchecked) private var stopsWhenCancelled = false

    init(session: SQLiteSession, of store: SQLiteStore) {
        self.session = session
        self.store = store
    }

    deinit {
        end()
    }

    /// Lets every request throw `.cancelled` soon after its task is cancelled.
    func stopWhenCancelled() {
        session.connection.watchTask()
        stopsWhenCancelled = true
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        if state == .new {
            try session.connection.requireSameProcess()
            if try session.row(at: identifier, of: entity, into: cells) {
                state = .held
                return true
            }
            // A statement at its end holds nothing, so the row is looked for again in a snapshot that stays.
        }
        try beginIfNeeded()
        return try session.row(at: identifier, of: entity, into: cells)
    }

    @inline(__always)
    func attempt<Result>(
        _ body: (SQLiteSession) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        try beginIfNeeded()
        return try body(session)
    }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        try beginSnapshot()
        return try session.explain(plan)
    }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        try beginSnapshot()
        return try session.explain(plan)
    }

    /// Begins the snapshot if nothing is read from the tables, which SQLite would wait for.
    private func beginSnapshot() throws(DataStoreError) {
        try session.connection.requireSameProcess()
        if hasBegun { return }
        try begin()
        try session.requireGeneration()
    }

    @inline(__always)
    private func beginIfNeeded() throws(DataStoreError) {
        try session.connection.requireSameProcess()
        if !hasBegun { try begin() }
    }

    /// True if BEGIN still holds the snapshot, which SQLite gives up after some errors, even of reading.
    @inline(__always)
    private var hasBegun: Bool {
        if state != .begun { return false }
        if !session.connection.isInTransaction { lose() }
        return state == .begun
    }

    private func lose() {
        let error = DataStoreError(
            .snapshotLost, "SQLite has ended the reading, after an error.", advice: "Repeat the block.",
            path: session.connection.path)
        (state, loss) = (.lost, error)
    }

    private func begin() throws(DataStoreError) {
        if state == .ended { throw .transactionEnded }
        if state == .lost, let loss { throw loss }
        try session.commands.run(.begin)
        state = .begun
    }

    func lendConnection<Value>(
        _ body: (OpaquePointer) throws -> Value
    ) throws(DataStoreError) -> Result<Value, any Error> {
        try beginIfNeeded()
        do throws(DataStoreError) {
            return try session.lendConnection(body)
        } catch {
            if !session.connection.isInTransaction { (state, loss) = (.lost, error) }
            throw error
        }
    }

    func end() {
        if state == .ended { return }
        // In a forked process the snapshot is the other one's.
        if !session.connection.isForked { endSnapshot() }
        state = .ended
        store.readers.release(session)
    }

    private func endSnapshot() {
        session.reset()
        if stopsWhenCancelled { session.connection.ignoreTask() }
        guard state == .begun else { return }
        do {
            try session.commands.run(.commit)
        } catch {
            session.commands.rollBackIfNeeded()
        }
    }

    func beginAgain() throws(DataStoreError) -> Bool {
        session = try store.acquireReader()
        if stopsWhenCancelled { session.connection.watchTask() }
        state = .new
        return true
    }
}
