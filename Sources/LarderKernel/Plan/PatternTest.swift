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
    let machine: Machine

    enum Machine: Sendable {
        case like(LikePattern, PatternFolding)
        case regex(RegexProgram)
    }

    /// - Throws: `.invalidRequest` for a mistake in the pattern, with the part that is wrong.
    public init(
        _ syntax: Syntax, _ pattern: String, ignoresCase: Bool = false, ignoresDiacritics: Bool = false
    ) throws(DataStoreError) {
        self.syntax = syntax
        self.pattern = pattern
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
        let folding = PatternFolding(ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
        do throws(PatternError) {
            machine =
                switch syntax {
                case .like: .like(try LikePattern(pattern, folding: folding), folding)
                case .matches: .regex(try RegexProgram(pattern, folding: folding))
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
        let folding = folding
        var count = 0
        let isMatch = TextFolding.withFolded(
            text, ignoringCase: folding.ignoresCase, ignoringDiacritics: folding.ignoresDiacritics
        ) { text in
            switch machine {
            case .like(let pattern, _): pattern.matches(text, steps: &count)
            case .regex(let program): program.matches(text, steps: &count)
            }
        }
        steps += count
        return isMatch
    }

    var folding: PatternFolding {
        switch machine {
        case .like(_, let folding): folding
        case .regex(let program): program.folding
        }
    }

    /// The flags as texts write them: `[cd]`.
    package var flags: String { TextTest.flags(ignoresCase, ignoresDiacritics) }

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
