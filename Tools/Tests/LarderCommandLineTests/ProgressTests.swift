import Testing

@testable import LarderCommandLine

struct ProgressTests {
    @Test func `a bar shows how far it is, how fast it goes and how long it takes`() {
        let bar = ProgressBar(figures(450, of: 1000, rate: 52_311, left: .seconds(65)), width: 100)

        #expect(
            bar.text == "copying     [###########---------------]   45 %    450 of 1,000 items"
                + "     52,311/s  1 min 5 s left  ")
    }

    @Test(arguments: [120, 100, 79, 60, 40])
    func `a bar has one width from its beginning to its end`(_ width: Int) {
        let bars = [
            figures(0, of: 1000), figures(9, of: 1000, rate: 9, left: .seconds(59 * 60 + 59)),
            figures(999, of: 1000, rate: 999_999, left: .seconds(1)),
            figures(1000, of: 1000, rate: 1_000_000, left: .zero),
        ].map { ProgressBar($0, width: width).text }

        #expect(Set(bars.map(DisplayWidth.of)).count == 1)
        #expect(Set(bars.map { $0.firstIndex(of: "%") }).count == 1)
    }

    @Test func `what tells no number shows for how long it has been done`() {
        var figures = figures(0, of: nil)
        figures.elapsed = .seconds(75)

        #expect(ProgressBar(figures, width: 100).text == "copying     1 min 15 s")
    }

    @Test func `the end is drawn however quick it came`() throws {
        let (text, clock) = (RecordedText(), HandClock())
        let display = ProgressDisplay(to: text, terminal: .forBars, now: { clock.now })

        try display.show(figures(0, of: 3))
        try display.show(figures(3, of: 3))
        try display.show(figures(3, of: 3))

        #expect(text.text.split(separator: "\r").map { $0.contains("100 %") } == [false, true])
    }

    @Test(arguments: [79, 60, 40, 30, 20, 10, 1, 0])
    func `a bar is never wider than the line`(_ width: Int) {
        let bar = ProgressBar(figures(450_000, of: 1_000_000, rate: 52_311, left: .seconds(65)), width: width)

        #expect(DisplayWidth.of(bar.text) <= width)
    }

    @Test func `a bar is drawn ten times a second at most, and taken away at the end`() throws {
        let (text, clock) = (RecordedText(), HandClock())
        let display = ProgressDisplay(to: text, terminal: .forBars, now: { clock.now })

        for done in 0..<1000 {
            try display.show(figures(done, of: 1000))
            clock.advance(by: .milliseconds(1))
        }
        try display.end()

        let drawings = text.text.split(separator: "\r")
        #expect(drawings.count == 11)
        #expect(drawings.dropLast().allSatisfy { $0.hasSuffix("\u{1B}[K") && !$0.contains("\n") })
        #expect(drawings.last == "\u{1B}[K")
    }

    @Test func `another task is shown at once`() throws {
        let (text, clock) = (RecordedText(), HandClock())
        let display = ProgressDisplay(to: text, terminal: .forBars, now: { clock.now })

        try display.show(figures(1, of: 2))
        try display.show(ProgressFigures(task: "comparing", done: 0, total: 2))

        #expect(text.text.contains("comparing"))
    }

    @Test func `without a terminal there is a line for each tenth`() throws {
        let (text, clock) = (RecordedText(), HandClock())
        let display = ProgressDisplay(to: text, terminal: .none, now: { clock.now })

        for done in stride(from: 0, through: 1000, by: 5) { try display.show(figures(done, of: 1000)) }
        try display.end()

        let lines = text.text.split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.first == "0 % copying: 0 of 1,000 items")
        #expect(lines.last == "100 % copying: 1,000 of 1,000 items")
        #expect(!text.text.contains("\r") && !text.text.contains("\u{1B}"))
    }

    @Test func `where nobody knows the total there is a line every ten seconds`() throws {
        let (text, clock) = (RecordedText(), HandClock())
        let display = ProgressDisplay(to: text, terminal: .none, now: { clock.now })

        for done in 0..<25 {
            try display.show(figures(done, of: nil))
            clock.advance(by: .seconds(1))
        }

        #expect(text.text == "copying: 0 items\ncopying: 10 items\ncopying: 20 items\n")
    }

    @Test func `nothing to be done is all of it`() {
        #expect(figures(0, of: 0).percent == 100)
    }

    private func figures(
        _ done: Int, of total: Int?, rate: Double? = nil, left: Duration? = nil
    ) -> ProgressFigures {
        ProgressFigures(task: "copying", done: done, total: total, itemsPerSecond: rate, timeLeft: left)
    }
}
