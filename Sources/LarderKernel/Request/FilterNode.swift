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
    /// A mistake that only shows at run time; thrown by `validate()` and by the first use.
    case invalid(column: Int, message: String)
    /// A placeholder for a filter that is nested too deeply; thrown like `.invalid`.
    case tooDeep(Int)

    /// The items at the other end that have to pass a test.
    package enum Quantifier: Sendable, Hashable {
        case any
        case all
        case none
        /// The one of a reference, through which a path leads: where there is none, each of its attributes is
        /// nil.
        case reference
    }

    /// The deepest nesting of lists and NOT: code that reads a filter recurses once per level, and a thread's
    /// stack is small.
    package static let maximumDepth = 200

    /// The nesting depth of lists and NOT.
    package var depth: Int {
        switch self {
        case .always, .compare, .isIn, .text, .pattern, .calculated, .invalid, .relatedCount: 0
        case .tooDeep(let depth): depth
        case .not(let inner), .related(_, _, let inner): inner.depth + 1
        case .all(let parts), .any(let parts): parts.reduce(0) { max($0, $1.depth + 1) }
        }
    }

    /// True if a test of the item after a reference passes where the reference is nil: each attribute of
    /// the item is nil then, and it has no related items.
    var acceptsNil: Bool {
        switch self {
        case .always(let value): value
        case .compare(_, let comparison, let constant):
            comparison == (constant.isNull ? .equal : .notEqual)
        case .isIn(_, let constants): constants.contains(where: \.isNull)
        case .not(let inner): !inner.acceptsNil
        case .all(let parts): parts.allSatisfy(\.acceptsNil)
        case .any(let parts): parts.contains(where: \.acceptsNil)
        case .related(_, .reference, let inner): inner.acceptsNil
        case .related(_, let quantifier, _): quantifier != .any
        case .relatedCount(_, let comparison, let count): comparison.holds(0, count)
        case .calculated(let left, let comparison, let right):
            if let left = left.withoutAttributes, let right = right.withoutAttributes {
                ExpressionTest(left, comparison, right).constantResult
            } else {
                comparison.holds(areBothNil: left.isNilWithoutItem && right.isNilWithoutItem)
            }
        case .text, .pattern, .invalid, .tooDeep: false
        }
    }

    /// The error message for a filter of this depth.
    package static func tooDeepMessage(_ depth: Int) -> String {
        "The filter nests \(depth) levels deep; at most \(maximumDepth) are allowed."
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

    /// A comparison with a value; `.invalid` if the value cannot be stored.
    package static func compare<Value: AttributeStorable>(
        _ column: Int, _ comparison: Comparison, with value: Value
    ) -> FilterNode {
        do {
            return .compare(column: column, comparison, try Constant(encoding: value))
        } catch {
            return .invalid(column: column, message: error.message)
        }
    }

    package static func isIn<Value: AttributeStorable>(_ column: Int, _ values: [Value]) -> FilterNode {
        do throws(DataStoreError) {
            var constants: [Constant] = []
            for value in values { constants.append(try Constant(encoding: value)) }
            return .isIn(column: column, constants)
        } catch {
            return .invalid(column: column, message: error.message)
        }
    }
}
