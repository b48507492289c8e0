/// A mistake in a pattern, with the part of the pattern that is wrong.
package struct PatternError: Error {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    /// - Parameters:
    ///   - problem: The problem, as the beginning of a sentence that ends with the place.
    ///   - range: The scalars that are wrong.
    init(_ problem: String, at range: Range<Int>, in pattern: String) {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: pattern.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count))
        let shown = part.count > 40 ? String(part.prefix(40)) + "…" : String(part)
        let place = range.isEmpty ? "at the end" : "at character \(range.lowerBound + 1), \"\(shown)\""
        self.init("\(problem), \(place) of the pattern \"\(pattern.shortened)\".")
    }

    init(_ problem: String, at position: Int, in pattern: String) {
        let count = pattern.unicodeScalars.count
        self.init(problem, at: min(position, count)..<min(position + 1, count), in: pattern)
    }

    static func tooLong(_ count: Int) -> PatternError {
        PatternError("The pattern has \(count) characters; at most \(PatternLimits.length) are allowed.")
    }

    static var tooLarge: PatternError {
        PatternError(
            "The pattern repeats too much: written out, it has more than \(PatternLimits.size) steps.")
    }
}

/// The bounds of patterns, which keep the time of a test in proportion to the text.
enum PatternLimits {
    /// The number of scalars of a pattern.
    static let length = 1000
    /// The number of instructions of a regular expression, with its repetitions written out.
    static let size = 4000
    /// The greatest number in braces.
    static let repetitions = 1000
    /// The depth of groups.
    static let depth = 100
}

extension String {
    /// The text, cut if it is long.
    fileprivate var shortened: String {
        unicodeScalars.count > 80 ? String(String(unicodeScalars.prefix(80))) + "…" : self
    }
}
