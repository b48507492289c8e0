package import LarderPattern

/// A test of one column's value, with a defined result for nil.
public enum ColumnTest: Sendable, Hashable {
    case isNull
    case isNotNull
    /// Compared with a constant that is not nil; nil gives false, except for `notEqual`, for which it gives true.
    case compare(Comparison, Constant)
    /// Equal to one of some constants, which are not nil, sorted and distinct. Nil gives false, and true when
    /// `negated`.
    case isIn([Constant], negated: Bool)
    /// A test of text; nil gives false, and true when `negated`.
    case text(TextTest, negated: Bool)
    /// A test of text by a pattern; nil gives false, and true when `negated`.
    case pattern(PatternTest, negated: Bool)
}

extension ColumnTest {
    func negated(of column: Int, isOptional: Bool) -> RowPredicate {
        switch self {
        case .isNull: return .column(column, .isNotNull)
        case .isNotNull: return .column(column, .isNull)
        case .isIn(let values, let negated): return .column(column, .isIn(values, negated: !negated))
        case .text(let test, let negated): return .column(column, .text(test, negated: !negated))
        case .pattern(let test, let negated): return .column(column, .pattern(test, negated: !negated))
        case .compare(let comparison, let constant):
            let opposite = RowPredicate.column(column, .compare(comparison.opposite, constant))
            switch comparison {
            case .equal, .notEqual: return opposite
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                return isOptional ? .any([opposite, .column(column, .isNull)]) : opposite
            }
        }
    }

    func simplified(of column: Int) -> RowPredicate {
        guard case .isIn(let values, let negated) = self, values.count < 2 else {
            return .column(column, self)
        }
        guard let only = values.first else { return .always(negated) }
        return .column(column, .compare(negated ? .notEqual : .equal, only))
    }

    /// The test as text, with the name of the attribute.
    func description(of name: String, showingValues: Bool) -> String {
        func value(_ constant: Constant) -> String { showingValues ? constant.description : "?" }
        switch self {
        case .isNull: return "\(name) == nil"
        case .isNotNull: return "\(name) != nil"
        case .compare(let comparison, let constant):
            return "\(name) \(comparison.rawValue) \(value(constant))"
        case .isIn(let values, let negated):
            let list = values.map(value).joined(separator: ", ")
            return "\(name) \(negated ? "not in" : "in") {\(list)}"
        case .text(let test, let negated):
            return "\(negated ? "not " : "")\(name) \(test.kind.rawValue)\(test.flags) \(value(test.needle))"
        case .pattern(let test, let negated):
            let pattern = value(.text(test.pattern))
            return "\(negated ? "not " : "")\(name) \(test.syntax.rawValue)\(test.flags) \(pattern)"
        }
    }
}

/// An operator that compares two values.
public enum Comparison: String, Sendable, Hashable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// True if two numbers compare so.
    package func holds(_ left: Int, _ right: Int) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    /// The comparison that says the same with its sides exchanged.
    package var mirrored: Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// The opposite comparison, for values that are not nil.
    public var opposite: Comparison {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }
}

/// A test of text: by bytes, or with both sides folded.
public struct TextTest: Sendable, Hashable {
    /// The kinds of tests.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case contains = "contains"
        case hasPrefix = "hasPrefix"
        case hasSuffix = "hasSuffix"
        case equals = "=="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    public let kind: Kind
    /// The text to find, already folded if the test ignores case or diacritics.
    public let needle: Constant
    public let ignoresCase: Bool
    public let ignoresDiacritics: Bool

    /// A test for a text.
    public init(_ kind: Kind, _ needle: String, ignoresCase: Bool, ignoresDiacritics: Bool = false) {
        self.kind = kind
        self.needle = .text(
            TextFolding(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics).folded(needle))
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
    }

    /// A test for a text that is compared so.
    package init(_ kind: Kind, _ needle: String, _ matching: TextMatching) {
        let folding = matching.folding
        self.init(
            kind, needle, ignoresCase: folding.ignoresCase, ignoresDiacritics: folding.ignoresDiacritics)
    }

    /// The test of a column's text, or the exact one of the column that keeps the text as it is compared.
    ///
    /// - Parameter folded: The number of that column; nil if there is none.
    func lowered(for column: Int, folded: (TextMatching) -> Int?) -> RowPredicate {
        let matching = TextMatching(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics)
        guard let folded = folded(matching), case .text(let needle) = self.needle else {
            return .text(column: column, self, negated: false)
        }
        if let comparison = Comparison(rawValue: kind.rawValue) {
            return .compare(column: folded, comparison, self.needle)
        }
        return .text(column: folded, TextTest(kind, needle, .exact), negated: false)
    }

    /// True if the bytes are compared directly.
    public var isExact: Bool { !ignoresCase && !ignoresDiacritics }

    /// The flags as texts write them: `[cd]`.
    package var flags: String {
        TextFolding(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics).flags
    }

    /// True if the text passes the test; the same code for every engine.
    public func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        needle.withCell {
            Self.matches(
                text, kind, needle: $0.bytes, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
        }
    }

    /// The test with separate parts, for engines that run it as a function of their own.
    ///
    /// - Parameter needle: The text to find, already folded if the test ignores case or diacritics.
    package static func matches(
        _ text: UnsafeRawBufferPointer, _ kind: Kind, needle: UnsafeRawBufferPointer, ignoresCase: Bool,
        ignoresDiacritics: Bool
    ) -> Bool {
        let folding = TextFolding(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics)
        if folding.isExact { return matches(exactly: text, kind, needle) }
        return folding.withFolded(text) { matches(exactly: $0, kind, needle) }
    }

    private static func matches(
        exactly text: UnsafeRawBufferPointer, _ kind: Kind, _ needle: UnsafeRawBufferPointer
    ) -> Bool {
        switch kind {
        case .equals: text.isEqual(to: needle)
        case .hasPrefix: text.count >= needle.count && text.part(at: 0, asLongAs: needle).isEqual(to: needle)
        case .hasSuffix:
            text.count >= needle.count
                && text.part(at: text.count - needle.count, asLongAs: needle).isEqual(to: needle)
        case .contains: text.contains(bytes: needle)
        case .less: text.order(to: needle) < 0
        case .lessOrEqual: text.order(to: needle) <= 0
        case .greater: text.order(to: needle) > 0
        case .greaterOrEqual: text.order(to: needle) >= 0
        }
    }
}
