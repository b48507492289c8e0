import Foundation

/// The properties of the terminal, if there is one; determined once and passed on as a value.
///
///     let terminal = Terminal.current()
///     let table = Table(columns, width: terminal.outputWidth)
struct Terminal: Sendable, Hashable {
    /// The number of columns of the terminal that shows the answer; nil if it goes elsewhere.
    var outputWidth: Int?
    /// The number of columns of the terminal that shows messages; nil if they go elsewhere.
    var errorWidth: Int?
    /// True if the answer may be colored.
    var hasColoredOutput: Bool
    /// True if messages may be colored.
    var hasColoredErrors: Bool
    /// True if a line of messages can be redrawn.
    var canRedraw: Bool

    /// Neither answers nor messages go to a terminal.
    static let none = Terminal(
        outputWidth: nil, errorWidth: nil, hasColoredOutput: false, hasColoredErrors: false,
        canRedraw: false)
}

extension Terminal {
    /// The terminal of this process.
    static func current() -> Terminal {
        Terminal(
            environment: ProcessInfo.processInfo.environment, outputColumns: columns(of: STDOUT_FILENO),
            errorColumns: columns(of: STDERR_FILENO))
    }

    /// The terminal that an environment describes.
    ///
    /// - Parameters:
    ///   - outputColumns: The system's number of columns for the terminal of the answer: 0 if it does not
    ///     know them; nil if there is no terminal.
    ///   - errorColumns: The same for messages.
    init(environment: [String: String], outputColumns: Int?, errorColumns: Int?) {
        let asked = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        func width(_ columns: Int?) -> Int? {
            guard let columns else { return nil }
            return asked ?? (columns > 0 ? columns : 80)
        }
        let isCapable = environment["TERM"].map { $0 != "dumb" && !$0.isEmpty } ?? false
        // https://no-color.org: any text except the empty one.
        let wantsColors = environment["NO_COLOR"].map(\.isEmpty) ?? true
        outputWidth = width(outputColumns)
        errorWidth = width(errorColumns)
        hasColoredOutput = outputColumns != nil && isCapable && wantsColors
        hasColoredErrors = errorColumns != nil && isCapable && wantsColors
        canRedraw = errorColumns != nil && isCapable
    }

    private static func columns(of file: Int32) -> Int? {
        guard isatty(file) == 1 else { return nil }
        var size = winsize()
        return ioctl(file, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }
}
