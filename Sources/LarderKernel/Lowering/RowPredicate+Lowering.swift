extension FilterNode {
    /// This test of the item after a reference, with each test of its identifier as one of the column that holds
    /// the reference (contract rule 6); nil where it has none.
    fileprivate func testingIdentifier(after reference: RelationshipReference) -> FilterNode? {
        guard case .column(let column) = reference, testsIdentifier else { return nil }
        func moved(_ part: FilterNode) -> FilterNode { .related(reference, .reference, part) }
        switch self {
        case .compare(_, let comparison, let constant): return .compare(column: column, comparison, constant)
        case .isIn(_, let constants): return .isIn(column: column, constants)
        case .text(_, let test): return .text(column: column, test)
        case .pattern(_, let test): return .pattern(column: column, test)
        case .calculated(let left, let comparison, let right):
            return .calculated(left.after(reference), comparison, right.after(reference))
        // Each attribute of an item that is not there is nil, so that a test of it consists of its parts.
        case .not(let inner): return .not(moved(inner))
        case .all(let parts): return .all(parts.map(moved))
        case .any(let parts): return .any(parts.map(moved))
        case .always, .related, .relatedCount, .invalid, .tooDeep: return nil
        }
    }

    private var testsIdentifier: Bool {
        switch self {
        case .compare(let column, _, _), .isIn(let column, _), .text(let column, _), .pattern(let column, _):
            column == 0
        case .calculated(let left, _, let right): left.readsIdentifier || right.readsIdentifier
        case .not(let inner): inner.testsIdentifier
        case .all(let parts), .any(let parts): parts.contains(where: \.testsIdentifier)
        case .always, .related, .relatedCount, .invalid, .tooDeep: false
        }
    }
}

extension RowPredicate {
    /// Lowers a filter: NOT is pushed inwards, nil becomes a case of its own, constants are folded.
    ///
    /// - Throws: `.invalidRequest` for mistakes that only show now.
    package init(_ filter: FilterNode, of entity: Int, in schema: StoreSchema) throws(DataStoreError) {
        self = try Self.lowered(filter, of: entity, in: schema, depth: 0).simplified
    }

    private static func lowered(
        _ filter: FilterNode, of number: Int, in schema: StoreSchema, depth: Int
    ) throws(DataStoreError) -> RowPredicate {
        let entity = schema.entities[number]
        if depth > FilterNode.maximumDepth {
            throw tooDeep(depth + filter.depth, entity)
        }
        switch filter {
        case .always(let value): return .always(value)
        case .compare(let column, let comparison, let constant):
            return comparing(column, comparison, constant, of: entity)
        case .isIn(let column, let constants): return isOneOf(column, constants, of: entity)
        case .text(let column, let test): return .text(column: column, test, negated: false)
        case .pattern(let column, let test):
            return test.lowered(for: column, isOptional: entity.attributes[column].isOptional)
        case .calculated(let left, let comparison, let right):
            let (left, right) = (left.withOwnReferences, right.withOwnReferences)
            if let step = left.commonStep(with: right) {
                let inner = FilterNode.calculated(left.behindStep, comparison, right.behindStep)
                return try lowered(.related(step, .reference, inner), of: number, in: schema, depth: depth)
            }
            let lowering = ValueLowering(of: number, in: schema)
            let test = try lowering.test(left, comparison, right)
            return test.isConstant ? .always(test.constantResult) : .expression(test)
        case .not(let inner):
            return try lowered(inner, of: number, in: schema, depth: depth + 1).negated {
                entity.attributes[$0].isOptional
            }
        case .all(let parts):
            return .all(try lowered(parts, of: number, in: schema, depth: depth))
        case .any(let parts):
            return .any(try lowered(parts, of: number, in: schema, depth: depth))
        case .related(let reference, let quantifier, let inner):
            if quantifier == .reference, let own = inner.testingIdentifier(after: reference) {
                return try lowered(own, of: number, in: schema, depth: depth)
            }
            let relationship = try schema.relationship(reference, of: number)
            let predicate = try lowered(
                inner, of: relationship.target, in: schema, depth: depth + 1)
            return related(relationship, quantifier, predicate, acceptsNil: inner.acceptsNil)
        case .relatedCount(let reference, let comparison, let count):
            let relationship = try schema.relationship(reference, of: number)
            return .related(RelatedTest(relationship, .count(comparison, count)))
        case .invalid(let column, let message):
            throw DataStoreError(
                .invalidRequest, "The filter cannot be used. \(message)", itemType: entity.name,
                attribute: entity.attributes[column].name)
        case .tooDeep(let depth): throw tooDeep(depth, entity)
        }
    }

    private static func lowered(
        _ filters: [FilterNode], of number: Int, in schema: StoreSchema, depth: Int
    ) throws(DataStoreError) -> [RowPredicate] {
        var lowered: [RowPredicate] = []
        for filter in filters {
            lowered.append(try self.lowered(filter, of: number, in: schema, depth: depth + 1))
        }
        return lowered
    }

    private static func related(
        _ relationship: StoreRelationship, _ quantifier: FilterNode.Quantifier, _ predicate: RowPredicate,
        acceptsNil: Bool
    ) -> RowPredicate {
        let schema = relationship.targetSchema
        let any = RowPredicate.related(RelatedTest(relationship, .any(predicate)))
        switch quantifier {
        case .any: return any
        case .none: return .related(RelatedTest(relationship, .none(predicate)))
        case .all:
            let negated = predicate.negated { schema.attributes[$0].isOptional }
            return .related(RelatedTest(relationship, .none(negated)))
        case .reference:
            return acceptsNil
                ? .any([any, .related(RelatedTest(relationship, .none(.always(true))))]) : any
        }
    }

    private static func tooDeep(_ depth: Int, _ entity: EntitySchema) -> DataStoreError {
        DataStoreError(
            .invalidRequest, FilterNode.tooDeepMessage(depth),
            advice: "Join conditions in one chain of && or of ||, and remove a NOT of a NOT.",
            itemType: entity.name)
    }

    private static func comparing(
        _ column: Int, _ comparison: Comparison, _ constant: Constant, of entity: EntitySchema
    ) -> RowPredicate {
        guard constant.isNull else { return .compare(column: column, comparison, constant) }
        let isOptional = entity.attributes[column].isOptional
        switch comparison {
        case .equal: return isOptional ? .isNull(column: column) : .always(false)
        case .notEqual: return isOptional ? .isNotNull(column: column) : .always(true)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return .always(false)
        }
    }

    private static func isOneOf(_ column: Int, _ constants: [Constant], of entity: EntitySchema)
        -> RowPredicate
    {
        let storage = entity.storage(ofColumn: column)
        let values = Set(constants.filter { !$0.isNull }).sorted { left, right in
            left.withCell { left in right.withCell { left.order(to: $0, storage: storage) < 0 } }
        }
        let isIn = RowPredicate.isIn(column: column, values, negated: false)
        let acceptsNil = constants.contains(where: \.isNull) && entity.attributes[column].isOptional
        return acceptsNil ? .any([.isNull(column: column), isIn]) : isIn
    }
}
