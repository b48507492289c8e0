import CSQLite
import LarderKernel

extension SQLiteConnection {
    /// The number of SQLite's steps between two checks of the task: a fraction of a millisecond.
    private static let steps: Int32 = 10_000

    /// Runs a body whose statements end early, and are undone, when the task is cancelled.
    ///
    /// - Parameter work: Begins the sentence of the error.
    /// - Throws: `.cancelled`; what the body throws.
    func untilCancelled<Result>(
        _ work: StaticString, _ body: () throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        watchTask()
        defer { ignoreTask() }
        do {
            return try body()
        } catch {
            throw error.code == .cancelled ? Cancellation.error(work) : error
        }
    }

    /// From now on, statements throw `.cancelled` soon after the task that runs them is cancelled.
    func watchTask() {
        sqlite3_progress_handler(handle, Self.steps, { _ in AwaitedThread.isCancelled ? 1 : 0 }, nil)
    }

    /// From now on, statements run to their end.
    func ignoreTask() {
        sqlite3_progress_handler(handle, 0, nil, nil)
    }
}
