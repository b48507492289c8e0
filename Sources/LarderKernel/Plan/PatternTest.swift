import LarderPattern

/// A test of text by a pattern; the same code for every engine.
public struct PatternTest: Sendable, Hashable {
    /// The languages of patterns.
    public enum Syntax: String, Sendable, Hashable {
        /// `*` and `?`.
        case like
        /// Regular expressions.
        case matches
    }

    public let syntax: Syntax
    public let pattern: String
    public let ignoresCase: Bool
    public let ignoresDiacritics: Bool
    let machine: TextPattern

    /// - Throws: `.invalidRequest` for a mistake in the pattern, with the part that is wrong.
    public init(
        _ syntax: Syntax, _ pattern: String, ignoresCase: Bool = false, ignoresDiacritics: Bool = false
    ) throws(DataStoreError) {
        self.syntax = syntax
        self.pattern = pattern
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
        let folding = TextFolding(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics)
        do throws(PatternError) {
            machine =
                switch syntax {
                case .like: try TextPattern(like: pattern, folding: folding)
                case .matches: try TextPattern(regex: pattern, folding: folding)
                }
        } catch {
            throw DataStoreError(
                .invalidRequest, error.message,
                advice: "Correct the pattern; put a backslash before a sign that stands for itself.")
        }
    }

    /// True if the pattern describes the whole text.
    public func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        var steps = 0
        return matches(text, steps: &steps)
    }

    /// - Parameter steps: Grows by the number of steps that the test took.
    package func matches(_ text: UnsafeRawBufferPointer, steps: inout Int) -> Bool {
        machine.matches(text, steps: &steps)
    }

    /// The flags as texts write them: `[cd]`.
    package var flags: String {
        TextFolding(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics).flags
    }

    public static func == (left: PatternTest, right: PatternTest) -> Bool {
        left.syntax == right.syntax && UTF8Text.areEqual(left.pattern, right.pattern)
            && left.ignoresCase == right.ignoresCase && left.ignoresDiacritics == right.ignoresDiacritics
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(syntax)
        UTF8Text.hash(pattern, into: &hasher)
        hasher.combine(ignoresCase)
        hasher.combine(ignoresDiacritics)
    }
}
