import CSQLite
import Larder

extension SQLiteConnection {
    /// How many steps SQLite takes between two looks at the task: a fraction of a millisecond.
    private static let steps: Int32 = 10_000

    /// Runs a body whose statements end early, and are undone, when the task is cancelled.
    ///
    /// - Parameter work: Begins the sentence of the error.
    /// - Throws: `.cancelled`; what the body throws.
    func untilCancelled<Result>(
        _ work: StaticString, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        sqlite3_progress_handler(handle, Self.steps, { _ in Task.isCancelled ? 1 : 0 }, nil)
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        do {
            return try body()
        } catch {
            throw error.underlying?.code == Int(SQLITE_INTERRUPT) ? Cancellation.error(work) : error
        }
    }
}
