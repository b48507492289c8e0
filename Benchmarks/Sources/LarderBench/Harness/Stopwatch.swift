import Foundation

/// How long something takes.
func nanoseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = Stopwatch.now
    try work()
    return Double(Stopwatch.now - start)
}

/// The clock of all samples.
enum Stopwatch {
    /// Processor time instead of elapsed time, for a machine that others use as well; waiting costs nothing then.
    private static let clock =
        ProcessInfo.processInfo.environment["LARDER_BENCH_CLOCK"] == "processor"
        ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC

    /// In nanoseconds since some moment.
    static var now: Int64 { read(clock) }

    /// The processor time of the whole process, in nanoseconds.
    static var processorTime: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
