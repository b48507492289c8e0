@testable import LarderCommandLine

/// A clock that a test moves.
final class HandClock: Sendable {
    private let instant = Guarded(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}

extension Terminal {
    static let forBars = Terminal(environment: ["TERM": "xterm"], outputColumns: 80, errorColumns: 80)
}
