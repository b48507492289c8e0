extension FilterNode {
    /// This test of the item after a reference, with each test of its identifier as one of the column that holds
    /// the reference (contract rule 6); nil if it has none.
    @inline(never) fileprivate func testingIdentifier(after reference: RelationshipReference) -> FilterNode? {
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
        case .always, .related, .relatedCount, .mistake: return nil
        }
    }

    private var testsIdentifier: Bool {
        switch self {
        case .compare(let column, _, _), .isIn(let column, _), .text(let column, _), .pattern(let column, _):
            column == 0
        case .calculated(let left, _, let right): left.readsIdentifier || right.readsIdentifier
        case .not(let inner): inner.testsIdentifier
        case .all(let parts), .any(let parts): parts.contains(where: \.testsIdentifier)
        case .always, .related, .relatedCount, .mistake: false
        }
    }
}

extension RowPredicate {
    /// Lowers a filter: NOT is pushed inwards, nil becomes a case of its own, constants are folded.
    ///
    /// - Throws: `.invalidRequest` for mistakes that only show now.
    package init(_ filter: FilterNode, of entity: Int, in schema: StoreSchema) throws(DataStoreError) {
        let lowering = FilterLowering(schema: schema, isOfNoItem: false)
        self = try lowering.predicate(filter, of: entity, depth: 0).simplified
    }
}

/// Lowers filters of a store's items.
private struct FilterLowering {
    let schema: StoreSchema
    /// True if they are about the item after a reference that leads to none: each of its attributes is nil, and it
    /// has no related items (contract rule 6).
    let isOfNoItem: Bool

    /// It calls itself for each level, and a stack may be small: what takes much of it is done in other functions.
    func predicate(_ filter: FilterNode, of number: Int, depth: Int) throws(DataStoreError) -> RowPredicate {
        switch filter {
        // A page puts one conjunction around the filter of the app, which is as deep as the limit at most.
        case _ where depth > FilterNode.maximumDepth + 1:
            try leaf(.mistake(RequestMistake(depth: depth + filter.depth)), of: number, depth: depth)
        case .not(let inner): negated(try predicate(inner, of: number, depth: depth + 1), of: number)
        case .all(let parts): .all(try predicates(parts, of: number, depth: depth + 1))
        case .any(let parts): .any(try predicates(parts, of: number, depth: depth + 1))
        case .related(let reference, let quantifier, let inner):
            try related(reference, quantifier, inner, of: number, depth: depth)
        default: try leaf(filter, of: number, depth: depth)
        }
    }

    @inline(never)
    func leaf(_ filter: FilterNode, of number: Int, depth: Int) throws(DataStoreError) -> RowPredicate {
        let entity = schema.entities[number]
        switch filter {
        case .always(let value): return .always(value)
        case .compare(let column, let comparison, let constant):
            return comparing(column, comparison, constant, of: entity)
        case .isIn(let column, let constants): return isOneOf(column, constants, of: entity)
        case .text(let column, let test):
            return test.lowered(for: column) { entity.column(folding: column, $0) }
        case .pattern(let column, let test):
            return test.lowered(
                for: column, folded: { entity.column(folding: column, $0) },
                isOptional: isOptional(column, of: entity))
        case .calculated(let left, let comparison, let right):
            if let step = left.commonStep(with: right) {
                let inner = FilterNode.calculated(left.behindStep, comparison, right.behindStep)
                return try predicate(.related(step, .reference, inner), of: number, depth: depth)
            }
            let test = try ValueLowering(of: number, in: schema).test(left, comparison, right)
            return test.isConstant ? .always(test.constantResult) : .expression(test)
        case .not, .all, .any, .related: return try predicate(filter, of: number, depth: depth)
        case .relatedCount(let reference, let comparison, let count):
            if isOfNoItem { return .always(comparison.holds(0, count)) }
            return .related(
                RelatedTest(try schema.relationship(reference, of: number), .count(comparison, count)))
        case .mistake(let mistake): throw mistake.error(of: entity)
        }
    }

    private func predicates(
        _ filters: [FilterNode], of number: Int, depth: Int
    ) throws(DataStoreError) -> [RowPredicate] {
        try filters.map { filter throws(DataStoreError) in try predicate(filter, of: number, depth: depth) }
    }

    @inline(never) private func related(
        _ reference: RelationshipReference, _ quantifier: FilterNode.Quantifier, _ filter: FilterNode,
        of number: Int, depth: Int
    ) throws(DataStoreError) -> RowPredicate {
        if quantifier == .reference, let own = filter.testingIdentifier(after: reference) {
            return try predicate(own, of: number, depth: depth)
        }
        if isOfNoItem, quantifier != .reference { return .always(quantifier != .any) }
        let relationship = try schema.relationship(reference, of: number)
        if isOfNoItem { return .always(try acceptsNoItem(filter, of: relationship.target, depth: depth + 1)) }
        let inner = try predicate(filter, of: relationship.target, depth: depth + 1)
        return try quantified(relationship, quantifier, inner, filter, depth: depth + 1)
    }

    @inline(never) private func quantified(
        _ relationship: StoreRelationship, _ quantifier: FilterNode.Quantifier, _ inner: RowPredicate,
        _ filter: FilterNode, depth: Int
    ) throws(DataStoreError) -> RowPredicate {
        func related(_ test: RelatedTest.Test) -> RowPredicate { .related(RelatedTest(relationship, test)) }
        switch quantifier {
        case .any: return related(.any(inner))
        case .none: return related(.none(inner))
        case .all: return related(.none(negated(inner, of: relationship.target)))
        case .reference:
            return try acceptsNoItem(filter, of: relationship.target, depth: depth)
                ? .any([related(.any(inner)), related(.none(.always(true)))]) : related(.any(inner))
        }
    }

    /// True if a test of the item after a reference passes if the reference is nil, as it would on a row of nils.
    @inline(never)
    func acceptsNoItem(_ filter: FilterNode, of number: Int, depth: Int) throws(DataStoreError) -> Bool {
        let entity = schema.entities[number]
        let nils = CellBuffer(count: entity.attributes.count)
        let lowering = FilterLowering(schema: schema, isOfNoItem: true)
        return try lowering.predicate(filter, of: number, depth: depth).matches(nils.start, of: entity)
    }

    @inline(never) private func negated(_ predicate: RowPredicate, of number: Int) -> RowPredicate {
        predicate.negated { isOptional($0, of: schema.entities[number]) }
    }

    private func isOptional(_ column: Int, of entity: EntitySchema) -> Bool {
        isOfNoItem || entity.attributes[column].isOptional
    }

    private func comparing(
        _ column: Int, _ comparison: Comparison, _ constant: Constant, of entity: EntitySchema
    ) -> RowPredicate {
        guard constant.isNull else { return .compare(column: column, comparison, constant) }
        let isOptional = isOptional(column, of: entity)
        switch comparison {
        case .equal: return isOptional ? .isNull(column: column) : .always(false)
        case .notEqual: return isOptional ? .isNotNull(column: column) : .always(true)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return .always(false)
        }
    }

    private func isOneOf(_ column: Int, _ constants: [Constant], of entity: EntitySchema) -> RowPredicate {
        let values = constants.filter { !$0.isNull }.sortedAndDistinct(entity.storage(ofColumn: column))
        let isIn = RowPredicate.isIn(column: column, values, negated: false)
        let acceptsNil = constants.contains(where: \.isNull) && isOptional(column, of: entity)
        return acceptsNil ? .any([.isNull(column: column), isIn]) : isIn
    }
}
