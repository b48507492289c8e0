/// A value of a filter before it is lowered: an attribute, a constant, or calculated from others.
package indirect enum ValueNode: Sendable, Hashable {
    case attribute(AttributePlace)
    /// Integers narrower than 64 bits are of the type `int64`.
    case constant(Constant, AttributeType)
    case negative(ValueNode)
    case arithmetic(ArithmeticOperator, ValueNode, ValueNode)
    case mistake(RequestMistake)

    /// The value as a constant; a mistake if it cannot be stored.
    package init<Value: AttributeStorable>(_ value: Value) {
        do {
            self = .constant(try Constant(encoding: value), Value.attributeType.calculated)
        } catch {
            self = .mistake(RequestMistake(error.message))
        }
    }

    package init(_ operand: FilterOperand) {
        switch operand.value {
        case .column(let column): self = .attribute(AttributePlace(operand.path, column: column))
        case .count: self = .mistake(RequestMistake("The number of related items cannot be calculated with."))
        }
    }

    package static let tooDeepMessage = "The calculation nests deeper than \(FilterNode.maximumDepth) levels."

    /// The nesting depth of its operators.
    package var depth: Int {
        switch self {
        case .attribute, .constant, .mistake: 0
        case .negative(let inner): inner.depth + 1
        case .arithmetic(_, let left, let right): max(left.depth, right.depth) + 1
        }
    }
}

extension AttributeType {
    /// The type of constants of this type in calculations.
    package var calculated: AttributeType { ValueKind(self) == .integer ? .int64 : self }
}

// MARK: Paths

extension ValueNode {
    /// The reference through which all attributes of both are reached; nil if there is none.
    func commonStep(with other: ValueNode) -> RelationshipReference? {
        var steps: Set<RelationshipReference?> = []
        forEachPath { steps.insert($0.first) }
        other.forEachPath { steps.insert($0.first) }
        return steps.count == 1 ? steps.first ?? nil : nil
    }

    private func forEachPath(_ body: ([RelationshipReference]) -> Void) {
        switch self {
        case .attribute(let place): body(place.path)
        case .constant, .mistake: return
        case .negative(let inner): inner.forEachPath(body)
        case .arithmetic(_, let left, let right):
            left.forEachPath(body)
            right.forEachPath(body)
        }
    }

    /// The same value seen from the item after the first reference of all paths.
    var behindStep: ValueNode {
        mapAttributes { AttributePlace(Array($0.path.dropFirst()), column: $0.column) }
    }

    /// The same value of the item after a reference.
    func after(_ reference: RelationshipReference) -> ValueNode {
        mapAttributes { AttributePlace([reference] + $0.path, column: $0.column) }
    }

    /// True if it reads the identifier of the item itself.
    var readsIdentifier: Bool {
        switch self {
        case .attribute(let place): place.path.isEmpty && place.column == 0
        case .constant, .mistake: false
        case .negative(let inner): inner.readsIdentifier
        case .arithmetic(_, let left, let right): left.readsIdentifier || right.readsIdentifier
        }
    }

    private func mapAttributes(_ map: (AttributePlace) -> AttributePlace) -> ValueNode {
        switch self {
        case .attribute(let place): .attribute(map(place))
        case .constant, .mistake: self
        case .negative(let inner): .negative(inner.mapAttributes(map))
        case .arithmetic(let sign, let left, let right):
            .arithmetic(sign, left.mapAttributes(map), right.mapAttributes(map))
        }
    }
}

extension FilterNode {
    /// The comparison of two values, in the form that engines find by an index if one is a constant.
    package static func comparing(
        _ left: ValueNode, _ comparison: Comparison, _ right: ValueNode
    ) -> FilterNode {
        switch (left, right) {
        case (.attribute(let place), .constant(let constant, _)):
            .through(place.path, .compare(column: place.column, comparison, constant))
        case (.constant(let constant, _), .attribute(let place)):
            .through(place.path, .compare(column: place.column, comparison.mirrored, constant))
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
