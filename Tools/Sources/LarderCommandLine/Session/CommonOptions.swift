import ArgumentParser

struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show no progress and no notes; errors are still shown.")
    var quiet = false

    @Flag(
        name: .long,
        help: "Show the library's code and the messages of the engine and the system for an error.")
    var verbose = false
}

/// An option of commands that only read.
struct QuickOption: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Do not check every page of the file first.",
            discussion: """
                For large stores that are known to be sound. A damaged file may then give wrong answers, and \
                a damaged LMDB file may crash the process.
                """))
    var quick = false
}

/// An option of commands that print a single result.
struct JSONOption: ParsableArguments {
    @Flag(name: .long, help: "Print the answer as JSON.")
    var json = false
}

/// Options of commands that print rows.
struct FormatOptions: ParsableArguments {
    @Flag(help: "The format of the output; a table if omitted.")
    var form: Form?

    @Option(
        name: .customLong("csv-line-ending"), help: "The line ending of CSV: crlf, as in RFC 4180, or lf.")
    var lineEnding = LineEnding.crlf

    @Flag(
        name: .customLong("csv-for-spreadsheets"),
        help: "Put an apostrophe before text in CSV that a spreadsheet would take for a formula.")
    var isForSpreadsheets = false

    enum Form: String, EnumerableFlag {
        case json
        case jsonLines
        case csv

        static func help(for form: Form) -> ArgumentHelp? {
            switch form {
            case .json: "One JSON array."
            case .jsonLines: "A JSON object on each line."
            case .csv: "CSV by RFC 4180, with the names in the first line."
            }
        }
    }

    enum LineEnding: String, ExpressibleByArgument, CaseIterable {
        case crlf
        case lf

        var text: String {
            switch self {
            case .crlf: "\r\n"
            case .lf: "\n"
            }
        }
    }

    var format: OutputFormat {
        switch form {
        case .json: .json
        case .jsonLines: .jsonLines
        case .csv: .csv(lineEnding: lineEnding.text, forSpreadsheets: isForSpreadsheets)
        case nil: .table
        }
    }
}
