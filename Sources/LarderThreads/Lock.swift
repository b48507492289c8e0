public import LarderPlatform

/// A small lock for mutual exclusion that the thread sanitizer understands.
///
///     let lock = Lock()
///     lock.withLock { counter += 1 }
///
/// *Rule:* not recursive; a thread that takes it twice waits for ever. *Cost:* about 10 ns uncontended.
///
/// `Synchronization.Mutex` is not used: the thread sanitizer cannot see its futex and reports false races,
/// and it raises the minimum platforms.
@usableFromInline
package final class Lock: @unchecked Sendable {
    // reason: the storage is allocated once, never moves, and is only handed to the lock functions of the C
    // library, which are safe to call from any thread.
    #if canImport(Darwin)
        @usableFromInline let storage: UnsafeMutablePointer<os_unfair_lock>
    #else
        @usableFromInline let storage: UnsafeMutablePointer<pthread_mutex_t>
    #endif

    package init() {
        storage = .allocate(capacity: 1)
        makeFree()
    }

    private func makeFree() {
        #if canImport(Darwin)
            storage.initialize(to: os_unfair_lock())
        #else
            storage.initialize(to: pthread_mutex_t())
            pthread_mutex_init(storage, nil)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(storage)
        #endif
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    @inlinable
    package func lock() {
        #if canImport(Darwin)
            os_unfair_lock_lock(storage)
        #else
            pthread_mutex_lock(storage)
        #endif
    }

    @inlinable
    package func unlock() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(storage)
        #else
            pthread_mutex_unlock(storage)
        #endif
    }

    /// Frees the lock in a process that was forked while the forking thread held it.
    ///
    /// The system may take the child's thread for another one, which is not allowed to unlock it.
    package func unlockInForkedProcess() { makeFree() }

    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// A value that is only accessible while its lock is held.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // reason: `value` is private and every access to it happens inside `withLock`.
    @usableFromInline let lock = Lock()
    // reason for unchecked: the lock already keeps two accesses apart.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    package init(_ value: sending Value) {
        self.value = value
    }

    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Sets a value, and hands out the old one: what it keeps may ask for the lock when it is released.
    @discardableResult
    package func exchange(_ new: Value) -> Value {
        withLock { current in
            let old = current
            current = new
            return old
        }
    }
}

// Around a fork, which copies a lock that another thread holds to a process without that thread.
extension Locked {
    /// Keeps all other threads out until ``unlockAfterFork()``.
    package func lockBeforeFork() { lock.lock() }

    package func unlockAfterFork() { lock.unlock() }

    /// Changes the value in the forked process, and lets others in.
    package func unlockInForkedProcess(_ change: (inout Value) -> Void) {
        change(&value)
        lock.unlockInForkedProcess()
    }
}
