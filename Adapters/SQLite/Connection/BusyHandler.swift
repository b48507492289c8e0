import CSQLite
import LarderPlatform

/// Waits for the locks of other connections, in this process and in others, up to a limit.
///
/// Even one reader and one writer meet a locked file for microseconds, so it spins before it sleeps; SQLite's
/// own handler begins with a sleep of a millisecond.
struct BusyHandler {
    // reason: SQLite keeps the address; the connection frees it after it has closed the handle.
    private let wait: UnsafeMutablePointer<Wait>

    private struct Wait {
        var limit: Duration
        var began = ContinuousClock.now

        mutating func goesOn(after tries: Int32) -> Bool {
            if tries == 0 { began = .now }
            if tries < 100 {
                sched_yield()
                return true
            }
            guard ContinuousClock.now - began < limit else { return false }
            usleep(tries < 200 ? 50 : 1000)
            return true
        }
    }

    init(limit: Duration) {
        wait = .allocate(capacity: 1)
        wait.initialize(to: Wait(limit: limit))
    }

    func install(on connection: OpaquePointer) {
        sqlite3_busy_handler(
            connection,
            { context, tries in
                guard let wait = context?.assumingMemoryBound(to: Wait.self) else { return 0 }
                return wait.pointee.goesOn(after: tries) ? 1 : 0
            }, wait)
    }

    /// True if the caller should try again; waits a little first.
    ///
    /// - Parameter tries: The number of tries before the last one.
    func goesOn(after tries: Int32) -> Bool { wait.pointee.goesOn(after: tries) }

    /// Runs a body that waits for another time than usual.
    func withLimit<Result>(_ limit: Duration, _ body: () -> Result) -> Result {
        let usual = wait.pointee.limit
        wait.pointee.limit = limit
        defer { wait.pointee.limit = usual }
        return body()
    }

    func deallocate() {
        wait.deinitialize(count: 1)
        wait.deallocate()
    }
}
