package import LarderKernel

extension StorageReading {
    /// The identifiers of the rows that a relationship without a column leads to from a row, in their order;
    /// none for a reference, which is in the row itself.
    ///
    /// - Throws: `.unknownAttribute` when the type has no such relationship; errors of the engine.
    package func identifiers(
        related name: String, to identifier: Cell, of entity: Int, in schema: StoreSchema,
        limit: Int? = nil
    ) throws(DataStoreError) -> [AnyItemID] {
        let owner = Constant(identifier, storage: schema.entities[entity].storage(ofColumn: 0))
        guard
            let (plan, type) = try schema.plan(related: name, to: owner, of: entity, limit: limit)
        else { return [] }
        var identifiers: [AnyItemID] = []
        try forEachRow(of: plan) { row throws(DataStoreError) in
            try Cancellation.check("The reading")
            if let identifier = AnyItemID(row[0], type: type) { identifiers.append(identifier) }
        }
        return identifiers
    }
}

extension StoreSchema {
    /// The rows that lead to the items of a relationship, and the type of their identifiers; nil for a
    /// reference, which has its only item in the row itself.
    ///
    /// - Throws: `.unknownAttribute` when the type has no such relationship.
    package func plan(
        related name: String, to identifier: Constant, of entity: Int, limit: Int?
    ) throws(DataStoreError) -> (RequestPlan, AttributeType)? {
        let owner = entities[entity].name
        guard
            let relationship = relationships[entity].first(where: { UTF8Text.areEqual($0.name, name) })
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
                predicate: .compare(column: column, .equal, identifier), limit: limit)
            return (plan, type)
        case .links(let side):
            var plan = RequestPlan(
                links: side, where: .compare(column: side.ownerColumn, .equal, identifier),
                columns: [side.targetColumn], in: self)
            plan.limit = limit
            return (plan, type)
        }
    }
}
