import Foundation

/// The progress of work that has taken some time: its percentage if the total is known, else its duration.
///
/// *Rule:* may be used from any thread; ``end()`` takes it off the screen.
final class Activity: Sendable {
    /// The time before anything is shown, to a person and in a log.
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
    private let state: Guarded<State>

    /// - Parameters:
    ///   - isWatched: True to draw a bar; false to write lines.
    ///   - ticks: True to update the display regularly; tests do that themselves.
    init(
        _ display: ProgressDisplay, isWatched: Bool, ticks: Bool = true,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.ticks = ticks
        self.display = display
        self.now = now
        patience = isWatched ? Self.patience.watched : Self.patience.unwatched
        begun = now()
        state = Guarded(State(started: begun))
    }

    /// Begins a task.
    ///
    /// - Parameter total: The number of items to process, or nil if the task reports no progress.
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

    /// Reports the number of items of the task that are done.
    func report(_ done: Int) {
        state.withLock { $0.figures?.done = done }
        show()
    }

    /// Shows the progress, once the work has taken long enough.
    func show() {
        let time = now()
        guard time - begun >= patience else { return }
        state.withLock { state in
            guard var figures = state.figures, !state.isHidden, !state.hasEnded else { return }
            let elapsed = time - state.started
            figures.elapsed = elapsed
            figures.measure(elapsed)
            // A message that cannot be shown must not stop the work.
            try? display.show(figures)
        }
    }

    /// Removes the progress from the screen while other text is written there.
    func hide() {
        state.withLock { state in
            state.isHidden = true
            try? display.end()
        }
    }

    /// Allows the progress to be shown again at the next update.
    func unhide() {
        state.withLock { $0.isHidden = false }
    }

    func end() {
        state.withLock { state in
            state.hasEnded = true
            try? display.end()
        }
    }

    /// Updates the time on the screen, even while the work reports nothing.
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
