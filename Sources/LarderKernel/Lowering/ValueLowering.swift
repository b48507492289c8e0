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
            throw error(ValueNode.tooDeepMessage)
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
        case .mistake(let mistake): throw mistake.error(of: schema.entities[number])
        case .constant(let constant, let type): return (.constant(constant, type), ValueKind(type))
        case .attribute(let place): return try attribute(place)
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

    private func attribute(_ place: AttributePlace) throws(DataStoreError) -> (RowExpression, ValueKind) {
        let path = try schema.path(along: place.path, of: number)
        if let many = path.first(where: \.kind.isToMany) {
            throw error("A calculation cannot lead through \(many.propertyName), which has many items.")
        }
        let type = schema.entities[path.last?.target ?? number].attributes[place.column].type
        let expression: RowExpression =
            path.isEmpty ? .column(place.column, type) : .related(path, place.column, type)
        return (expression, ValueKind(type))
    }

    private func text(_ expression: RowExpression) -> String {
        expression.description(of: schema.entities[number], showingValues: true)
    }

    private func error(_ message: String) -> DataStoreError {
        RequestMistake(message).error(of: schema.entities[number])
    }
}

extension ExpressionTest {
    /// True if the result is the same for every row.
    var isConstant: Bool { columns.isEmpty && !isRelated }

    package var constantResult: Bool {
        let cells = CellBuffer(count: 1)
        return matches(cells.start)
    }
}
