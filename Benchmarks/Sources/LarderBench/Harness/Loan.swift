import Dispatch

/// Carries something to another thread while the giver waits for its return, or uses another part of it.
// reason: whoever lends says in the same function which thread touches what.
struct Loan<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Runs async code, off the main thread, and waits for its result.
func inAsyncCode<Success: Sendable>(_ work: @escaping @Sendable () async throws -> Success) throws -> Success
{
    let done = DispatchSemaphore(value: 0)
    let outcome = SharedValue<Result<Success, any Error>?>(nil)
    Task {
        do {
            outcome.value = .success(try await work())
        } catch {
            outcome.value = .failure(error)
        }
        done.signal()
    }
    done.wait()
    guard let result = outcome.value else { throw CancellationError() }
    return try result.get()
}
