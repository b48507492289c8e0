public import Larder

extension UntypedReader {
    /// The relationships of an item type, those without a column first.
    ///
    /// - Throws: `.unknownItemType`.
    public func relationships(of entity: String) throws(DataStoreError) -> [StoreRelationship] {
        schema.relationships[try schema.number(ofEntityNamed: entity)]
    }

    /// The relationship that shows the same from the other end; nil where none does.
    public func inverse(of relationship: StoreRelationship) -> StoreRelationship? {
        relationship.inverse.map { schema.relationships[relationship.target][$0] }
    }

    /// The identifiers of the items that a relationship without a column leads to from an item, in their
    /// order.
    ///
    ///     let tags = try reader.identifiers(related: "tags", to: row, limit: 20)
    ///
    /// - Throws: `.unknownAttribute` when the item type has no such relationship; rethrows errors of the
    ///   engine.
    public func identifiers(
        related name: String, to row: UntypedRow, limit: Int? = nil
    ) throws(DataStoreError) -> [AnyItemID] {
        guard let (plan, type) = try plan(related: name, to: row, limit: limit) else { return [] }
        let cursor = try transaction.rows(for: plan)
        defer { cursor.close() }
        var identifiers: [AnyItemID] = []
        var cell = Cell.null
        while try cursor.next(into: &cell) {
            try Cancellation.check("The reading")
            if let identifier = AnyItemID(cell, type: type) { identifiers.append(identifier) }
        }
        return identifiers
    }

    /// The number of items that a relationship without a column leads to from an item.
    ///
    /// - Throws: As ``identifiers(related:to:limit:)``.
    public func count(related name: String, to row: UntypedRow) throws(DataStoreError) -> Int {
        guard let (plan, _) = try plan(related: name, to: row, limit: nil) else { return 0 }
        return try transaction.count(for: plan)
    }

    /// The rows that lead to the items, and the type of their identifiers; nil for a reference, which has its
    /// only item in the row itself.
    private func plan(
        related name: String, to row: UntypedRow, limit: Int?
    ) throws(DataStoreError) -> (RequestPlan, AttributeType)? {
        let owner = row.schema.name
        guard
            let relationship = try relationships(of: owner).first(where: { UTF8Text.areEqual($0.name, name) })
        else {
            throw DataStoreError(
                .unknownAttribute, "\(owner) has no relationship \"\(name)\".", itemType: owner,
                attribute: name)
        }
        let type = relationship.targetSchema.attributes[0].type
        switch relationship.form {
        case .reference: return nil
        case .referrers(let column):
            let plan = RequestPlan(
                entity: relationship.target, schema: relationship.targetSchema, columns: .some([0]),
                predicate: .compare(column: column, .equal, row.values[0]), limit: limit)
            return (plan, type)
        case .links(let side):
            let column = side.isOrdered && !side.isReversed ? LinkEntity.rank : side.targetColumn
            let plan = RequestPlan(
                entity: side.entity, schema: schema.entities[side.entity],
                columns: .some([side.targetColumn]),
                predicate: .compare(column: side.ownerColumn, .equal, row.values[0]),
                order: [RequestPlan.SortTerm(column: column, isAscending: true)], limit: limit)
            return (plan, type)
        }
    }
}
