import Foundation

/// A value that is only accessible while its lock is held.
///
/// `Synchronization.Mutex` is not used: the thread sanitizer cannot see its futex and reports false races, and macOS
/// has it from 15 on.
final class Guarded<Value>: @unchecked Sendable {
    // reason: `value` is private and every access to it happens inside `withLock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
