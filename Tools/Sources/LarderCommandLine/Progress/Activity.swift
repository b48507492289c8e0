import Foundation
import Synchronization

/// Work that shows what it does once it has taken some time: how far it is where it tells, else for how long.
///
/// *Rule:* may be used from any thread; ``end()`` takes it off the screen.
final class Activity: Sendable {
    /// How long nothing is shown, to a person and to a log.
    static let patience = (watched: Duration.milliseconds(500), unwatched: Duration.seconds(10))
    private static let tick = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var figures: ProgressFigures?
        var started: ContinuousClock.Instant
        var isHidden = false
        var hasEnded = false
    }

    private let display: ProgressDisplay
    private let patience: Duration
    private let ticks: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let begun: ContinuousClock.Instant
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isWatched: Whether a bar is drawn, and not lines that are kept.
    ///   - ticks: Whether it is shown by itself now and then; tests do that.
    init(
        _ display: ProgressDisplay, isWatched: Bool, ticks: Bool = true,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.ticks = ticks
        self.display = display
        self.now = now
        patience = isWatched ? Self.patience.watched : Self.patience.unwatched
        begun = now()
        state = Mutex(State(started: begun))
    }

    /// Says what is done from now on.
    ///
    /// - Parameter total: How many items have to be gone through; nil where nothing will be told.
    func begin(_ task: String, total: Int? = nil) {
        let isFirst = state.withLock { state in
            defer {
                state.started = now()
                state.figures = ProgressFigures(task: task, done: 0, total: total)
            }
            return state.figures == nil
        }
        if isFirst && ticks { startTicking() }
    }

    /// Says how many items of the task are done.
    func report(_ done: Int) {
        state.withLock { $0.figures?.done = done }
        show()
    }

    /// Shows how things stand, when there was time enough to become impatient.
    func show() {
        let time = now()
        guard time - begun >= patience else { return }
        state.withLock { state in
            guard var figures = state.figures, !state.isHidden, !state.hasEnded else { return }
            let elapsed = time - state.started
            figures.elapsed = elapsed
            figures.measure(elapsed)
            // A message that cannot be shown is no reason to stop the work.
            try? display.show(figures)
        }
    }

    /// Takes it off the screen, and keeps it off, while something else is written there.
    func hide() {
        state.withLock { state in
            state.isHidden = true
            try? display.end()
        }
    }

    /// Lets it be shown again the next time that it is looked at.
    func unhide() {
        state.withLock { $0.isHidden = false }
    }

    func end() {
        state.withLock { state in
            state.hasEnded = true
            try? display.end()
        }
    }

    /// Lets time pass on the screen, also while the work tells nothing.
    private func startTicking() {
        Thread.detachNewThread { [weak self] in
            let pause = DispatchSemaphore(value: 0)
            while self?.isWorking == true {
                _ = pause.wait(timeout: .now() + Self.tick)
                self?.show()
            }
        }
    }

    private var isWorking: Bool { state.withLock { !$0.hasEnded } }
}
