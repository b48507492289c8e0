import Larder

/// The error of a command: a message, the next step, and the exit status.
struct CommandFailure: Error, Sendable, Hashable {
    var status: ExitStatus
    var message: String
    /// Lines below the message: a text, and a mark at the mistake in it.
    var excerpt: [String] = []
    var advice: String
    /// The file or folder concerned.
    var path: String?
    /// For `--verbose`: the library's code, and the message of the engine or the system.
    var details: [String] = []

    init(_ status: ExitStatus, _ message: String, advice: String, path: String? = nil) {
        self.status = status
        self.message = message
        self.advice = advice
        self.path = path
    }

    init(_ error: DataStoreError) {
        let lines = error.messageLines
        self.init(
            ExitStatus(error.code), lines.first ?? "", advice: CommandAdvice.text(for: error),
            path: error.path)
        excerpt = Array(lines.dropFirst())
        let place = [error.itemType, error.attribute].compactMap { $0 }.joined(separator: ".")
        details = [
            "code: \(error.code.rawValue)",
            place.isEmpty ? nil : "about: \(place)",
            error.identifier.map { "item: \($0)" },
            error.request.map { "request: \($0)" },
            error.underlying.map { "\($0.source) \($0.code): \($0.message)" },
        ].compactMap { $0 }
    }
}

extension CommandFailure {
    /// One readable line, or one for each part if it shows a text; with `--verbose`, the details follow on
    /// lines of their own.
    ///
    /// Only these line breaks are written as such: line breaks in data and in the user's input are escaped.
    func text(isVerbose: Bool, paint: Paint) -> String {
        // If the message already names the path, it is not repeated.
        let place = path.flatMap { message.contains($0) ? nil : "\($0): " } ?? ""
        let parts =
            excerpt.isEmpty ? ["\(place)\(message) \(advice)"] : ["\(place)\(message)"] + excerpt + [advice]
        let lines = parts + (isVerbose ? details.map { "  \($0)" } : [])
        return paint("larder:", .red) + " " + lines.map { $0.visible + "\n" }.joined()
    }
}
