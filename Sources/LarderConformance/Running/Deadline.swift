import struct Foundation.Date
import class Foundation.Thread

/// Runs work on a thread of its own and stops waiting for it after a time, so that a hang is a failure.
enum Deadline {
    static func run(
        within seconds: Double, at place: SourcePlace, _ body: @escaping @Sendable () throws -> Void
    ) async throws {
        try await wait(seconds, place) { outcome in
            Thread.detachNewThread { outcome.set(Result { try body() }) }
        }
    }

    static func run(
        within seconds: Double, at place: SourcePlace, async body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await wait(seconds, place) { outcome in
            Task {
                do {
                    try await body()
                    outcome.set(.success(()))
                } catch {
                    outcome.set(.failure(error))
                }
            }
        }
    }

    /// Waits on a thread of its own, so that a hang elsewhere cannot delay the clock.
    private static func wait(
        _ seconds: Double, _ place: SourcePlace,
        _ start: @escaping @Sendable (Outcome<Result<Void, any Error>>) -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                let outcome = Outcome<Result<Void, any Error>>()
                start(outcome)
                let result = outcome.wait(until: Date(timeIntervalSinceNow: seconds))
                let late = ConformanceFailure(
                    expected: "an end within \(Int(seconds)) s", actual: "none; something hangs", at: place)
                continuation.resume(with: result ?? .failure(late))
            }
        }
    }
}
