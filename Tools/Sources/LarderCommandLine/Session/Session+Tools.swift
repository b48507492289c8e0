import Foundation
import Synchronization

extension Session {
    /// Runs a tool of an engine in a task, which Ctrl-C cancels; the tool then puts everything in order.
    ///
    /// *Rule:* before any other thread is made.
    ///
    /// - Throws: What the body throws, `.cancelled` among it.
    func untilInterrupted<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) throws
        -> Success
    {
        interruption.listen()
        let outcome = Outcome<Success>()
        let task = Task.detached { outcome.finish(with: Result(catching: body)) }
        interruption.whenAsked { task.cancel() }
        return try outcome.wait().get()
    }
}

/// What a task gives to a thread that waits for it.
private final class Outcome<Success: Sendable>: Sendable {
    private let result = Mutex<Result<Success, any Error>?>(nil)
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
