/// A filter as engines see it: columns and constants, two-valued, without NOT.
///
/// Every case says what nil gives, so that an engine with three-valued logic can be told (contract rule 6).
/// An engine either evaluates it itself or calls ``matches(_:of:)``, the reference.
public enum Predicate: Sendable, Hashable {
    case always(Bool)
    /// The column compared with a constant that is not nil. A nil column gives false, except for
    /// `notEqual`, where it gives true.
    case compare(column: Int, Comparison, Constant)
    case isNull(column: Int)
    case isNotNull(column: Int)
    /// The column equals one of the constants, none of which is nil; sorted, without repetition. A nil column
    /// gives false, and true when `negated`.
    case isIn(column: Int, [Constant], negated: Bool)
    /// A test of text. A nil column gives false, and true when `negated`.
    case text(column: Int, TextTest, negated: Bool)
    case all([Predicate])
    case any([Predicate])
}

/// How two values are compared.
public enum Comparison: String, Sendable, Hashable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The comparison that holds where this one does not, for values that are not nil.
    var opposite: Comparison {
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
    /// What is tested.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case contains = "contains"
        case hasPrefix = "hasPrefix"
        case hasSuffix = "hasSuffix"
        case equals = "=="
    }

    public let kind: Kind
    /// The text to look for; folded already where the test ignores case.
    public let needle: Constant
    public let ignoresCase: Bool

    /// A test for a text.
    public init(_ kind: Kind, _ needle: String, ignoresCase: Bool) {
        self.kind = kind
        self.needle = .text(ignoresCase ? CaseFolding.folded(needle) : needle)
        self.ignoresCase = ignoresCase
    }

    /// Whether the text passes the test; the same code for every engine.
    public func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        needle.withCell { Self.matches(text, kind, needle: $0.bytes, ignoresCase: ignoresCase) }
    }

    /// The test with its parts given one by one, for engines that run it as a function of their own.
    ///
    /// - Parameter needle: Folded already where the test ignores case.
    package static func matches(
        _ text: UnsafeRawBufferPointer, _ kind: Kind, needle: UnsafeRawBufferPointer, ignoresCase: Bool
    ) -> Bool {
        ignoresCase
            ? CaseFolding.withFolded(text) { matches(exactly: $0, kind, needle) }
            : matches(exactly: text, kind, needle)
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
        }
    }
}

extension Predicate {
    /// The negation, two-valued: what `matches` refuses, and nothing else.
    ///
    /// - Parameter isOptional: Whether a column may be nil.
    func negated(isOptional: (Int) -> Bool) -> Predicate {
        switch self {
        case .always(let value): return .always(!value)
        case .isNull(let column): return .isNotNull(column: column)
        case .isNotNull(let column): return .isNull(column: column)
        case .isIn(let column, let values, let negated):
            return .isIn(column: column, values, negated: !negated)
        case .text(let column, let test, let negated):
            return .text(column: column, test, negated: !negated)
        case .all(let parts): return .any(parts.map { $0.negated(isOptional: isOptional) })
        case .any(let parts): return .all(parts.map { $0.negated(isOptional: isOptional) })
        case .compare(let column, let comparison, let constant):
            let opposite = Predicate.compare(column: column, comparison.opposite, constant)
            switch comparison {
            case .equal, .notEqual: return opposite
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                return isOptional(column) ? .any([opposite, .isNull(column: column)]) : opposite
            }
        }
    }

    /// The same predicate with constants folded, nested lists flattened and lists of one unwrapped.
    var simplified: Predicate {
        switch self {
        case .all(let parts): return Self.simplified(parts, neutral: true)
        case .any(let parts): return Self.simplified(parts, neutral: false)
        case .isIn(let column, let values, let negated):
            guard values.count > 1 else {
                guard let only = values.first else { return .always(negated) }
                return .compare(column: column, negated ? .notEqual : .equal, only)
            }
            return self
        default: return self
        }
    }

    /// Folds an AND (`neutral` true) or an OR (`neutral` false).
    private static func simplified(_ parts: [Predicate], neutral: Bool) -> Predicate {
        var kept: [Predicate] = []
        for part in parts {
            switch (part.simplified, neutral) {
            case (.always(neutral), _): continue
            case (.always, _): return .always(!neutral)
            case (.all(let nested), true), (.any(let nested), false): kept += nested
            case (let other, _): kept.append(other)
            }
        }
        guard let first = kept.first else { return .always(neutral) }
        return kept.count == 1 ? first : (neutral ? .all(kept) : .any(kept))
    }
}
