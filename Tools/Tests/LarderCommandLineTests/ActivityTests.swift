import Testing

@testable import LarderCommandLine

/// When long work is shown; the tests move the clock and ask for each look themselves.
struct ActivityTests {
    private let text = RecordedText()
    private let clock = HandClock()

    @Test func `short work shows nothing`() {
        let activity = activity(.forBars)

        activity.begin("checking")
        clock.advance(by: .milliseconds(499))
        activity.show()
        activity.end()

        #expect(text.text == "")
    }

    @Test func `long work that tells nothing shows its time, and is gone at the end`() {
        let activity = activity(.forBars)

        activity.begin("checking")
        clock.advance(by: .seconds(12))
        activity.show()
        activity.end()
        activity.show()

        #expect(text.text == "\rchecking    12 s\u{1B}[K\r\u{1B}[K")
    }

    @Test func `long work that tells how far it is shows a bar and its rate`() {
        let activity = activity(.forBars)

        activity.begin("comparing", total: 100)
        clock.advance(by: .seconds(5))
        activity.report(50)
        activity.end()

        #expect(text.text.contains(" 50 %   50 of 100 items"))
        #expect(text.text.contains("  10/s"))
    }

    @Test func `another line finds the bar taken away`() {
        let activity = activity(.forBars)
        activity.begin("comparing", total: 100)
        clock.advance(by: .seconds(5))
        activity.report(50)

        activity.hide()
        clock.advance(by: .seconds(5))
        activity.report(60)

        #expect(text.text.hasSuffix(" 50 of 100 items         10/s\u{1B}[K\r\u{1B}[K"))
        activity.unhide()
        activity.report(70)
        #expect(text.text.contains("70 of 100 items"))
        activity.end()
    }

    @Test func `without a terminal nothing is said for ten seconds`() {
        let activity = activity(.none)

        activity.begin("checking")
        clock.advance(by: .seconds(9))
        activity.show()
        #expect(text.text == "")
        clock.advance(by: .seconds(2))
        activity.show()
        activity.end()

        #expect(text.text == "checking: 11 s\n")
    }

    private func activity(_ terminal: Terminal) -> Activity {
        let clock = clock
        let display = ProgressDisplay(to: text, terminal: terminal, now: { clock.now })
        return Activity(display, isWatched: terminal.canRedraw, ticks: false, now: { clock.now })
    }
}
