import Larder
import Testing

@testable import LarderDiagnostics
@testable import LarderKernel

/// The part of a store's gate that wakes the watchdog.
struct LongBlockWatchTests {
    @Test func `the next block wakes the watchdog if the system gave it no thread`() {
        let answers = Locked([false, true])
        let watchdog = BlockWatchdog { _ in answers.withLock { $0.removeFirst() } }
        var watch = LongBlockWatch(limit: 1)

        watch.wake(watchdog)
        #expect(!watch.isWatched)
        watch.wake(watchdog)
        #expect(watch.isWatched)
        // The thread of the second block runs.
        watch.wake(watchdog)
        #expect(watch.isWatched)
        #expect(answers.withLock { $0.isEmpty })
    }
}
