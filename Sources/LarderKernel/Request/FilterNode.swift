/// A filter before it is lowered, as the operators and the text form build it.
package enum FilterNode: Sendable, Hashable {
    case always(Bool)
    /// The constant may be nil.
    case compare(column: Int, Comparison, Constant)
    /// The constants may hold nil.
    case isIn(column: Int, [Constant])
    case text(column: Int, TextTest)
    case pattern(column: Int, PatternTest)
    /// A comparison of two values of which at least one is calculated, or of two attributes.
    case calculated(ValueNode, Comparison, ValueNode)
    indirect case not(FilterNode)
    case all([FilterNode])
    case any([FilterNode])
    /// A test of the items at the other end of a relationship.
    indirect case related(RelationshipReference, Quantifier, FilterNode)
    /// The number of items at the other end, compared with another.
    case relatedCount(RelationshipReference, Comparison, Int)
    case mistake(RequestMistake)

    /// The items at the other end that have to pass a test.
    package enum Quantifier: Sendable, Hashable {
        case any
        case all
        case none
        /// The one of a reference, through which a path leads: if there is none, each of its attributes is
        /// nil.
        case reference
    }

    /// The deepest nesting of lists and NOT: code that reads a filter recurses once per level, and a thread's
    /// stack is small.
    package static let maximumDepth = 200

    /// The nesting depth of lists and NOT.
    package var depth: Int {
        switch self {
        case .always, .compare, .isIn, .text, .pattern, .calculated, .relatedCount: 0
        case .mistake(let mistake): mistake.depth
        case .not(let inner), .related(_, _, let inner): inner.depth + 1
        case .all(let parts), .any(let parts): parts.reduce(0) { max($0, $1.depth + 1) }
        }
    }

    package static func && (left: FilterNode, right: FilterNode) -> FilterNode {
        switch (left, right) {
        case (.all(let first), .all(let second)): .all(first + second)
        case (.all(let first), _): .all(first + [right])
        case (_, .all(let second)): .all([left] + second)
        case (_, _): .all([left, right])
        }
    }

    package static func || (left: FilterNode, right: FilterNode) -> FilterNode {
        switch (left, right) {
        case (.any(let first), .any(let second)): .any(first + second)
        case (.any(let first), _): .any(first + [right])
        case (_, .any(let second)): .any([left] + second)
        case (_, _): .any([left, right])
        }
    }

    /// A comparison with a value; a mistake if the value cannot be stored.
    package static func compare<Value: AttributeStorable>(
        _ column: Int, _ comparison: Comparison, with value: Value
    ) -> FilterNode {
        do {
            return .compare(column: column, comparison, try Constant(encoding: value))
        } catch {
            return .mistake(RequestMistake(error.message, column: column))
        }
    }

    package static func isIn<Value: AttributeStorable>(_ column: Int, _ values: [Value]) -> FilterNode {
        do throws(DataStoreError) {
            var constants: [Constant] = []
            for value in values { constants.append(try Constant(encoding: value)) }
            return .isIn(column: column, constants)
        } catch {
            return .mistake(RequestMistake(error.message, column: column))
        }
    }
}
