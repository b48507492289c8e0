/// A value of a filter before it is lowered: an attribute, a constant, or calculated from others.
package indirect enum ValueNode: Sendable, Hashable {
    /// An attribute of the item at the end of a path of references; of the item itself where there is none.
    case attribute([RelationshipReference], column: Int)
    /// Integers narrower than 64 bits are of the type `int64`.
    case constant(Constant, AttributeType)
    case negative(ValueNode)
    case arithmetic(ArithmeticOperator, ValueNode, ValueNode)
    /// A mistake that only shows at run time.
    case invalid(String)

    /// The value as a constant; `.invalid` if it cannot be stored.
    init<Value: AttributeStorable>(_ value: Value) {
        do {
            self = .constant(try Constant(encoding: value), Value.attributeType.calculated)
        } catch {
            self = .invalid(error.message)
        }
    }

    init(_ place: AttributePlace) {
        switch place.value {
        case .column(let column): self = .attribute(place.path, column: column)
        case .count: self = .invalid("The number of related items cannot be calculated with.")
        }
    }

    /// The nesting depth of its operators.
    package var depth: Int {
        switch self {
        case .attribute, .constant, .invalid: 0
        case .negative(let inner): inner.depth + 1
        case .arithmetic(_, let left, let right): max(left.depth, right.depth) + 1
        }
    }

    var readsAttributes: Bool {
        switch self {
        case .attribute: true
        case .constant, .invalid: false
        case .negative(let inner): inner.readsAttributes
        case .arithmetic(_, let left, let right): left.readsAttributes || right.readsAttributes
        }
    }
}

extension ValueNode {
    /// True if the value is nil where each attribute is: it reads one, or is a calculation without a result.
    var isNilWithoutItem: Bool { readsAttributes || withoutAttributes?.constantValue.isNull == true }

    /// The value as an expression, where it reads no attributes.
    var withoutAttributes: RowExpression? {
        switch self {
        case .attribute, .invalid: nil
        case .constant(let constant, let type): .constant(constant, type)
        case .negative(let inner): inner.withoutAttributes.map { .negative($0) }
        case .arithmetic(let sign, let left, let right):
            left.withoutAttributes.flatMap { left in
                right.withoutAttributes.map { .arithmetic(sign, left, $0) }
            }
        }
    }
}

extension AttributeType {
    /// The type of constants of this type in calculations.
    package var calculated: AttributeType { ValueKind(self) == .integer ? .int64 : self }
}

// MARK: Paths

extension ValueNode {
    /// The reference through which all attributes of both are reached; nil where there is none.
    func commonStep(with other: ValueNode) -> RelationshipReference? {
        var steps: Set<RelationshipReference?> = []
        forEachPath { steps.insert($0.first) }
        other.forEachPath { steps.insert($0.first) }
        return steps.count == 1 ? steps.first ?? nil : nil
    }

    private func forEachPath(_ body: ([RelationshipReference]) -> Void) {
        switch self {
        case .attribute(let path, _): body(path)
        case .constant, .invalid: return
        case .negative(let inner): inner.forEachPath(body)
        case .arithmetic(_, let left, let right):
            left.forEachPath(body)
            right.forEachPath(body)
        }
    }

    /// The same value seen from the item after the first reference of all paths.
    var behindStep: ValueNode {
        mapAttributes { path, column in .attribute(Array(path.dropFirst()), column: column) }
    }

    /// The same value of the item after a reference.
    func after(_ reference: RelationshipReference) -> ValueNode {
        mapAttributes { path, column in .attribute([reference] + path, column: column) }
    }

    /// The same value with each identifier after a reference in the column that holds the reference.
    var withOwnReferences: ValueNode {
        mapAttributes { path, column in
            guard column == 0, case .column(let own)? = path.last else {
                return .attribute(path, column: column)
            }
            return .attribute(path.dropLast(), column: own)
        }
    }

    /// True if it reads the identifier of the item itself.
    var readsIdentifier: Bool {
        switch self {
        case .attribute(let path, let column): path.isEmpty && column == 0
        case .constant, .invalid: false
        case .negative(let inner): inner.readsIdentifier
        case .arithmetic(_, let left, let right): left.readsIdentifier || right.readsIdentifier
        }
    }

    private func mapAttributes(_ map: ([RelationshipReference], Int) -> ValueNode) -> ValueNode {
        switch self {
        case .attribute(let path, let column): map(path, column)
        case .constant, .invalid: self
        case .negative(let inner): .negative(inner.mapAttributes(map))
        case .arithmetic(let sign, let left, let right):
            .arithmetic(sign, left.mapAttributes(map), right.mapAttributes(map))
        }
    }
}

extension FilterNode {
    /// The comparison of two values, in the form that engines find by an index where one is a constant.
    package static func comparing(
        _ left: ValueNode, _ comparison: Comparison, _ right: ValueNode
    ) -> FilterNode {
        switch (left, right) {
        case (.attribute(let path, let column), .constant(let constant, _)):
            .through(path, .compare(column: column, comparison, constant))
        case (.constant(let constant, _), .attribute(let path, let column)):
            .through(path, .compare(column: column, comparison.mirrored, constant))
        case (_, _): .calculated(left, comparison, right)
        }
    }

    /// Checks the types of the values of a comparison.
    ///
    /// - Throws: `.invalidRequest`.
    package func checkValues(of entity: Int, in schema: StoreSchema) throws(DataStoreError) {
        guard case .calculated(let left, let comparison, let right) = self else { return }
        _ = try ValueLowering(of: entity, in: schema).test(left, comparison, right)
    }
}

// MARK: Lowering

/// Lowers the values of comparisons, for one item type.
struct ValueLowering {
    private let number: Int
    private let schema: StoreSchema

    init(of number: Int, in schema: StoreSchema) {
        self.number = number
        self.schema = schema
    }

    /// - Throws: `.invalidRequest` for values that cannot be compared or calculated with.
    func test(
        _ left: ValueNode, _ comparison: Comparison, _ right: ValueNode
    ) throws(DataStoreError) -> ExpressionTest {
        if max(left.depth, right.depth) > FilterNode.maximumDepth {
            throw error("The calculation nests deeper than \(FilterNode.maximumDepth) levels.")
        }
        let (first, firstKind) = try expression(left)
        let (second, secondKind) = try expression(right)
        guard firstKind.isComparable(to: secondKind) else {
            throw error(
                "\(text(first)), of type \(firstKind.rawValue), cannot be compared with \(text(second)), of type "
                    + "\(secondKind.rawValue).")
        }
        return ExpressionTest(first, comparison, second)
    }

    private func expression(_ node: ValueNode) throws(DataStoreError) -> (RowExpression, ValueKind) {
        switch node {
        case .invalid(let message): throw error(message)
        case .constant(let constant, let type): return (.constant(constant, type), ValueKind(type))
        case .attribute(let path, let column): return try attribute(path, column)
        case .negative(let inner):
            let (expression, kind) = try expression(inner)
            guard kind.isNumber else { throw error("\(text(expression)) is not a number.") }
            return (.negative(expression), kind)
        case .arithmetic(let sign, let left, let right):
            let (first, firstKind) = try expression(left)
            let (second, secondKind) = try expression(right)
            guard let kind = firstKind.calculated(with: secondKind),
                sign != .remainder || kind != .decimal
            else {
                throw error(
                    "\(text(first)), of type \(firstKind.rawValue), and \(text(second)), of type "
                        + "\(secondKind.rawValue), cannot be calculated with by \(sign.rawValue).")
            }
            return (.arithmetic(sign, first, second), kind)
        }
    }

    private func attribute(
        _ path: [RelationshipReference], _ column: Int
    ) throws(DataStoreError) -> (RowExpression, ValueKind) {
        var relationships: [StoreRelationship] = []
        var entity = number
        for reference in path {
            let relationship = try schema.relationship(reference, of: entity)
            if relationship.kind.isToMany {
                throw error("A calculation cannot lead through \(relationship.name), which has many items.")
            }
            relationships.append(relationship)
            entity = relationship.target
        }
        let type = schema.entities[entity].attributes[column].type
        var own = column
        // The identifier after a reference is in its own column.
        if column == 0, case .reference(let reference)? = relationships.last?.form {
            relationships.removeLast()
            own = reference
        }
        let expression: RowExpression =
            relationships.isEmpty ? .column(own, type) : .related(relationships, own, type)
        return (expression, ValueKind(type))
    }

    private func text(_ expression: RowExpression) -> String {
        expression.description(of: schema.entities[number], showingValues: true)
    }

    private func error(_ message: String) -> DataStoreError {
        DataStoreError(
            .invalidRequest, "The filter cannot be used. \(message)", itemType: schema.entities[number].name)
    }
}

extension RowExpression {
    /// The value of an expression without columns.
    fileprivate var constantValue: RowValue {
        let cells = CellBuffer(count: 1)
        return value(in: cells.start)
    }
}

extension ExpressionTest {
    /// True if the result is the same for every row.
    var isConstant: Bool { columns.isEmpty && !isRelated }

    var constantResult: Bool {
        let cells = CellBuffer(count: 1)
        return matches(cells.start)
    }
}
