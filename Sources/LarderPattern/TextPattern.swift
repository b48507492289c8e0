/// A pattern that describes whole texts: one with `*` and `?`, or a regular expression.
///
/// *Cost:* a test takes time in proportion to the length of the text; see ``LikePattern`` and ``RegexProgram``.
package struct TextPattern: Sendable {
    private let machine: Machine
    /// The folding of the text, with what the pattern itself asks for.
    package let folding: TextFolding

    private enum Machine: Sendable {
        case like(LikePattern)
        case regex(RegexProgram)
    }

    /// A pattern in which `*` stands for any scalars and `?` for one.
    ///
    /// - Throws: The mistake in the pattern, with the part that is wrong.
    package init(like pattern: String, folding: TextFolding) throws(PatternError) {
        machine = .like(try LikePattern(pattern, folding: folding))
        self.folding = folding
    }

    /// A regular expression.
    ///
    /// - Throws: The mistake in the pattern, with the part that is wrong.
    package init(regex pattern: String, folding: TextFolding) throws(PatternError) {
        let program = try RegexProgram(pattern, folding: folding)
        machine = .regex(program)
        self.folding = program.folding
    }

    /// True if the pattern describes the whole text.
    ///
    /// - Parameter steps: Grows by the number of steps that the test took.
    package func matches(_ text: UnsafeRawBufferPointer, steps: inout Int) -> Bool {
        var count = 0
        let isMatch = folding.withFolded(text) { text in
            switch machine {
            case .like(let pattern): pattern.matches(text, steps: &count)
            case .regex(let program): program.matches(text, steps: &count)
            }
        }
        steps += count
        return isMatch
    }

    /// The text that every match begins with, after folding.
    package var prefix: String {
        switch machine {
        case .like(let pattern): pattern.prefix
        case .regex(let program): program.prefix
        }
    }

    /// The texts before, between and after the `*` of a pattern without `?`; nil for every other pattern.
    package var literals: [String]? {
        guard case .like(let pattern) = machine else { return nil }
        let literals = pattern.parts.compactMap(LikePattern.literal)
        return literals.count == pattern.parts.count ? literals : nil
    }
}
