/// Refuses a second item with the same value of a unique attribute, before anything is written.
///
/// Uniqueness is judged on the state after all mutations of one list, so values may be swapped in one flush;
/// nil never clashes (contract rule 11). Written once for all engines: their indexes only make it fast.
// UniqueClash answers another question, which pair of all stored items clashes first, and walks the whole
// index for it. A write asks for the holder of one value, which is one look-up, and its error says who holds
// it.
struct UniquenessRule: RowRule {
    // Links are looked up before they are added, a hundred pairs at a time.
    func concerns(_ entity: EntitySchema) -> Bool { entity.hasUniqueIndex && !entity.isLink }

    /// - Throws: `.uniqueViolation` naming the item that holds the value.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation] {
        let check = UniquenessCheck(reading: reading)
        if mutations.count == 1 { try check.check(mutations[0]) } else { try check.check(mutations) }
        return []
    }

    /// A value that one mutation of a list takes and another item holds.
    struct Clash {
        let position: Int
        let columns: [Int]
        let holder: AnyItemID
    }

    /// All that ``mutations(following:in:)`` would refuse, one for each index of each mutation.
    func clashes(
        of mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [Clash] {
        try UniquenessCheck(reading: reading).clashes(of: mutations)
    }
}

private struct UniquenessCheck {
    let reading: RuleReading

    /// The values of one unique index that an item takes for itself.
    private struct Claim: Hashable {
        let entity: Int
        let index: IndexSchema
        let values: [Constant]
    }

    func check(_ mutation: RowMutation) throws(DataStoreError) {
        for claim in claims(of: mutation) {
            if let holder = try holder(
                of: claim, besides: identifier(of: mutation), isReleased: { _ in false })
            {
                throw violation(claim, holder: holder)
            }
        }
    }

    func check(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) {
        try examine(mutations) { claim, _, holder throws(DataStoreError) in
            throw violation(claim, holder: holder)
        }
    }

    func clashes(
        of mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [UniquenessRule.Clash] {
        var clashes: [UniquenessRule.Clash] = []
        try examine(mutations) { claim, position, holder in
            clashes.append(
                UniquenessRule.Clash(position: position, columns: claim.index.columns, holder: holder))
        }
        return clashes.sorted { $0.position < $1.position }
    }

    /// Calls the body for each value that a mutation takes and another item of the list or the store holds.
    private func examine(
        _ mutations: UnsafeBufferPointer<RowMutation>,
        _ body: (Claim, _ position: Int, _ holder: AnyItemID) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        var holders: [Claim: (identifier: AnyItemID, position: Int)] = [:]
        var released: [ItemKey: Set<IndexSchema>] = [:]
        for position in mutations.indices {
            let mutation = mutations[position]
            let entity = reading.schema.entities[mutation.entity]
            guard entity.hasUniqueIndex, !entity.isLink, let identifier = identifier(of: mutation) else {
                continue
            }
            let key = ItemKey(entity: mutation.entity, identifier: identifier)
            if mutation.kind != .insert {
                released[key, default: []].formUnion(uniqueIndexes(of: mutation))
            }
            for claim in claims(of: mutation) {
                if let other = holders.updateValue((identifier, position), forKey: claim),
                    other.identifier != identifier
                {
                    try body(claim, position, other.identifier)
                }
            }
        }
        for (claim, claimant) in holders {
            let holder = try holder(of: claim, besides: claimant.identifier) { holder in
                released[ItemKey(entity: claim.entity, identifier: holder)]?.contains(claim.index) ?? false
            }
            if let holder { try body(claim, claimant.position, holder) }
        }
    }

    /// The unique indexes whose values a mutation may change.
    private func uniqueIndexes(of mutation: RowMutation) -> [IndexSchema] {
        reading.schema.entities[mutation.entity].indexes.filter { index in
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
            if mutation.kind == .insert, let free = reading.freeColumn, free.entity == mutation.entity,
                index.columns == [free.column]
            {
                return nil
            }
            let schema = reading.schema.entities[mutation.entity]
            let values = index.columns.map { column in
                Constant(mutation.cells[column], storage: schema.storage(ofColumn: column))
            }
            if values.contains(where: \.isNull) { return nil }
            return Claim(entity: mutation.entity, index: index, values: values)
        }
    }

    /// Another item in the store that holds the values and does not give them up in the same list.
    private func holder(
        of claim: Claim, besides identifier: AnyItemID?, isReleased: (AnyItemID) -> Bool
    ) throws(DataStoreError) -> AnyItemID? {
        let schema = reading.schema.entities[claim.entity]
        let parts = zip(claim.index.columns, claim.values).map { column, value in
            RowPredicate.compare(column: column, .equal, value)
        }
        let plan = RequestPlan(
            entity: claim.entity, schema: schema, columns: .some([0]),
            predicate: parts.count == 1 ? parts[0] : .all(parts), limit: 2)
        let cells = reading.resources.cells
        let cursor: any RowCursor
        do {
            cursor = try reading.snapshot.rows(for: plan)
        } catch {
            throw error.about(itemType: schema.name, request: plan.description)
        }
        defer { cursor.close() }
        while try cursor.next(into: cells) {
            guard let holder = AnyItemID(cells[0], type: schema.attributes[0].type) else { continue }
            if holder != identifier, !isReleased(holder) { return holder }
        }
        return nil
    }

    private func identifier(of mutation: RowMutation) -> AnyItemID? {
        mutation.key(in: reading.resources)?.identifier
    }

    private func violation(_ claim: Claim, holder: AnyItemID) -> DataStoreError {
        let schema = reading.schema.entities[claim.entity]
        let names = claim.index.columns.map { schema.attributes[$0].name }
        let values = zip(names, claim.values).map { "\($0) \($1)" }.joined(separator: " and ")
        return DataStoreError(
            .uniqueViolation, "The item \(holder) already has the \(values).", itemType: schema.name,
            attribute: names.joined(separator: ", "), identifier: holder)
    }
}
