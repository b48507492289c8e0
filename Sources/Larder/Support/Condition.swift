#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A lock one can wait at until something has become true.
///
///     condition.withLock { while !isReady { condition.wait() } }
///
/// *Rule:* `wait` and `signalAll` are called with the lock held.
package final class Condition: @unchecked Sendable {
    // reason: both objects are allocated once, never move, and are only handed to the functions of the C
    // library that are made for use from several threads.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Takes the lock, where ``withLock(_:)`` would cost more than the lock itself.
    package func lock() {
        pthread_mutex_lock(mutex)
    }

    package func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Lets the lock go, sleeps until signalled, takes the lock again.
    package func wait() {
        pthread_cond_wait(condition, mutex)
    }

    /// Wakes everybody who waits.
    package func signalAll() {
        pthread_cond_broadcast(condition)
    }
}
