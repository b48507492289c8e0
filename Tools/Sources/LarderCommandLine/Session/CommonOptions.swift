import ArgumentParser

struct CommonOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show no progress and no notes; errors are still shown.")
    var quiet = false

    @Flag(name: .long, help: "Tell what the engine and the system say of an error.")
    var verbose = false
}

/// For commands that only look.
struct QuickOption: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Do not read every page before the answer.",
            discussion: """
                For large stores that are known to be sound. A damaged file may then give wrong answers, and \
                one of LMDB may end the process.
                """))
    var quick = false
}

/// For commands that only put out one thing or a few.
struct JSONOption: ParsableArguments {
    @Flag(name: .long, help: "Put the answer out as JSON.")
    var json = false
}

/// For commands that put out rows.
struct FormatOptions: ParsableArguments {
    @Flag(help: "The form of the answer; without one, a table.")
    var form: Form?

    @Option(
        name: .customLong("csv-line-ending"), help: "How lines of CSV end: crlf, as RFC 4180 says, or lf.")
    var lineEnding = LineEnding.crlf

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
        case .csv: .csv(lineEnding: lineEnding.text)
        case nil: .table
        }
    }
}
