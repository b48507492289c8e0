import Testing

@testable import LarderCommandLine

struct RecordOutputTests {
    private let rows: [[OutputValue]] = [[.text("a,b"), .integer(1)], [.null, .integer(.max)]]

    @Test(arguments: [
        (
            OutputFormat.json,
            "[\n{\"name\":\"a,b\",\"n\":1},\n{\"name\":null,\"n\":\"9223372036854775807\"}\n]\n"
        ),
        (.jsonLines, "{\"name\":\"a,b\",\"n\":1}\n{\"name\":null,\"n\":\"9223372036854775807\"}\n"),
        (.csv(lineEnding: "\r\n"), "name,n\r\n\"a,b\",1\r\n,9223372036854775807\r\n"),
        (.csv(lineEnding: "\n"), "name,n\n\"a,b\",1\n,9223372036854775807\n"),
    ])
    func `rows come in the form that was asked for`(_ format: OutputFormat, _ expected: String) throws {
        #expect(try text(of: rows, in: format) == expected)
    }

    @Test(arguments: [
        (OutputFormat.json, "[]\n"), (.jsonLines, ""), (.csv(lineEnding: "\r\n"), "name,n\r\n"),
    ])
    func `no rows are well-formed too`(_ format: OutputFormat, _ expected: String) throws {
        #expect(try text(of: [], in: format) == expected)
    }

    private func text(of rows: [[OutputValue]], in format: OutputFormat) throws -> String {
        let text = RecordedText()
        var records = RecordOutput(["name", "n"], format: format, to: text, terminal: .none)
        for row in rows { try records.write(row) }
        try records.finish()
        return text.text
    }
}
