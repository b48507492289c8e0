public import LarderPlatform

/// A lock with a place to wait until something has become true.
///
///     condition.withLock { while !isReady { condition.wait() } }
///
/// Made of `pthread_mutex_t` and `pthread_cond_t` for the same reason as ``Lock``: the thread sanitizer knows
/// them.
///
/// *Rule:* `wait`, `wait(until:)` and `signalAll` are called with the lock held.
@usableFromInline
package final class Condition: @unchecked Sendable {
    // reason: both objects are allocated once, never move, and are only handed to the functions of the C
    // library that are made for use from several threads.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            // A wait with a limit is measured by a clock that is never set.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Takes the lock, if ``withLock(_:)`` would cost more than the lock itself.
    @inlinable
    package func lock() {
        pthread_mutex_lock(mutex)
    }

    @inlinable
    package func unlock() {
        pthread_mutex_unlock(mutex)
    }

    /// Releases the lock, sleeps until signalled, and takes the lock again.
    package func wait() {
        pthread_cond_wait(condition, mutex)
    }

    /// Waits as ``wait()`` does, but no longer than until a moment; returns false once that moment has
    /// passed.
    ///
    /// True does not mean that it was signalled: the caller checks what it waits for, and waits again.
    package func wait(until end: ContinuousClock.Instant) -> Bool {
        let left = CoarseClock.nanoseconds(min(end - .now, Self.longestWait))
        guard left > 0 else { return false }
        #if canImport(Darwin)
            var limit = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            pthread_cond_timedwait_relative_np(condition, mutex, &limit)
        #else
            var limit = timespec()
            clock_gettime(CLOCK_MONOTONIC, &limit)
            let nanoseconds = Int(limit.tv_nsec) + Int(left)
            limit.tv_sec += nanoseconds / 1_000_000_000
            limit.tv_nsec = nanoseconds % 1_000_000_000
            pthread_cond_timedwait(condition, mutex, &limit)
        #endif
        return .now < end
    }

    /// Longer ones are several waits, so that no moment is too late for the C library.
    private static let longestWait = Duration.seconds(3600)

    /// Wakes all threads that wait.
    @usableFromInline
    package func signalAll() {
        pthread_cond_broadcast(condition)
    }
}
