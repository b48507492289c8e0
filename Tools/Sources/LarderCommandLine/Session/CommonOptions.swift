import ArgumentParser

struct CommonOptions: ParsableArguments {
    @Flag(name: .long, help: "Tell what the engine and the system say of an error.")
    var verbose = false
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

    var format: OutputFormat {
        switch form {
        case .json: .json
        case .jsonLines: .jsonLines
        case .csv: .csv
        case nil: .table
        }
    }
}
