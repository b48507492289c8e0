/// Shows the progress of a long task: a bar that is redrawn in a terminal, lines elsewhere.
///
/// *Rule:* may be used from any thread. *Cost:* of many reports few are shown: a bar ten times a second, or a
/// line for each tenth.
final class ProgressDisplay: Sendable {
    private static let pause = Duration.milliseconds(100)
    /// The time between two lines if the total is not known.
    private static let linePause = Duration.seconds(10)

    private struct Shown {
        var time: ContinuousClock.Instant?
        var tenth: Int?
        var percent: Int?
        var task: String?
    }

    private let output: any TextSink
    private let width: Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let last = Guarded(Shown())

    init(
        to output: any TextSink, terminal: Terminal, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.output = output
        width = terminal.canRedraw ? terminal.errorWidth : nil
        self.now = now
    }

    /// If the report is shown, it is written before the call returns.
    func show(_ figures: ProgressFigures) throws(CommandFailure) {
        let time = now()
        let isDue = last.withLock { last in
            let isDue = width == nil ? isLineDue(figures, time, last) : isBarDue(figures, time, last)
            if isDue { last.time = time }
            last.task = figures.task
            last.tenth = figures.percent.map { $0 / 10 }
            last.percent = figures.percent
            return isDue
        }
        if isDue { try put(width.map { bar(figures, width: $0) } ?? line(figures)) }
    }

    /// Removes the bar, so that the next text is on a line of its own.
    func end() throws(CommandFailure) {
        let wasShown = last.withLock { last in
            defer { last = Shown() }
            return last.time != nil
        }
        if width != nil, wasShown { try put("\r\u{1B}[K") }
    }

    private func bar(_ figures: ProgressFigures, width: Int) -> String {
        "\r" + ProgressBar(figures, width: width - 1).text + "\u{1B}[K"
    }

    private func line(_ figures: ProgressFigures) -> String {
        let parts = [figures.countText, figures.rateText, figures.timeLeftText, figures.elapsedText]
        let text = "\(figures.task): " + parts.compactMap { $0 }.joined(separator: ", ")
        return figures.percent.map { "\($0) % \(text)\n" } ?? "\(text)\n"
    }

    private func isBarDue(
        _ figures: ProgressFigures, _ time: ContinuousClock.Instant, _ last: Shown
    ) -> Bool {
        // The end is always shown, however soon it comes.
        if figures.percent == 100 && last.percent != 100 { return true }
        return figures.task != last.task || hasPassed(Self.pause, since: last.time, at: time)
    }

    private func isLineDue(
        _ figures: ProgressFigures, _ time: ContinuousClock.Instant, _ last: Shown
    ) -> Bool {
        if figures.task != last.task { return true }
        guard let percent = figures.percent else {
            return hasPassed(Self.linePause, since: last.time, at: time)
        }
        return percent / 10 != last.tenth
    }

    private func hasPassed(
        _ pause: Duration, since last: ContinuousClock.Instant?, at time: ContinuousClock.Instant
    ) -> Bool {
        last.map { time - $0 >= pause } ?? true
    }

    private func put(_ text: String) throws(CommandFailure) {
        try output.write(text)
        try output.flush()
    }
}
