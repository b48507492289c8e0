import struct Foundation.Date
import class Foundation.NSCondition
import class Foundation.Thread

/// A value that one thread sets and others wait for.
final class Outcome<Value: Sendable>: @unchecked Sendable {
    // reason: `value` is read and written with the condition's lock held.
    private let condition = NSCondition()
    private var value: Value?

    /// Sets the value; only the first counts.
    func set(_ value: Value) {
        condition.lock()
        if self.value == nil { self.value = value }
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for the value; returns nil if it does not come in time.
    func wait(until limit: Date) -> Value? {
        condition.lock()
        defer { condition.unlock() }
        while value == nil, condition.wait(until: limit) {}
        return value
    }
}

/// An event that happens once and that other threads can wait for.
struct Signal: Sendable {
    private let outcome = Outcome<Bool>()

    func fire() {
        outcome.set(true)
    }

    /// - Throws: ``ConformanceFailure`` when it has not happened after some seconds.
    func wait(file: StaticString = #fileID, line: Int = #line) throws {
        guard outcome.wait(until: Date(timeIntervalSinceNow: 20)) != nil else {
            throw ConformanceFailure(
                expected: "a signal from another thread", actual: "none within 20 s",
                at: SourcePlace(file: file, line: line))
        }
    }

    /// Waits in async code, without blocking a thread that the other side may need.
    ///
    /// - Throws: ``ConformanceFailure`` when it has not happened after some seconds.
    func fired(file: StaticString = #fileID, line: Int = #line) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try wait(file: file, line: line) })
            }
        }
    }
}

/// Work on another thread, whose outcome is read later.
struct Background<Value: Sendable>: Sendable {
    private let outcome = Outcome<Result<Value, any Error>>()

    init(_ work: @escaping @Sendable () throws -> Value) {
        let outcome = outcome
        Thread.detachNewThread { outcome.set(Result { try work() }) }
    }

    /// The result or the error of the work.
    func value(file: StaticString = #fileID, line: Int = #line) throws -> Value {
        guard let result = outcome.wait(until: Date(timeIntervalSinceNow: 30)) else {
            throw ConformanceFailure(
                expected: "an end of the work on another thread", actual: "none within 30 s",
                at: SourcePlace(file: file, line: line))
        }
        return try result.get()
    }
}

extension Outcome {
    /// The value, once it is there.
    ///
    /// - Throws: ``ConformanceFailure`` when it does not come.
    func require(file: StaticString = #fileID, line: Int = #line) throws -> Value {
        guard let value = wait(until: Date(timeIntervalSinceNow: 20)) else {
            throw ConformanceFailure(
                expected: "a value from another thread", actual: "none within 20 s",
                at: SourcePlace(file: file, line: line))
        }
        return value
    }
}

/// The placeholder error of a success.
struct NoError: Error {}

extension Result where Failure == any Error {
    /// The error, or ``NoError`` if there is none.
    var error: any Error {
        switch self {
        case .success: NoError()
        case .failure(let error): error
        }
    }
}
