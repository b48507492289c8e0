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
    private let machine: Machine

    private enum Machine: Sendable {
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

    private var folding: PatternFolding {
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

extension PatternTest {
    /// The test as engines get it: as one of text where the pattern says no more, or with the prefix of every
    /// match beside it, which an index finds.
    func lowered(for column: Int, isOptional: Bool) -> RowPredicate {
        let whole = RowPredicate.column(column, .pattern(self, negated: false))
        if case .like(let pattern, _) = machine,
            let simple = simpleTest(pattern.parts, column, isOptional)
        {
            return simple
        }
        guard folding.isExact, !prefix.isEmpty else { return whole }
        return .all([text(.hasPrefix, prefix, column), whole])
    }

    private var prefix: String {
        switch machine {
        case .like(let pattern, _): pattern.prefix
        case .regex(let program): program.prefix
        }
    }

    private func text(_ kind: TextTest.Kind, _ needle: String, _ column: Int) -> RowPredicate {
        .text(
            column: column,
            TextTest(kind, needle, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics),
            negated: false)
    }

    private func simpleTest(
        _ parts: [LikePattern.Part], _ column: Int, _ isOptional: Bool
    ) -> RowPredicate? {
        let literals = parts.compactMap(LikePattern.literal)
        guard literals.count == parts.count else { return nil }
        switch literals.count {
        case 1: return text(.equals, literals[0], column)
        case 2 where literals[0].isEmpty && literals[1].isEmpty:
            return isOptional ? .isNotNull(column: column) : .always(true)
        case 2 where literals[1].isEmpty: return text(.hasPrefix, literals[0], column)
        case 2 where literals[0].isEmpty: return text(.hasSuffix, literals[1], column)
        case 3 where literals[0].isEmpty && literals[2].isEmpty: return text(.contains, literals[1], column)
        default: return nil
        }
    }
}
