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
    package init<Value: AttributeStorable>(_ value: Value) {
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
