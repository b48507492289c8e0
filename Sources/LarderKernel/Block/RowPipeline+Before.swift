/// The things that change sets tell of some mutations and that only the rows before them know.
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
        /// The number of the relationship among those of its item type.
        let relationship: Int
        /// True if the item may have been deleted long ago.
        let mayBeGone: Bool
    }
}

extension RowPipeline {
    /// Reads what a change set needs to know of the rows that mutations are about to change.
    func state(before mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> StateBefore {
        var state = StateBefore()
        for position in mutations.indices {
            let mutation = mutations[position]
            let references = rules.graph.references[mutation.entity].filter { $0.shownAs != nil }
            switch mutation.kind {
            case .insert:
                for reference in references {
                    add(mutation.cells[reference.column], of: reference, position, &state)
                }
            case .update:
                if !references.isEmpty { try addUpdate(mutation, references, position, &state) }
            case .delete:
                guard !references.isEmpty, let old = try row(of: mutation) else { continue }
                for reference in references {
                    add(old[reference.column], of: reference, position, isOld: true, &state)
                }
            case .deleteAll: try addAll(mutation.entity, references, position, &state)
            }
        }
        if state.related.contains(where: \.mayBeGone) { try keepStored(&state.related) }
        return state
    }

    private func addUpdate(
        _ mutation: RowMutation, _ references: [ReferenceGraph.Reference], _ position: Int,
        _ state: inout StateBefore
    ) throws(DataStoreError) {
        let isLink = resources.schema.entities[mutation.entity].isLink
        // A link that moves in its order changes the relationship of its owner.
        let changed = references.filter {
            mutation.columns.contains($0.column) || isLink && $0.column == LinkEntity.source
        }
        if changed.isEmpty { return }
        guard let old = try row(of: mutation) else { return }
        for reference in changed {
            let isSet = mutation.columns.contains(reference.column)
            if isSet, old[reference.column].hasSameBytes(as: mutation.cells[reference.column]) { continue }
            add(old[reference.column], of: reference, position, isOld: true, &state)
            if isSet { add(mutation.cells[reference.column], of: reference, position, &state) }
        }
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
                add(scan.cells[number + 1], of: reference, position, isOld: true, &state)
            }
        }
        state.deleted[position] = identifiers
    }

    private func add(
        _ cell: Cell, of reference: ReferenceGraph.Reference, _ position: Int, isOld: Bool = false,
        _ state: inout StateBefore
    ) {
        let type = resources.schema.entities[reference.target].attributes[0].type
        guard let number = reference.shownAs, let identifier = AnyItemID(cell, type: type) else { return }
        state.related.append(
            StateBefore.RelatedChange(
                position: position, key: ItemKey(entity: reference.target, identifier: identifier),
                relationship: number, mayBeGone: isOld && reference.mayDangle))
    }

    /// Drops the items that no longer exist.
    private func keepStored(_ related: inout [StateBefore.RelatedChange]) throws(DataStoreError) {
        let arena = RowArena(chunkBytes: 1024)
        var stored: [StateBefore.RelatedChange] = []
        for change in related {
            if change.mayBeGone {
                arena.reset()
                let identifier = try change.key.identifier.encode(in: arena)
                guard try context.findRow(at: identifier, of: change.key.entity) != nil else { continue }
            }
            stored.append(change)
        }
        related = stored
    }

    /// The stored row of a mutation; nil where there is none.
    private func row(of mutation: RowMutation) throws(DataStoreError) -> UnsafePointer<Cell>? {
        let isFound = try context.withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.row(at: mutation.cells[0], of: mutation.entity, into: resources.cells)
        }
        return isFound ? UnsafePointer(resources.cells) : nil
    }
}
