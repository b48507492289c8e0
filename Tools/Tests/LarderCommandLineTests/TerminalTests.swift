import Testing

@testable import LarderCommandLine

struct TerminalTests {
    private let environment = ["TERM": "xterm-256color"]

    @Test func `without a terminal there is no width, no color and no redrawing`() {
        let terminal = Terminal(environment: environment, outputColumns: nil, errorColumns: nil)

        #expect(terminal == .none)
    }

    @Test func `a terminal has its own width, and colors`() {
        let terminal = Terminal(environment: environment, outputColumns: 132, errorColumns: 90)

        #expect(terminal.outputWidth == 132)
        #expect(terminal.errorWidth == 90)
        #expect(terminal.hasColoredOutput && terminal.hasColoredErrors && terminal.canRedraw)
    }

    @Test func `output and messages may go to different places`() {
        let terminal = Terminal(environment: environment, outputColumns: nil, errorColumns: 90)

        #expect(terminal.outputWidth == nil)
        #expect(!terminal.hasColoredOutput)
        #expect(terminal.hasColoredErrors && terminal.canRedraw)
    }

    @Test(arguments: [("40", 40), ("", 132), ("0", 132), ("-3", 132), ("wide", 132)])
    func `COLUMNS wins where it is a width`(_ columns: String, _ width: Int) {
        let environment = ["TERM": "xterm", "COLUMNS": columns]

        #expect(
            Terminal(environment: environment, outputColumns: 132, errorColumns: nil).outputWidth == width)
    }

    @Test func `COLUMNS makes no terminal of a pipe`() {
        let terminal = Terminal(environment: ["COLUMNS": "40"], outputColumns: nil, errorColumns: nil)

        #expect(terminal.outputWidth == nil)
    }

    @Test func `a terminal that does not know its width has 80 columns`() {
        #expect(Terminal(environment: [:], outputColumns: 0, errorColumns: nil).outputWidth == 80)
    }

    @Test(arguments: [("1", false), ("yes", false), ("", true)])
    func `NO_COLOR takes colors away, and only colors`(_ value: String, _ hasColors: Bool) {
        let environment = ["TERM": "xterm", "NO_COLOR": value]
        let terminal = Terminal(environment: environment, outputColumns: 80, errorColumns: 80)

        #expect(terminal.hasColoredOutput == hasColors)
        #expect(terminal.hasColoredErrors == hasColors)
        #expect(terminal.canRedraw)
    }

    @Test(arguments: [["TERM": "dumb"], ["TERM": ""], [:]])
    func `a terminal that can do nothing gets neither colors nor a bar`(_ environment: [String: String]) {
        let terminal = Terminal(environment: environment, outputColumns: 80, errorColumns: 80)

        #expect(!terminal.hasColoredOutput && !terminal.hasColoredErrors && !terminal.canRedraw)
    }

    @Test func `paint changes nothing where it is not wanted`() {
        #expect(Paint(isEnabled: false)("cake", .red) == "cake")
        #expect(Paint(isEnabled: true)("cake", .red) == "\u{1B}[31mcake\u{1B}[0m")
    }
}
