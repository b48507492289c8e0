import LarderKernel

/// One word, sign or value of the text of a filter or sort.
struct TextToken: Sendable {
    let kind: Kind
    /// The position of its beginning.
    let start: String.Index

    enum Kind: Hashable, Sendable {
        /// A word that is not a keyword, or anything in backticks.
        case name(String)
        case keyword(TextKeyword)
        case comparison(Comparison)
        case literal(TextLiteral)
        /// The text in brackets after an operator: the `c` of `[c]`.
        case flag(String)
        /// A parenthesis, brace or comma, a dot, `@`, or a sign of arithmetic.
        case symbol(Unicode.Scalar)
        /// A `%@`, with the number of its argument.
        case argument(Int)
        case end
    }
}

extension TextToken.Kind {
    /// The sign of arithmetic between two values; nil for others.
    var arithmetic: ArithmeticOperator? {
        guard case .symbol(let scalar) = self else { return nil }
        return ArithmeticOperator(rawValue: String(scalar))
    }

    /// True if a value may end with it, so that a plus or minus after it is an operator.
    var endsValue: Bool {
        switch self {
        case .name, .literal, .argument, .keyword(.infinity), .symbol(")"): true
        case .keyword, .comparison, .flag, .symbol, .end: false
        }
    }
}

/// A word with a meaning of its own, and the signs that mean the same.
enum TextKeyword: Sendable {
    case and, or, not, `in`, between
    case contains, hasPrefix, hasSuffix, equals, like, matches
    case `true`, `false`, truePredicate, falsePredicate, null, infinity, notANumber

    private static let words: [String: TextKeyword] = [
        "and": .and, "or": .or, "not": .not, "in": .in, "between": .between,
        "contains": .contains, "equals": .equals, "beginswith": .hasPrefix, "endswith": .hasSuffix,
        "like": .like, "matches": .matches,
        "hasprefix": .hasPrefix, "hassuffix": .hasSuffix,  // as `RowPredicate` describes itself
        "true": .true, "false": .false, "truepredicate": .truePredicate, "falsepredicate": .falsePredicate,
        "nil": .null, "null": .null, "inf": .infinity, "infinity": .infinity, "nan": .notANumber,
    ]

    /// The keyword that a word is, in whatever case it is written.
    init?(_ word: String) {
        guard let keyword = Self.words[word.lowercased()] else { return nil }
        self = keyword
    }

    /// The value the word stands for; nil if it stands for none.
    var literal: TextLiteral? {
        switch self {
        case .true: .bool(true)
        case .false: .bool(false)
        case .null: .null
        case .infinity: .infinity(isNegative: false)
        case .notANumber: .notANumber
        case .and, .or, .not, .in, .between, .contains, .hasPrefix, .hasSuffix, .equals, .like, .matches,
            .truePredicate, .falsePredicate:
            nil
        }
    }

    /// The test of text the word asks for; nil if it asks for none.
    var textTest: TextTest.Kind? {
        switch self {
        case .contains: .contains
        case .hasPrefix: .hasPrefix
        case .hasSuffix: .hasSuffix
        case .equals: .equals
        case .and, .or, .not, .in, .between, .like, .matches, .true, .false, .truePredicate,
            .falsePredicate, .null, .infinity, .notANumber:
            nil
        }
    }

    /// The language of the pattern that the word asks for; nil if it asks for none.
    var patternSyntax: PatternTest.Syntax? {
        switch self {
        case .like: .like
        case .matches: .matches
        case .and, .or, .not, .in, .between, .contains, .hasPrefix, .hasSuffix, .equals, .true, .false,
            .truePredicate, .falsePredicate, .null, .infinity, .notANumber:
            nil
        }
    }
}

/// A value as it was written, before it is known for which attribute.
enum TextLiteral: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(NumberText)
    case infinity(isNegative: Bool)
    case notANumber
    case text(String)
    case data([UInt8])
    /// A value of the app's of another type.
    case value(Constant, AttributeType)
}
