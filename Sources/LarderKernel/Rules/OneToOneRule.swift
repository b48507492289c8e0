/// Frees the present holder of a one-to-one relationship when another item refers to its target.
///
/// A holder that cannot be freed, as its reference is required, keeps others away, unless it gives its target
/// up in the same list. If several items in one list refer to one target, the last one gets it, as if each
/// had been stored by itself.
struct OneToOneRule: RowRule {
    private let graph: ReferenceGraph
    private let concerned: Set<ObjectIdentifier>

    init(_ graph: ReferenceGraph, of schema: StoreSchema) {
        self.graph = graph
        concerned = Set(
            schema.entities.indices.filter { !graph.oneToOnes[$0].isEmpty }
                .map { ObjectIdentifier(schema.entities[$0]) })
    }

    func concerns(_ entity: EntitySchema) -> Bool { concerned.contains(ObjectIdentifier(entity)) }

    /// - Throws: `.uniqueViolation` naming the holder that cannot be freed.
    func mutations(
        following mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [RowMutation] {
        var added: [RowMutation] = []
        var seen: Set<Int> = []
        for position in mutations.indices where seen.insert(mutations[position].entity).inserted {
            for reference in graph.oneToOnes[mutations[position].entity] {
                let change = OneToOneChange(reference: reference, reading: reading)
                added += try change.mutations(freeingHolders: mutations)
            }
        }
        return added
    }

    /// The other holders of what some mutations refer to, once these are applied.
    func clashes(
        of mutations: UnsafeBufferPointer<RowMutation>, in reading: RuleReading
    ) throws(DataStoreError) -> [OneToOneClash] {
        var clashes: [OneToOneClash] = []
        for entity in graph.oneToOnes.indices {
            for reference in graph.oneToOnes[entity] {
                clashes += try OneToOneChange(reference: reference, reading: reading).clashes(in: mutations)
            }
        }
        return clashes
    }
}

/// The changes of one column that no two rows may share.
private struct OneToOneChange {
    let reference: ReferenceGraph.Reference
    let reading: RuleReading

    private var schema: EntitySchema { reading.schema.entities[reference.entity] }

    func mutations(
        freeingHolders mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [RowMutation] {
        let storage = schema.storage(ofColumn: reference.column)
        // The value of each row that the list changes; nil for one that it deletes or frees.
        var values: [Constant: Constant?] = [:]
        var winners: [Constant: Constant] = [:]
        var order: [Constant] = []
        var deletesAll = false
        for position in mutations.indices where mutations[position].entity == reference.entity {
            let mutation = mutations[position]
            if mutation.kind == .deleteAll {
                deletesAll = true
                continue
            }
            let row = Constant(mutation.cells[0], storage: schema.storage(ofColumn: 0))
            if mutation.sets(reference.column) {
                let value = Constant(mutation.cells[reference.column], storage: storage)
                if values.updateValue(value, forKey: row) == nil { order.append(row) }
                winners[value] = row
            } else if mutation.kind != .update || mutation.columns.contains(reference.column) {
                values[row] = .some(nil)
            }
        }
        if winners.isEmpty { return [] }
        var freed: [(row: Constant, value: Constant)] = []
        for row in order {
            if let value = values[row] ?? nil, winners[value] != row { freed.append((row, value)) }
        }
        if !deletesAll {
            freed += try holders(of: Array(winners.keys)).filter { row, value in
                values[row] == nil && winners[value] != row
            }
        }
        var added: [RowMutation] = []
        for (row, value) in freed { added.append(try mutation(freeing: row, of: value)) }
        return added
    }

    func clashes(
        in mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [OneToOneClash] {
        let storage = schema.storage(ofColumn: reference.column)
        var claims: [Constant: (position: Int, row: Constant)] = [:]
        for position in mutations.indices where mutations[position].entity == reference.entity {
            let mutation = mutations[position]
            guard mutation.sets(reference.column) else { continue }
            let row = Constant(mutation.cells[0], storage: schema.storage(ofColumn: 0))
            claims[Constant(mutation.cells[reference.column], storage: storage)] = (position, row)
        }
        if claims.isEmpty { return [] }
        return try holders(of: Array(claims.keys)).compactMap { row, value in
            guard let claim = claims[value], claim.row != row else { return nil }
            return OneToOneClash(position: claim.position, reference: reference, holder: row)
        }
    }

    /// The rows that hold some values in the store.
    private func holders(
        of values: [Constant]
    ) throws(DataStoreError) -> [(row: Constant, value: Constant)] {
        let storage = schema.storage(ofColumn: reference.column)
        var holders: [(row: Constant, value: Constant)] = []
        for part in values.sortedAndDistinct(storage).plannedParts {
            let plan = RequestPlan(
                entity: reference.entity, schema: schema, columns: .some([0, reference.column]),
                predicate: .oneOf(part, inColumn: reference.column))
            try reading.forEachRow(of: plan) { cells throws(DataStoreError) in
                holders.append(
                    (
                        Constant(cells[0], storage: schema.storage(ofColumn: 0)),
                        Constant(cells[1], storage: storage)
                    ))
            }
        }
        return holders
    }

    private func mutation(
        freeing row: Constant, of value: Constant
    ) throws(DataStoreError) -> RowMutation {
        guard reference.isOptional else {
            let holder = row.withCell { AnyItemID($0, type: schema.attributes[0].type) }
            let target = value.withCell { AnyItemID($0, type: schema.attributes[reference.column].type) }
            throw DataStoreError(
                .uniqueViolation,
                """
                The item \(holder.map(\.description) ?? "nil") already has the \(reference.names.attribute) \
                \(target.map(\.description) ?? "nil").
                """,
                advice: "Give that item another \(reference.names.attribute) first, or in the same call.",
                itemType: schema.name, attribute: reference.names.attribute, identifier: holder)
        }
        let cells = try reading.arena.makeCells(schema.attributes.count)
        cells[0] = try reading.arena.cell(of: row)
        return RowMutation(
            .update, entity: reference.entity, cells: cells, columns: ColumnSet([reference.column]))
    }
}
