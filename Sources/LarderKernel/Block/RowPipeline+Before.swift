/// The parts of change sets that only the rows before some mutations show.
struct StateBefore {
    /// The identifiers of the rows that a `deleteAll` is about to delete, by its position.
    var deleted: [Int: [AnyItemID]] = [:]
    /// The items at the other ends of relationships that are about to change.
    var related: [RelatedChange] = []

    /// An item whose relationship changes because a row that refers to it does.
    struct RelatedChange {
        /// The position of the mutation.
        let position: Int
        let key: ItemKey
        /// The number of the relationship in its item type.
        let relationship: Int
        /// True if the item may have been deleted long ago.
        let mayBeGone: Bool
    }
}

extension RowPipeline {
    /// Reads what a change set needs to know of the rows that mutations are about to change.
    func state(before mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> StateBefore {
        var state = StateBefore()
        let ofStored = try changesOfStored(mutations)
        for position in mutations.indices {
            let mutation = mutations[position]
            switch mutation.kind {
            case .insert:
                for reference in shownReferences(of: mutation) {
                    add(mutation.cells[reference.column], of: reference, position, to: &state.related)
                }
            case .update, .delete: state.related += ofStored[position] ?? []
            case .deleteAll: try addAll(mutation.entity, shownReferences(of: mutation), position, &state)
            }
        }
        if state.related.contains(where: \.mayBeGone) { try keepStored(&state.related) }
        return state
    }

    /// The references of a mutation that items at the other end show.
    private func shownReferences(of mutation: RowMutation) -> [ReferenceGraph.Reference] {
        let references = rules.graph.references[mutation.entity].filter { $0.shownAs != nil }
        guard mutation.kind == .update else { return references }
        let isLink = resources.schema.entities[mutation.entity].isLink
        // A link that moves in its order changes the relationship of its owner.
        return references.filter {
            mutation.columns.contains($0.column) || isLink && $0.column == LinkEntity.source
        }
    }

    /// The changes at the other ends of updated and deleted rows, by the positions of the mutations.
    private func changesOfStored(
        _ mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [Int: [StateBefore.RelatedChange]] {
        var wanted: [Int: [Int]] = [:]
        for position in mutations.indices {
            let mutation = mutations[position]
            guard mutation.kind == .update || mutation.kind == .delete,
                !shownReferences(of: mutation).isEmpty
            else { continue }
            wanted[mutation.entity, default: []].append(position)
        }
        var changes: [Int: [StateBefore.RelatedChange]] = [:]
        for (entity, positions) in wanted {
            try context.forEachRow(at: positions.map { mutations[$0].cells[0] }, of: entity) { number, old in
                guard let old else { return }
                let position = positions[number]
                changes[position] = self.changes(by: mutations[position], of: old, position)
            }
        }
        return changes
    }

    /// The changes at the other ends of a stored row.
    private func changes(
        by mutation: RowMutation, of old: UnsafePointer<Cell>, _ position: Int
    ) -> [StateBefore.RelatedChange] {
        var changes: [StateBefore.RelatedChange] = []
        for reference in shownReferences(of: mutation) {
            let (before, after) = (old[reference.column], mutation.cells)
            let isSet = mutation.kind == .update && mutation.columns.contains(reference.column)
            if isSet, before.hasSameBytes(as: after[reference.column]) { continue }
            add(before, of: reference, position, isOld: true, to: &changes)
            if isSet { add(after[reference.column], of: reference, position, to: &changes) }
        }
        return changes
    }

    private func addAll(
        _ entity: Int, _ references: [ReferenceGraph.Reference], _ position: Int, _ state: inout StateBefore
    ) throws(DataStoreError) {
        let schema = resources.schema.entities[entity]
        let plan = RequestPlan(
            entity: entity, schema: schema, columns: .some([0] + references.map(\.column)))
        var identifiers: [AnyItemID] = []
        let scan = try context.rows(of: plan)
        defer { scan.close() }
        while try scan.next() {
            if let identifier = AnyItemID(scan.cells[0], type: schema.attributes[0].type) {
                identifiers.append(identifier)
            }
            for (number, reference) in references.enumerated() {
                add(scan.cells[number + 1], of: reference, position, isOld: true, to: &state.related)
            }
        }
        state.deleted[position] = identifiers
    }

    private func add(
        _ cell: Cell, of reference: ReferenceGraph.Reference, _ position: Int, isOld: Bool = false,
        to changes: inout [StateBefore.RelatedChange]
    ) {
        let type = resources.schema.entities[reference.target].attributes[0].type
        guard let number = reference.shownAs, let identifier = AnyItemID(cell, type: type) else { return }
        // In a child, all that it has staged may lead to an item that its parent has deleted since.
        let mayDangle = reference.mayDangle || context.store.parent != nil
        changes.append(
            StateBefore.RelatedChange(
                position: position, key: ItemKey(entity: reference.target, identifier: identifier),
                relationship: number, mayBeGone: isOld && mayDangle))
    }

    /// Drops the items that no longer exist.
    private func keepStored(_ related: inout [StateBefore.RelatedChange]) throws(DataStoreError) {
        let arena = RowArena(chunkBytes: 1024)
        var gone: Set<ItemKey> = []
        let doubted = Set(related.lazy.filter(\.mayBeGone).map(\.key))
        for (entity, keys) in Dictionary(grouping: doubted, by: \.entity) {
            var identifiers: [Cell] = []
            for key in keys { identifiers.append(try key.identifier.encode(in: arena)) }
            try context.forEachRow(at: identifiers, of: entity) { position, row in
                if row == nil { gone.insert(keys[position]) }
            }
        }
        related.removeAll { $0.mayBeGone && gone.contains($0.key) }
    }
}
