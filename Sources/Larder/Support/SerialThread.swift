/// A thread that runs what it is given, one after the other; started for the first job.
///
/// Jobs may block: they are not on the cooperative pool, and the order is that of the calls.
///
/// A thread and not a serial `DispatchQueue`. A job blocks for as long as an app's block does, perhaps until
/// the writer of another store is free. Dispatch has a limited number of threads for all queues of a process;
/// if jobs block all of them, the job they wait for never begins, and the ``DeadlockWatch`` cannot see it.
/// Nor does Dispatch report that the operating system gives no thread, which ``start()`` does.
final class SerialThread: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.
    private let condition = Condition()
    private var jobs: [@Sendable () -> Void] = []
    private var isRunning = false
    private var isStopping = false

    /// Starts the thread unless it runs.
    ///
    /// - Throws: `.inputOutput` when the operating system gives no thread.
    func start() throws(DataStoreError) {
        let isStarted = condition.withLock { startWithLock() }
        if !isStarted {
            throw DataStoreError(.inputOutput, "The operating system gave no thread for the store.")
        }
    }

    /// Runs a job after those given before.
    ///
    /// *Rule:* call ``start()`` first. Where the thread has ended since and there is no new one, the job
    /// waits for the next call.
    func run(_ job: @escaping @Sendable () -> Void) {
        condition.withLock {
            jobs.append(job)
            _ = startWithLock()
            condition.signalAll()
        }
    }

    private func startWithLock() -> Bool {
        isStopping = false
        if !isRunning { isRunning = OSThread.start { [self] in work() } }
        return isRunning
    }

    /// Lets the thread end once its jobs are done, without waiting for it.
    func stop() {
        condition.withLock {
            isStopping = true
            condition.signalAll()
        }
    }

    private func work() {
        while let jobs = nextJobs() {
            for job in jobs { job() }
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
