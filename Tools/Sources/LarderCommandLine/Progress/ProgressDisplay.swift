/// Shows how far a long task has come: a bar that is drawn over and over in a terminal, lines elsewhere.
///
/// *Cost:* of many reports few are shown, a bar ten times a second and a line for each tenth.
final class ProgressDisplay {
    private static let pause = Duration.milliseconds(100)
    /// How often there is a line where nobody knows the total.
    private static let linePause = Duration.seconds(10)

    private let output: any TextSink
    private let width: Int?
    private let now: () -> ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant?
    private var lastTenth: Int?
    private var lastTask: String?

    init(to output: any TextSink, terminal: Terminal, now: @escaping () -> ContinuousClock.Instant) {
        self.output = output
        width = terminal.canRedraw ? terminal.errorWidth : nil
        self.now = now
    }

    /// What is shown of it, if anything, is on its way when the call returns.
    func show(_ figures: ProgressFigures) throws(CommandFailure) {
        defer { lastTask = figures.task }
        if let width {
            if figures.task == lastTask, !hasPaused(for: Self.pause) { return }
            try put("\r" + ProgressBar(figures, width: width - 1).text + "\u{1B}[K")
        } else if isLineDue(figures) {
            let parts = ["\(figures.task): \(figures.countText)", figures.rateText, figures.timeLeftText]
            let text = parts.compactMap { $0 }.joined(separator: ", ")
            try put(figures.percent.map { "\($0) % \(text)\n" } ?? "\(text)\n")
        }
    }

    /// Takes the bar away, so that what comes next stands on a line of its own.
    func end() throws(CommandFailure) {
        if width != nil, lastShown != nil { try put("\r\u{1B}[K") }
        lastShown = nil
    }

    private func isLineDue(_ figures: ProgressFigures) -> Bool {
        guard let percent = figures.percent else { return hasPaused(for: Self.linePause) }
        let tenth = percent / 10
        defer { lastTenth = tenth }
        return figures.task != lastTask || tenth != lastTenth
    }

    private func hasPaused(for pause: Duration) -> Bool {
        guard let lastShown else { return true }
        return now() - lastShown >= pause
    }

    private func put(_ text: String) throws(CommandFailure) {
        lastShown = now()
        try output.write(text)
        try output.flush()
    }
}
