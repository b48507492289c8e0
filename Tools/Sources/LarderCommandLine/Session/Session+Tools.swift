import Foundation

extension Session {
    /// Runs work in a task that Ctrl-C cancels; the work then cleans up and ends.
    ///
    /// *Rule:* call it before any other thread is made.
    ///
    /// - Throws: The body's errors, including `.cancelled`.
    func untilInterrupted<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) throws
        -> Success
    {
        // Inside such work already: Ctrl-C cancels the outer task.
        if withUnsafeCurrentTask(body: { $0 != nil }) { return try body() }
        interruption.listen()
        let outcome = Outcome<Success>()
        let task = Task.detached { outcome.finish(with: Result(catching: body)) }
        interruption.whenAsked { task.cancel() }
        return try outcome.wait().get()
    }
}

extension Session {
    /// Runs a body on a thread of its own, outside any task, to clean up after work that Ctrl-C has
    /// cancelled.
    static func outsideOfTasks(_ body: @escaping @Sendable () -> Void) {
        let isFinished = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isFinished.signal()
        }
        isFinished.wait()
    }
}

/// The result that a task passes to a thread that waits for it.
private final class Outcome<Success: Sendable>: Sendable {
    private let result = Guarded<Result<Success, any Error>?>(nil)
    private let isFinished = DispatchSemaphore(value: 0)

    func finish(with result: Result<Success, any Error>) {
        self.result.withLock { $0 = result }
        isFinished.signal()
    }

    func wait() -> Result<Success, any Error> {
        while true {
            isFinished.wait()
            if let result = result.withLock({ $0 }) { return result }
        }
    }
}
