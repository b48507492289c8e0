/// A value that is calculated from the columns of a row.
public indirect enum RowExpression: Sendable, Hashable {
    case column(Int, AttributeType)
    /// A column of the item at the end of a path of references; the core reads it before an engine sees the test.
    case related([StoreRelationship], Int, AttributeType)
    case constant(Constant, AttributeType)
    case negative(RowExpression)
    case arithmetic(ArithmeticOperator, RowExpression, RowExpression)
}

extension RowExpression {
    /// The value for a row, by column number.
    func value(in cells: UnsafePointer<Cell>) -> RowValue {
        switch self {
        case .column(let column, let type): return RowValue(cells[column], ValueKind(type))
        // A row alone does not decide; see RelatedComparison.
        case .related: return .null
        case .constant(let constant, let type): return RowValue(constant, ValueKind(type))
        case .negative(let inner): return inner.value(in: cells).negative
        case .arithmetic(let sign, let left, let right):
            let (left, right) = (left.value(in: cells), right.value(in: cells))
            if left.isNull || right.isNull { return .null }
            return RowValue.calculate(left, sign, right)
        }
    }

    /// The columns of the row itself that it reads.
    var columns: Set<Int> {
        switch self {
        case .column(let column, _): [column]
        case .related(let path, _, _): path.first.map { [$0.ownColumn] } ?? []
        case .constant: []
        case .negative(let inner): inner.columns
        case .arithmetic(_, let left, let right): left.columns.union(right.columns)
        }
    }

    /// True if it reads other items.
    var isRelated: Bool {
        switch self {
        case .related: true
        case .column, .constant: false
        case .negative(let inner): inner.isRelated
        case .arithmetic(_, let left, let right): left.isRelated || right.isRelated
        }
    }

    /// Runs a body for each of its related columns.
    func forEachRelated(_ body: ([StoreRelationship], Int) -> Void) {
        switch self {
        case .related(let path, let column, _): body(path, column)
        case .column, .constant: return
        case .negative(let inner): inner.forEachRelated(body)
        case .arithmetic(_, let left, let right):
            left.forEachRelated(body)
            right.forEachRelated(body)
        }
    }

    /// The expression with a column of the row in place of each related one.
    func replacingRelated(_ column: ([StoreRelationship], Int) -> Int) -> RowExpression {
        switch self {
        case .related(let path, let number, let type): .column(column(path, number), type)
        case .column, .constant: self
        case .negative(let inner): .negative(inner.replacingRelated(column))
        case .arithmetic(let sign, let left, let right):
            .arithmetic(sign, left.replacingRelated(column), right.replacingRelated(column))
        }
    }

    /// The expression as text, with the names of the attributes.
    func description(of schema: EntitySchema, showingValues: Bool) -> String {
        switch self {
        case .column(let column, _): return schema.attributes[column].name
        case .related(let path, let column, _):
            let target = path.last?.targetSchema ?? schema
            return (path.map(\.name) + [target.attributes[column].name]).joined(separator: ".")
        case .constant(let constant, _): return showingValues ? constant.description : "?"
        case .negative(let inner):
            return "-" + inner.description(of: schema, showingValues: showingValues)
        case .arithmetic(let sign, let left, let right):
            let left = left.description(of: schema, showingValues: showingValues)
            let right = right.description(of: schema, showingValues: showingValues)
            return "(\(left) \(sign.rawValue) \(right))"
        }
    }
}

/// The comparison of two calculated values.
///
/// Two nils are equal; nil and a value differ, and neither comes before the other (contract rule 6).
public struct ExpressionTest: Sendable, Hashable {
    public let left: RowExpression
    public let comparison: Comparison
    public let right: RowExpression
    public let negated: Bool

    public init(
        _ left: RowExpression, _ comparison: Comparison, _ right: RowExpression, negated: Bool = false
    ) {
        self.left = left
        self.comparison = comparison
        self.right = right
        self.negated = negated
    }

    /// True if a row passes.
    ///
    /// *Rule:* for a test without ``RowExpression/related(_:_:_:)``.
    public func matches(_ cells: UnsafePointer<Cell>) -> Bool {
        let (left, right) = (left.value(in: cells), right.value(in: cells))
        if left.isNull || right.isNull {
            return comparison.holds(areBothNil: left.isNull && right.isNull) != negated
        }
        return comparison.holds(left.order(to: right), 0) != negated
    }

    /// The columns of the row itself that it reads.
    public var columns: Set<Int> { left.columns.union(right.columns) }

    /// True if it reads other items.
    public var isRelated: Bool { left.isRelated || right.isRelated }

    /// Runs a body for each of its related columns.
    package func forEachRelated(_ body: ([StoreRelationship], Int) -> Void) {
        left.forEachRelated(body)
        right.forEachRelated(body)
    }

    var opposite: ExpressionTest {
        switch comparison {
        case .equal, .notEqual: ExpressionTest(left, comparison.opposite, right, negated: negated)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            ExpressionTest(left, comparison, right, negated: !negated)
        }
    }

    /// Runs a body for each of the numbers that distinguish one shape from another.
    func forEachWordOfShape(_ body: (UInt32) -> Void) {
        body(comparison.shapeNumber << 1 | (negated ? 1 : 0))
        left.forEachWordOfShape(body)
        right.forEachWordOfShape(body)
    }

    func description(of schema: EntitySchema, showingValues: Bool) -> String {
        let left = left.description(of: schema, showingValues: showingValues)
        let right = right.description(of: schema, showingValues: showingValues)
        return "\(negated ? "not " : "")\(left) \(comparison.rawValue) \(right)"
    }
}

extension Comparison {
    /// True if the comparison holds if at least one side is nil.
    func holds(areBothNil: Bool) -> Bool {
        switch self {
        case .equal: areBothNil
        case .notEqual: !areBothNil
        case .less, .lessOrEqual, .greater, .greaterOrEqual: false
        }
    }
}

extension RowExpression {
    fileprivate func forEachWordOfShape(_ body: (UInt32) -> Void) {
        switch self {
        case .column(let column, _): body(UInt32(truncatingIfNeeded: column) << 3 | 1)
        case .related(let path, let column, _):
            body(UInt32(truncatingIfNeeded: column) << 3 | 2)
            body(UInt32(truncatingIfNeeded: path.count))
            for relationship in path { body(UInt32(truncatingIfNeeded: relationship.number)) }
        case .constant: body(3)
        case .negative(let inner):
            body(4)
            inner.forEachWordOfShape(body)
        case .arithmetic(_, let left, let right):
            body(5)
            left.forEachWordOfShape(body)
            right.forEachWordOfShape(body)
        }
    }
}
