import Foundation
import LarderKernel
import LarderCalculations

/// A part of a predicate that can be translated to a filter.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
protocol TranslatableExpression: PredicateExpression {
    func translated(by translation: inout PredicateTranslation) throws(DataStoreError) -> PredicateTerm
}

/// Turns the tree of a predicate into a filter, without running any of it for an item.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct PredicateTranslation {
    /// The meaning of each variable, and the scope in which it was bound.
    private var variables: [PredicateExpressions.VariableID: (term: PredicateTerm, scope: Int)] = [:]
    /// The number of the variable whose items the filter is about that is being made.
    private(set) var scope = 0
    private var scopeCount = 1
    private let root: any DataStoreItem.Type
    /// The number of conditions that were made of choices and lists.
    private var size = 0

    /// The greatest number of conditions that choices and lists of values are written out to.
    private static let maximumSize = 2000

    init<Item: DataStoreItem>(_ variable: PredicateExpressions.Variable<Item>) {
        root = Item.self
        let item = PredicateItem(type: Item.self, scope: 0, path: [])
        variables[variable.key] = (.item(item), 0)
    }

    // MARK: Parts

    mutating func term(_ expression: some PredicateExpression) throws(DataStoreError) -> PredicateTerm {
        if let expression = expression as? any TranslatableExpression {
            return try expression.translated(by: &self)
        }
        // An expression without variables is the same for every item.
        if let captured = captured(expression) { return captured }
        if CapturedValue.mayStop(expression) {
            throw refused(expression, "a calculation with integers, or a range, could stop the process")
        }
        throw refused(expression, "it cannot be answered without running code for each item")
    }

    /// The value of an expression without variables; nil if it has any, and if its evaluation is a risk.
    func captured(_ expression: some PredicateExpression) -> PredicateTerm? { CapturedValue.of(expression) }

    /// The result of a comparison of two captured values of a type that no store compares; nil for other terms.
    func compared<Value>(
        _ left: PredicateTerm, _ right: PredicateTerm, by holds: (Value, Value) -> Bool
    ) -> PredicateTerm? {
        guard left.isUnstorable, right.isUnstorable, case .captured(let first as Value) = left,
            case .captured(let second as Value) = right
        else { return nil }
        return .captured(holds(first, second))
    }

    mutating func filter(_ expression: some PredicateExpression) throws(DataStoreError) -> FilterNode {
        try condition(try term(expression), expression)
    }

    func meaning<Value>(
        of variable: PredicateExpressions.Variable<Value>
    ) throws(DataStoreError) -> PredicateTerm {
        guard let bound = variables[variable.key] else {
            throw refused(variable, "it is not a variable of the predicate")
        }
        if bound.scope != scope, !bound.term.isCaptured {
            throw refused(variable, "a condition on related items cannot use an item outside of it")
        }
        return bound.term
    }

    /// Runs a body in which a variable stands for a term.
    mutating func binding<Value, Result>(
        _ variable: PredicateExpressions.Variable<Value>, to term: PredicateTerm,
        _ body: (inout PredicateTranslation) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        variables[variable.key] = (term, scope)
        return try body(&self)
    }

    /// Runs a body about the items of a relationship, one of which a variable stands for.
    mutating func entering<Value, Result>(
        _ type: any DataStoreItem.Type, as variable: PredicateExpressions.Variable<Value>,
        _ body: (inout PredicateTranslation) throws(DataStoreError) -> Result
    ) throws(DataStoreError) -> Result {
        let outer = scope
        scope = scopeCount
        scopeCount += 1
        defer { scope = outer }
        let item = PredicateItem(type: type, scope: scope, path: [])
        variables[variable.key] = (.item(item), scope)
        return try body(&self)
    }

    /// Counts conditions that one part of the predicate becomes.
    mutating func grow(by count: Int, for expression: any PredicateExpression) throws(DataStoreError) {
        size += count
        if size > Self.maximumSize {
            throw refused(expression, "written out, it is more than \(Self.maximumSize) conditions")
        }
    }

    // MARK: Errors

    func refused(_ expression: any PredicateExpression, _ reason: String) -> DataStoreError {
        DataStoreError(
            .invalidRequest,
            "The predicate cannot become a filter: in \(PredicateText.text(of: expression)), \(reason).",
            advice: "Write this part as a Larder filter, or test the items that are read.",
            itemType: root.schema.name)
    }
}

// MARK: Conditions and values

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateTranslation {
    /// The filter of a truth value.
    mutating func condition(
        _ term: PredicateTerm, _ expression: any PredicateExpression
    ) throws(DataStoreError) -> FilterNode {
        switch term {
        case .truth(let filter): return filter
        case .captured(let value as Bool): return .always(value)
        case .null: return .always(false)
        case .attribute(let item, let column):
            return .through(item.path, .compare(column, .equal, with: true))
        case .choice(let test, let first, let second):
            let first = try condition(first, expression)
            return try choosing(by: test, first, try condition(second, expression), expression)
        case .item, .window, .many, .count, .calculation, .range, .captured:
            throw refused(expression, "it is not a condition")
        }
    }

    /// The filter for items if a term is nil.
    mutating func isNil(
        _ term: PredicateTerm, _ expression: any PredicateExpression
    ) throws(DataStoreError) -> FilterNode {
        switch term {
        case .null: return .always(true)
        case .captured, .truth, .count, .range: return .always(false)
        case .attribute(let item, let column):
            return .through(item.path, .compare(column: column, .equal, .null))
        case .item(let item):
            guard let last = item.path.last else { return .always(false) }
            return .through(item.path.dropLast(), .related(last, .none, .always(true)))
        case .calculation(let value):
            return .calculated(value, .equal, .constant(.null, .int64))
        case .choice(let test, let first, let second):
            let first = try isNil(first, expression)
            return try choosing(by: test, first, try isNil(second, expression), expression)
        case .window, .many:
            throw refused(expression, "the items of a relationship are never nil")
        }
    }

    /// A term as a value to compare and calculate with.
    func value(
        _ term: PredicateTerm, _ expression: any PredicateExpression
    ) throws(DataStoreError) -> ValueNode {
        switch term {
        case .attribute(let item, let column):
            try check(item, column, expression)
            return .attribute(AttributePlace(item.path, column: column))
        case .calculation(let value): return value
        case .captured(let value):
            guard let storable = term.storable else {
                throw refused(expression, "a \(type(of: value)) cannot be compared with what is stored")
            }
            return ValueNode(storable)
        case .item, .window, .many, .count, .truth, .choice, .range, .null:
            throw refused(expression, "it is not a value that is stored")
        }
    }

    /// Refuses attributes that are stored as JSON, whose text differs if the values are equal.
    func check(
        _ item: PredicateItem, _ column: Int, _ expression: any PredicateExpression
    ) throws(DataStoreError) {
        let attribute = item.type.schema.attributes[column]
        guard attribute.type == .json else { return }
        throw refused(expression, "\(attribute.propertyName) is stored as JSON and is compared with nil only")
    }

    /// Refuses to order values of the app's own types, which may be ordered in another way than they are stored.
    func checkOrder(of type: Any.Type, _ expression: any PredicateExpression) throws(DataStoreError) {
        if StoredOrder.isOrder(of: type) { return }
        throw refused(expression, "values of the type \(type) may have an order of their own")
    }

    /// The filter for items whose values compare so.
    mutating func comparing(
        _ left: PredicateTerm, _ comparison: Comparison, _ right: PredicateTerm,
        _ expression: any PredicateExpression
    ) throws(DataStoreError) -> FilterNode {
        try grow(by: 1, for: expression)
        switch (left, right) {
        case (.choice(let test, let first, let second), _):
            let first = try comparing(first, comparison, right, expression)
            let second = try comparing(second, comparison, right, expression)
            return try choosing(by: test, first, second, expression)
        case (_, .choice(let test, let first, let second)):
            let first = try comparing(left, comparison, first, expression)
            let second = try comparing(left, comparison, second, expression)
            return try choosing(by: test, first, second, expression)
        case (.null, let other), (let other, .null):
            switch comparison {
            case .equal: return try isNil(other, expression)
            case .notEqual: return .not(try isNil(other, expression))
            case .less, .lessOrEqual, .greater, .greaterOrEqual: return .always(false)
            }
        case (.truth(let truth), let other), (let other, .truth(let truth)):
            let isTrue = try test(other, for: true, expression)
            // It is held twice, too.
            try grow(by: isTrue.conditionCount, for: expression)
            let same = try choosing(by: truth, isTrue, try test(other, for: false, expression), expression)
            switch comparison {
            case .equal: return same
            case .notEqual: return .not(same)
            case .less, .lessOrEqual, .greater, .greaterOrEqual:
                throw refused(expression, "conditions have no order")
            }
        case (.count(let item, let number), .captured(let value as Int)):
            return .through(item.path, .relatedCount(.number(number), comparison, value))
        case (.captured(let value as Int), .count(let item, let number)):
            return .through(item.path, .relatedCount(.number(number), comparison.mirrored, value))
        case (.count, _), (_, .count):
            throw refused(expression, "the number of related items is compared with a captured number only")
        case (_, _):
            let (left, right) = (try value(left, expression), try value(right, expression))
            guard let first = left.constantExpression, let second = right.constantExpression
            else { return .comparing(left, comparison, right) }
            // In text, it is an attribute that gives numbers their type: without one, 5.0 / 2.0 would be 2.
            return .always(ExpressionTest(first, comparison, second).constantResult)
        }
    }

    /// The filter for items if a term is this truth value; neither holds if it is nil.
    private mutating func test(
        _ term: PredicateTerm, for value: Bool, _ expression: any PredicateExpression
    ) throws(DataStoreError) -> FilterNode {
        switch term {
        case .truth(let filter): value ? filter : .not(filter)
        case .captured(let captured as Bool): .always(captured == value)
        case .attribute(let item, let column): .through(item.path, .compare(column, .equal, with: value))
        case .item, .window, .many, .count, .calculation, .choice, .range, .captured, .null:
            throw refused(expression, "a condition is compared with what is not a condition")
        }
    }

    /// One of two filters, by a test.
    ///
    /// The result holds the test twice, and its conditions are counted again for that.
    mutating func choosing(
        by test: FilterNode, _ first: FilterNode, _ second: FilterNode,
        _ expression: any PredicateExpression
    ) throws(DataStoreError) -> FilterNode {
        switch test {
        case .always(let isFirst): return isFirst ? first : second
        default:
            try grow(by: test.conditionCount, for: expression)
            return .any([.all([test, first]), .all([.not(test), second])])
        }
    }

    /// The term of a calculation with two others.
    mutating func calculating(
        _ left: PredicateTerm, _ sign: ArithmeticOperator, _ right: PredicateTerm,
        _ expression: any PredicateExpression
    ) throws(DataStoreError) -> PredicateTerm {
        try grow(by: 1, for: expression)
        switch (left, right) {
        case (.choice(let test, let first, let second), _):
            let first = try calculating(first, sign, right, expression)
            return .choice(test, first, try calculating(second, sign, right, expression))
        case (_, .choice(let test, let first, let second)):
            let first = try calculating(left, sign, first, expression)
            return .choice(test, first, try calculating(left, sign, second, expression))
        case (.null, _), (_, .null): return .null
        case (.captured(let first), .captured(let second)):
            if let result = sign.result(first, second) { return result }
            let left = try value(left, expression)
            return .calculation(.arithmetic(sign, left, try value(right, expression)))
        case (_, _):
            let left = try value(left, expression)
            return .calculation(.arithmetic(sign, left, try value(right, expression)))
        }
    }
}

extension ValueNode {
    /// The value as it is calculated for any row; nil if it reads an attribute, or is a mistake.
    fileprivate var constantExpression: RowExpression? {
        switch self {
        case .constant(let constant, let type): return .constant(constant, type)
        case .negative(let inner): return inner.constantExpression.map { .negative($0) }
        case .arithmetic(let sign, let left, let right):
            guard let left = left.constantExpression, let right = right.constantExpression else { return nil }
            return .arithmetic(sign, left, right)
        case .attribute, .mistake: return nil
        }
    }
}

extension FilterNode {
    /// The number of tests that the filter is made of.
    fileprivate var conditionCount: Int {
        switch self {
        case .always, .compare, .isIn, .text, .pattern, .calculated, .relatedCount, .mistake: 1
        case .not(let inner), .related(_, _, let inner): inner.conditionCount
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.conditionCount }
        }
    }
}

/// The types whose order in Swift is the order in which stores keep them, text by its bytes.
enum StoredOrder {
    static func isOrder(of type: Any.Type) -> Bool {
        if let optional = type as? any OptionalValue.Type { return isOrder(of: optional.wrappedType) }
        return type is any CalculableValue.Type || type is any ItemIdentifier.Type || type == Date.self
    }
}

private protocol OptionalValue {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalValue {
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
}
