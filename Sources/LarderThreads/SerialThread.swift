#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// A thread that runs what it is given, one after the other; started for the first job.
///
/// Jobs may block: they are not on the cooperative pool. They run in the order of the calls.
///
/// A thread and not a serial `DispatchQueue`. A job blocks for as long as an app's block does, perhaps until
/// the writer of another store is free. Dispatch has a limited number of threads for all queues of a process;
/// if jobs block all of them, the job they wait for never begins, and the ``DeadlockWatch`` cannot see it.
/// Nor does Dispatch report that the operating system gives no thread, which ``start()`` and ``run(_:)`` do.
package final class SerialThread: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.
    private let condition = Condition()
    private var jobs: [@Sendable () -> Void] = []
    private var isRunning = false
    private var isStopping = false
    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    /// - Parameter start: Runs a body on a new thread; returns false if there is none; another for tests.
    package init(
        startedBy start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = OSThread.start
    ) {
        startThread = start
    }

    /// Starts the thread unless it runs.
    ///
    /// - Throws: `.noThread` when the operating system gives none.
    package func start() throws(ThreadRefusal) {
        try condition.withLock { () throws(ThreadRefusal) in try startWithLock() }
    }

    /// Runs a job after those given before.
    ///
    /// - Throws: `.noThread` when the thread has ended and the operating system gives no new one; the job
    ///   does not run then.
    package func run(_ job: @escaping @Sendable () -> Void) throws(ThreadRefusal) {
        try condition.withLock { () throws(ThreadRefusal) in
            try startWithLock()
            jobs.append(job)
            condition.signalAll()
        }
    }

    private func startWithLock() throws(ThreadRefusal) {
        isStopping = false
        if isRunning { return }
        isRunning = startThread { [self] in work() }
        if !isRunning { throw .noThread }
    }

    /// Lets the thread end once its jobs are done, without waiting for it.
    package func stop() {
        condition.withLock {
            isStopping = true
            condition.signalAll()
        }
    }

    private func work() {
        while let jobs = nextJobs() {
            for job in jobs {
                #if canImport(ObjectiveC)
                    // The thread lives as long as the store, and so would what Foundation has left in its
                    // pool.
                    autoreleasepool { job() }
                #else
                    job()
                #endif
            }
        }
    }

    private func nextJobs() -> [@Sendable () -> Void]? {
        condition.withLock {
            while jobs.isEmpty {
                if isStopping {
                    isRunning = false
                    return nil
                }
                condition.wait()
            }
            defer { jobs.removeAll(keepingCapacity: jobs.capacity < 1024) }
            return jobs
        }
    }
}
