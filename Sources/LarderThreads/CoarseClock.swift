import LarderPlatform

/// A very cheap clock with a precision of some milliseconds, for use in every block.
///
/// `ContinuousClock` takes a twentieth of the time of a short read block.
package enum CoarseClock {
    /// Nanoseconds since an arbitrary moment; never decreases.
    package static var now: UInt64 {
        #if canImport(Darwin)
            systemTime(on: CLOCK_UPTIME_RAW_APPROX)
        #else
            systemTime(on: CLOCK_MONOTONIC_COARSE)
        #endif
    }

    /// A duration on this clock; the maximum for a duration that does not fit.
    package static func nanoseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole &+ UInt64(max(0, attoseconds)) / 1_000_000_000
    }
}

/// A moment, to measure how long something takes.
///
/// *Cost:* an optional one is a plain number. Swift knows the size of a `ContinuousClock.Instant` only when the program runs, so
/// that each check of an optional one is a call.
package struct Moment: Sendable {
    private let nanoseconds: UInt64

    /// The moment of the call.
    package static var now: Moment {
        Moment(nanoseconds: systemTime(on: CLOCK_MONOTONIC))
    }

    package func duration(to end: Moment) -> Duration {
        .nanoseconds(Int64(clamping: end.nanoseconds &- nanoseconds))
    }
}

/// The nanoseconds of a clock of the system.
@inline(__always)
private func systemTime(on clock: clockid_t) -> UInt64 {
    #if canImport(Darwin)
        return clock_gettime_nsec_np(clock)
    #else
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
            &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    #endif
}
