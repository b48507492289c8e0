extension RowPipeline {
    /// Applies mutations that delete rows of item types with relationships, and all that follows from them.
    ///
    /// - Parameters:
    ///   - asked: The number of mutations that the caller has asked for, which come first.
    ///   - call: As in ``apply(_:in:knownColumn:)``.
    /// - Returns: The number of rows that those have touched.
    func applyDeleting(
        _ mutations: UnsafeBufferPointer<RowMutation>, asked: Int, in call: UndoneCall?
    ) throws(DataStoreError) -> Int {
        if mutations.count == 1,
            let links = try judging({ reading throws(DataStoreError) in
                try reading.linksGoing(with: mutations[0], by: rules.graph)
            })
        {
            // Links first, as they refer to the rows.
            let list =
                links.map {
                    RowMutation(.deleteAll, entity: $0, cells: resources.cells)
                } + mutations
            return try list.withUnsafeBufferPointer { list throws(DataStoreError) in
                try applyChecked(list, in: call)[list.count - 1]
            }
        }
        func apply(_ call: UndoneCall) throws(DataStoreError) -> Int {
            let waves = call.parts?.waves ?? DeletionWaves(in: self, of: call)
            call.parts?.waves = waves
            let count = try waves.apply(mutations, asked: asked)
            if call.parts == nil { try waves.judge() }
            return count
        }
        if let call { return try apply(call) }
        return try allOrNothing { call throws(DataStoreError) in try apply(call) }.get()
    }
}

extension RuleReading {
    /// The entities whose links all go with the rows of a single deletion, if nothing else follows from it; nil if more does.
    func linksGoing(
        with mutation: RowMutation, by graph: ReferenceGraph
    ) throws(DataStoreError) -> [Int]? {
        guard graph.ownRules[mutation.entity].isEmpty else { return nil }
        let consequences = graph.consequences[mutation.entity]
        if mutation.kind == .delete {
            let storage = schema.entities[mutation.entity].storage(ofColumn: 0)
            let identifier = Constant(mutation.cells[0], storage: storage)
            for consequence in consequences {
                let reference = consequence.reference
                let value = reference.value(of: identifier, in: schema)
                if try contains(.oneOf([value], inColumn: reference.column), of: reference) { return nil }
            }
            return []
        }
        var links: [Int] = []
        // Rows of the item type itself go too.
        for consequence in consequences where consequence.reference.entity != mutation.entity {
            let reference = consequence.reference
            if case .unlink(_, let rule) = consequence.action, rule != .cascade, rule != .deny {
                if !links.contains(reference.entity) { links.append(reference.entity) }
            } else if try contains(
                reference.isOptional ? .isNotNull(column: reference.column) : .always(true), of: reference)
            {
                return nil
            }
        }
        return links
    }

    /// True if any row with a reference passes.
    private func contains(
        _ predicate: RowPredicate, of reference: ReferenceGraph.Reference
    ) throws(DataStoreError) -> Bool {
        var isFound = false
        // In this order an index leads to the first one.
        let plan = RequestPlan(
            entity: reference.entity, schema: schema.entities[reference.entity], columns: .some([0]),
            predicate: predicate,
            order: [RequestPlan.SortTerm(column: reference.column, isAscending: false)], limit: 1)
        try forEachRow(of: plan) { _ in isFound = true }
        return isFound
    }
}
