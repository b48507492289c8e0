import Larder

/// Why a command ended before its time: what happened to what, what to do next, and the number it ends with.
struct CommandFailure: Error, Sendable, Hashable {
    var status: ExitStatus
    var message: String
    /// Lines below the message: a text, and where in it something is wrong.
    var excerpt: [String] = []
    var advice: String
    /// The file or folder concerned.
    var path: String?
    /// For `--verbose`: the library's word for it, and the engine's or the system's own words.
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
    /// One readable line, or where it shows a text, one for each part; with `--verbose` the details on lines of
    /// their own.
    ///
    /// Only these line breaks are written as such: those of data and of what the user typed are escaped.
    func text(isVerbose: Bool, paint: Paint) -> String {
        // A path that the message names already is not said twice.
        let place = path.flatMap { message.contains($0) ? nil : "\($0): " } ?? ""
        let parts =
            excerpt.isEmpty ? ["\(place)\(message) \(advice)"] : ["\(place)\(message)"] + excerpt + [advice]
        let lines = parts + (isVerbose ? details.map { "  \($0)" } : [])
        return paint("larder:", .red) + " " + lines.map { $0.visible + "\n" }.joined()
    }
}
