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
    var constantValue: RowValue {
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
