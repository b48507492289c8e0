/// Refuses a second item with the same value of a unique attribute, before anything is written.
///
/// Uniqueness is judged on the state after all mutations of one call, so values may be swapped in one flush;
/// nil never clashes (contract rule 11). Written once for all engines: their indexes only make it fast.
struct UniquenessCheck {
    let context: WriteContext

    /// The values of one unique index that an item takes for itself.
    private struct Claim: Hashable {
        let entity: Int
        let index: IndexSchema
        let values: [Constant]
    }

    /// - Throws: `.uniqueViolation` naming the item that holds the value.
    func check(_ mutation: RowMutation) throws(DataStoreError) {
        guard context.schema.entities[mutation.entity].hasUniqueIndex else { return }
        for claim in claims(of: mutation) {
            try require(claim, for: identifier(of: mutation)) { _ in false }
        }
    }

    /// The same for several mutations that are applied together.
    ///
    /// - Throws: `.uniqueViolation` naming the item that holds the value.
    func check(_ mutations: [RowMutation]) throws(DataStoreError) {
        guard mutations.contains(where: { context.schema.entities[$0.entity].hasUniqueIndex }) else { return }
        try checkTogether(mutations)
    }

    private func checkTogether(_ mutations: [RowMutation]) throws(DataStoreError) {
        var holders: [Claim: AnyItemID] = [:]
        var released: [ItemKey: Set<IndexSchema>] = [:]
        for mutation in mutations {
            guard let identifier = identifier(of: mutation) else { continue }
            let key = ItemKey(entity: mutation.entity, identifier: identifier)
            if mutation.kind != .insert {
                released[key, default: []].formUnion(uniqueIndexes(of: mutation))
            }
            for claim in claims(of: mutation) {
                if let other = holders.updateValue(identifier, forKey: claim), other != identifier {
                    throw violation(claim, holder: other)
                }
            }
        }
        for (claim, identifier) in holders {
            try require(claim, for: identifier) { holder in
                released[ItemKey(entity: claim.entity, identifier: holder)]?.contains(claim.index) ?? false
            }
        }
    }

    /// The unique indexes whose values a mutation may change.
    private func uniqueIndexes(of mutation: RowMutation) -> [IndexSchema] {
        context.schema.entities[mutation.entity].indexes.filter { index in
            guard index.isUnique else { return false }
            switch mutation.kind {
            case .insert, .delete, .deleteAll: return true
            case .update: return index.columns.contains { mutation.columns.contains($0) }
            }
        }
    }

    private func claims(of mutation: RowMutation) -> [Claim] {
        guard mutation.kind == .insert || mutation.kind == .update else { return [] }
        return uniqueIndexes(of: mutation).compactMap { index in
            let schema = context.schema.entities[mutation.entity]
            let values = index.columns.map { column in
                Constant(mutation.cells[column], storage: schema.storage(ofColumn: column))
            }
            if values.contains(where: \.isNull) { return nil }
            return Claim(entity: mutation.entity, index: index, values: values)
        }
    }

    /// Checks that nobody in the store holds the values but the item itself, or one that lets go of them.
    private func require(
        _ claim: Claim, for identifier: AnyItemID?, isReleased: (AnyItemID) -> Bool
    ) throws(DataStoreError) {
        let schema = context.schema.entities[claim.entity]
        let parts = zip(claim.index.columns, claim.values).map { column, value in
            RowPredicate.compare(column: column, .equal, value)
        }
        let plan = RequestPlan(
            entity: claim.entity, schema: schema, columns: .some([0]),
            predicate: parts.count == 1 ? parts[0] : .all(parts), limit: 2)
        let scan = try context.scan(plan)
        defer { scan.close() }
        while try scan.next() {
            guard let holder = AnyItemID(scan.cells[0], type: schema.attributes[0].type) else { continue }
            if holder != identifier, !isReleased(holder) { throw violation(claim, holder: holder) }
        }
    }

    private func identifier(of mutation: RowMutation) -> AnyItemID? {
        guard mutation.kind != .deleteAll else { return nil }
        let type = context.schema.entities[mutation.entity].attributes[0].type
        return AnyItemID(mutation.cells[0], type: type)
    }

    private func violation(_ claim: Claim, holder: AnyItemID) -> DataStoreError {
        let schema = context.schema.entities[claim.entity]
        let names = claim.index.columns.map { schema.attributes[$0].name }
        let values = zip(names, claim.values).map { "\($0) \($1)" }.joined(separator: " and ")
        return DataStoreError(
            .uniqueViolation, "The item \(holder) holds the \(values) already.", itemType: schema.name,
            attribute: names.joined(separator: ", "), identifier: holder)
    }
}
