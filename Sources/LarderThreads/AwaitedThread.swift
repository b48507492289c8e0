/// A thread that works for a task, which awaits the end of the work.
///
///     let names = try await AwaitedThread.run { namesOfFiles() }
///
/// For work that waits for other threads. On the cooperative pool, it would hold a thread that other tasks need.
package enum AwaitedThread {
    /// Runs work on a new thread, in the role of the caller, and awaits its end.
    ///
    /// *Rule:* the work learns by ``isCancelled`` that the task is cancelled; the task awaits its end even then.
    ///
    /// - Throws: `.noThread` when the operating system gives none; the work does not run then.
    package static func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws(ThreadRefusal) -> Value {
        let role = ThreadRole.current
        let isCancelled = Locked(false)
        // Handed over under a lock, as ``PendingWrite`` of the kernel does. Each side takes what it is given, so that the
        // thread keeps nothing of the work or of its value once the task continues.
        let handed = Locked<(@Sendable () -> Value)?>(work)
        let result = Locked<Value?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isStarted = OSThread.start {
                    let state = ThreadBlocks.current.state
                    state.pointee.isTaskCancelled = { isCancelled.withLock { $0 } }
                    role.run {
                        let value = handed.exchange(nil)?()
                        result.withLock { $0 = value }
                    }
                    // The thread's memory is freed without being deinitialized.
                    state.pointee.isTaskCancelled = nil
                    continuation.resume()
                }
                if !isStarted { continuation.resume() }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        guard let value = result.exchange(nil) else { throw .noThread }
        return value
    }

    /// True if the task was cancelled that runs the caller, or that awaits the work of its thread.
    package static var isCancelled: Bool {
        if Task.isCancelled { return true }
        return ThreadBlocks.current.state.pointee.isTaskCancelled?() ?? false
    }
}
