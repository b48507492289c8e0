import Testing

@testable import LarderCommandLine

struct TableTests {
    private let rows: [[OutputValue]] = [
        [.text("Cake"), .real(4.5), .text("with 日本語 and more")], [.text("Toast"), .null, .text("")],
    ]

    @Test func `a table is as wide as what is in it, and numbers stand at the right`() throws {
        #expect(
            try lines(rows, width: nil) == [
                "name   rating  note", "-----  ------  --------------------",
                "Cake      4.5  with 日本語 and more", "Toast     nil",
            ])
    }

    @Test(arguments: [21, 24, 30, 34, 35, 80])
    func `no line is wider than the terminal`(_ width: Int) throws {
        let widths = try lines(rows, width: width).map(DisplayWidth.of)

        #expect(widths.allSatisfy { $0 <= width })
        #expect(widths[1] == min(width, 35))
    }

    @Test func `the widest column is made narrower first`() throws {
        #expect(
            try lines(rows, width: 25) == [
                "name   rating  note", "-----  ------  ----------",
                "Cake      4.5  with 日本…", "Toast     nil",
            ])
    }

    @Test func `columns without any room are left out and counted`() throws {
        let table = Table(
            ["first", "second", "third"], sample: [[.text("123456789"), .text("123456789"), .text("x")]],
            width: 15, paint: Paint(isEnabled: false))

        #expect(table.widths == [6, 6])
        #expect(table.hiddenColumns == 1)
    }

    @Test func `what has no room without a terminal is never cut`() throws {
        let long = String(repeating: "x", count: 500)
        let many = Array(repeating: [OutputValue.text("x")], count: RecordOutput.sampleRows) + [[.text(long)]]

        #expect(try lines(many, names: ["a"], width: nil).last == long)
    }

    @Test func `rows after the first ones are fitted to a terminal too`() throws {
        let many =
            Array(repeating: [OutputValue.text("x")], count: RecordOutput.sampleRows) + [[.text("long one")]]

        #expect(try lines(many, names: ["name"], width: 20).last == "lon…")
    }

    @Test func `an empty table has its head`() throws {
        #expect(try lines([], width: nil) == ["name  rating  note", "----  ------  ----"])
    }

    @Test func `colors are around cells and change no width`() throws {
        let table = Table(["a"], sample: [[.null]], width: 20, paint: Paint(isEnabled: true))

        #expect(table.head == "\u{1B}[1ma\u{1B}[0m\n\u{1B}[2m---\u{1B}[0m\n")
        #expect(table.row([.null]) == "\u{1B}[2mnil\u{1B}[0m\n")
    }

    private func lines(
        _ rows: [[OutputValue]], names: [String] = ["name", "rating", "note"], width: Int?
    ) throws -> [String] {
        var terminal = Terminal.none
        terminal.outputWidth = width
        let text = RecordedText()
        var records = RecordOutput(names, format: .table, to: text, terminal: terminal)
        for row in rows { try records.write(row) }
        try records.finish()
        return text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
