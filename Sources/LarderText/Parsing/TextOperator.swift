import LarderKernel
import LarderPattern

/// An operator of the text form, with its `[c]` and its place.
struct TextOperator {
    let kind: Kind
    /// True if it is negated, like `!=[c]`.
    var isNegated = false
    let start: String.Index

    enum Kind {
        case comparison(Comparison)
        case test(TextTest.Kind, TextMatching)
        case pattern(PatternTest.Syntax, TextMatching)
    }

    init(_ kind: Kind, isNegated: Bool = false, start: String.Index) {
        self.kind = kind
        self.isNegated = isNegated
        self.start = start
    }

    /// Takes the operator that comes next.
    ///
    /// - Parameter mayCompare: True if operators such as `<` are allowed, which is not the case after NOT.
    /// - Throws: `.invalidText` if none comes.
    init(from tokens: inout TokenCursor, mayCompare: Bool) throws(DataStoreError) {
        let token = tokens.current
        switch token.kind {
        case .comparison(let comparison) where mayCompare:
            try tokens.advance()
            self = try Self.reading(comparison, at: token.start, from: &tokens)
        case .keyword(let keyword):
            if let syntax = keyword.patternSyntax {
                try tokens.advance()
                self.init(.pattern(syntax, try Self.takeFlag(from: &tokens)), start: token.start)
                return
            }
            guard let test = keyword.textTest else { fallthrough }
            try tokens.advance()
            self.init(.test(test, try Self.takeFlag(from: &tokens)), start: token.start)
        case .name, .comparison, .literal, .argument, .flag, .symbol, .end:
            throw tokens.invalid(
                "An operator is expected",
                advice: mayCompare
                    ? "Write ==, !=, <, <=, >, >=, IN, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES."
                    : "Write the NOT before the attribute, as in NOT rating == 1.")
        }
    }

    /// True if an operator that may be between a value and an attribute begins with it.
    static func begins(with kind: TextToken.Kind) -> Bool {
        switch kind {
        case .comparison, .keyword(.equals): true
        case .name, .keyword, .literal, .argument, .flag, .symbol, .end: false
        }
    }

    /// The operator that says the same with its sides exchanged; nil if none does.
    var mirrored: TextOperator? {
        switch kind {
        case .comparison(let comparison): TextOperator(.comparison(comparison.mirrored), start: start)
        case .test(.equals, _): self
        case .test(let kind, let matching):
            kind.comparison.flatMap { TextTest.Kind(rawValue: $0.mirrored.rawValue) }
                .map { TextOperator(.test($0, matching), start: start) }
        case .pattern: nil
        }
    }

    private static func reading(
        _ comparison: Comparison, at start: String.Index, from tokens: inout TokenCursor
    ) throws(DataStoreError) -> TextOperator {
        let matching = try takeFlag(from: &tokens)
        guard matching != .exact else { return TextOperator(.comparison(comparison), start: start) }
        let kind = TextTest.Kind(rawValue: comparison.rawValue) ?? .equals
        return TextOperator(.test(kind, matching), isNegated: comparison == .notEqual, start: start)
    }

    /// Takes the `[c]`, `[d]` or `[cd]` that comes next, if one does.
    static func takeFlag(from tokens: inout TokenCursor) throws(DataStoreError) -> TextMatching {
        guard case .flag(let flag) = tokens.current.kind else { return .exact }
        let matching: TextMatching
        switch flag.lowercased() {
        case "c": matching = .caseInsensitive
        case "d": matching = .diacriticInsensitive
        case "cd", "dc": matching = [.caseInsensitive, .diacriticInsensitive]
        default:
            throw tokens.invalid(
                "The flag is not known",
                advice: "Write [c] to ignore case, [d] to ignore diacritics, or [cd] for both.")
        }
        try tokens.advance()
        return matching
    }
}

extension TextTest.Kind {
    /// The comparison that it is for folded texts; nil if it is another test.
    fileprivate var comparison: Comparison? { Comparison(rawValue: rawValue) }
}

extension Comparison {
    /// True if it compares by order.
    var isOrder: Bool { self != .equal && self != .notEqual }
}
