import Foundation

/// What is known of the terminal, if there is one; gathered once and handed on as a value.
///
///     let terminal = Terminal.current()
///     let table = Table(columns, width: terminal.outputWidth)
struct Terminal: Sendable, Hashable {
    /// How many columns the terminal has that the answer goes to; nil when it goes elsewhere.
    var outputWidth: Int?
    /// How many columns the terminal has that messages go to; nil when they go elsewhere.
    var errorWidth: Int?
    /// Whether the answer may be coloured.
    var hasColouredOutput: Bool
    /// Whether messages may be coloured.
    var hasColouredErrors: Bool
    /// Whether a line of messages can be drawn over again.
    var canRedraw: Bool

    /// Neither answers nor messages go to a terminal.
    static let none = Terminal(
        outputWidth: nil, errorWidth: nil, hasColouredOutput: false, hasColouredErrors: false,
        canRedraw: false)
}

extension Terminal {
    /// The facts of this process.
    static func current() -> Terminal {
        Terminal(
            environment: ProcessInfo.processInfo.environment, outputColumns: columns(of: STDOUT_FILENO),
            errorColumns: columns(of: STDERR_FILENO))
    }

    /// What follows from an environment.
    ///
    /// - Parameters:
    ///   - outputColumns: What the system says of the terminal of the answer: its columns, 0 when it does not
    ///     know them; nil when there is none.
    ///   - errorColumns: The same for messages.
    init(environment: [String: String], outputColumns: Int?, errorColumns: Int?) {
        let asked = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        func width(_ columns: Int?) -> Int? {
            guard let columns else { return nil }
            return asked ?? (columns > 0 ? columns : 80)
        }
        let isCapable = environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
        // https://no-color.org: any text but none.
        let wantsColours = environment["NO_COLOR"].map(\.isEmpty) ?? true
        outputWidth = width(outputColumns)
        errorWidth = width(errorColumns)
        hasColouredOutput = outputColumns != nil && isCapable && wantsColours
        hasColouredErrors = errorColumns != nil && isCapable && wantsColours
        canRedraw = errorColumns != nil && isCapable
    }

    private static func columns(of file: Int32) -> Int? {
        guard isatty(file) == 1 else { return nil }
        var size = winsize()
        return ioctl(file, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }
}
