/// A thread that runs what it is given, one after the other; started for the first job.
///
/// Jobs may block: they are not on the cooperative pool, and the order is that of the calls.
final class SerialThread: @unchecked Sendable {
    // reason: all mutable state is read and written with `condition`'s lock held.
    private let condition = Condition()
    private var jobs: [@Sendable () -> Void] = []
    private var isRunning = false
    private var isStopping = false

    /// Runs a job after those given before.
    ///
    /// - Throws: `.inputOutput` when the operating system gives no thread.
    func run(_ job: @escaping @Sendable () -> Void) throws(DataStoreError) {
        try condition.withLock { () throws(DataStoreError) in
            if !isRunning {
                isRunning = OSThread.start { [self] in work() }
                guard isRunning else {
                    throw DataStoreError(.inputOutput, "The operating system gave no thread for the store.")
                }
            }
            isStopping = false
            jobs.append(job)
            condition.signalAll()
        }
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
