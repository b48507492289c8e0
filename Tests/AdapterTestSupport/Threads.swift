import Foundation
import Larder
import Testing

/// Runs bodies side by side, each on a thread of its own, and waits for all of them.
///
/// Tasks would not do: they share as many threads as there are processors, and these bodies wait.
///
/// - Throws: The first error of a body.
func sideBySide(_ bodies: [@Sendable () throws -> Void]) throws {
    let failure = Locked<(any Error)?>(nil)
    let group = DispatchGroup()
    for body in bodies {
        group.enter()
        Thread {
            do {
                try body()
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
            group.leave()
        }.start()
    }
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
}

/// Runs a body on a thread of its own, and work here once that thread has begun; waits for both.
///
/// A task would not do: it begins when one of the few threads of all tasks is free, which may be minutes later.
func whileRunning<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value, do work: () throws -> Void
) throws -> Value {
    let outcome = Locked<Result<Value, any Error>?>(nil)
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
        begun.signal()
        let result = Result { try body() }
        outcome.withLock { $0 = result }
        ended.signal()
    }
    begun.wait()
    let work = Result { try work() }
    ended.wait()
    try work.get()
    return try #require(outcome.withLock { $0 }).get()
}

/// Runs a body that blocks on a thread of its own, while its task holds none of the few threads of all tasks.
///
/// What a body expects is not known to belong to a test: it returns what the test compares.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        Thread.detachNewThread {
            let result = Result { try body() }
            continuation.resume(with: result)
        }
    }
}

/// Runs a body on a thread of its own, and waits for it as long as it may take.
///
/// - Parameter stop: Called when the time is over, to end what the body waits for.
/// - Returns: The body's value; nil if it had not ended in time.
func within<Value: Sendable>(
    _ seconds: Int, _ body: @escaping @Sendable () throws -> Value, otherwise stop: () -> Void
) throws -> Value? {
    let outcome = Locked<Result<Value, any Error>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        let result = Result { try body() }
        outcome.withLock { $0 = result }
        ended.signal()
    }
    if ended.wait(timeout: .now() + .seconds(seconds)) == .success {
        return try outcome.withLock { $0 }?.get()
    }
    stop()
    _ = ended.wait(timeout: .now() + .seconds(seconds))
    return nil
}
