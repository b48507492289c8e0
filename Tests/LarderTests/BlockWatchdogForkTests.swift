import Larder

#if os(Linux)
    import Foundation
    import Logging
    import Testing

    @testable import AdapterTestSupport
    @testable import LarderDiagnostics
    @testable import LarderKernel

    struct BlockWatchdogForkTests {
        private final class Gate: WatchedGate {
            func enqueueLongBlocks(in diagnostics: StoreDiagnostics) -> Bool { false }
        }

        /// The lock of the list is held by another thread in about every second fork.
        // The thread sanitizer does not support a fork of a process with several threads: a child of it hung once.
        @Test(.disabled(if: Repetitions.sanitizer == "thread"))
        func `a forked process opens stores, whatever the watchdog did at the fork`() {
            let diagnostics = StoreDiagnostics(
                of: "store", on: "Memory", logger: Logger(label: "test"), handlers: [], showsValues: false,
                slowRequest: nil)
            // Before the fork, so that the child asks nothing of Swift's runtime for the first time.
            let own = Gate()
            BlockWatchdog.shared.add(own, diagnostics)
            BlockWatchdog.shared.remove(own)
            let isOver = Locked(false)
            let hasEnded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let gate = Gate()
                while !isOver.withLock({ $0 }) {
                    for _ in 0..<1000 {
                        BlockWatchdog.shared.add(gate, diagnostics)
                        BlockWatchdog.shared.remove(gate)
                    }
                }
                hasEnded.signal()
            }

            var statuses: [Int32] = []
            repeat {
                let status = statusOfForkedProcess {
                    // Ends a child that waits for ever, on a thread that may have the signal blocked.
                    var signals = sigset_t()
                    sigaddset(&signals, SIGALRM)
                    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                    alarm(20)
                    BlockWatchdog.shared.add(own, diagnostics)
                    BlockWatchdog.shared.remove(own)
                    return 7
                }
                statuses.append(status)
            } while statuses.count < 100 && statuses.last == 7
            isOver.withLock { $0 = true }
            hasEnded.wait()

            #expect(statuses == Array(repeating: 7, count: 100))
        }
    }
#endif
