import LarderKernel

extension KeyedCall {
    /// Applies the rows that were kept back, which are judged together, and what can only be judged at the end.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.itemNotFound`.
    func finish() throws(DataStoreError) {
        var rows = try takeHeld()
        // Rows that wait may take their unique values.
        for (entity, identifiers) in try deleteLeftOver(besides: try undecided(by: rows)) {
            nullify(&rows, referringTo: identifiers, of: entity)
        }
        let mutations = rows.compactMap { row -> RowMutation? in
            if row.isNew { return RowMutation(.insert, entity: row.entity, cells: row.cells) }
            if row.columns.isEmpty { return nil }
            return RowMutation(.update, entity: row.entity, cells: row.cells, columns: row.columns)
        }
        if !mutations.isEmpty {
            try block.pipeline.apply(mutations, in: parts)
        }
        // Rows of one type that wait one after the other, so that links are written in the order of the rows.
        var rest = rows[...]
        while let entity = rest.first?.entity {
            let part = rest.prefix(WriteBlock.batchSize).prefix { $0.entity == entity }
            rest = rest.dropFirst(part.count)
            let keys = part.map { key(of: $0) }
            for case .some(let key) in keys { block.pipeline.noteUnshown(key) }
            let owners = zip(part, keys).compactMap { row, key in
                key.map { Owner(identifier: $0.identifier, items: row.items, isNew: row.isNew) }
            }
            _ = try write(owners, of: entity)
        }
        _ = try deleteLeftOver(besides: [])
        try Links.writeGivenItems(of: parts)
        try block.pipeline.judgeAtEnd(parts)
    }

    /// The items that wait themselves or were given to owners that wait: who has them is not decided yet; and the owners
    /// that could take stored rows of these with them.
    private func undecided(by rows: [HeldRow]) throws(DataStoreError) -> Set<ItemKey> {
        var undecided = formerOwners.union(rows.compactMap { key(of: $0) })
        for row in rows {
            for given in row.items {
                let number = given.assigned.relationship
                let entity = try context.schema.relationship(.number(number), of: row.entity).target
                undecided.formUnion(
                    given.assigned.targets.map { ItemKey(entity: entity, identifier: $0) })
            }
        }
        return undecided
    }

    /// Lets rows that wait refer to none of the items that were just deleted, as the delete rule does in stored ones.
    private func nullify(_ rows: inout [HeldRow], referringTo identifiers: [AnyItemID], of target: Int) {
        let deleted = Set(identifiers.map { Constant($0) })
        for consequence in context.resources.rules.graph.consequences[target] {
            guard case .nullify = consequence.action else { continue }
            let (entity, column) = (consequence.reference.entity, consequence.reference.column)
            let storage = context.resources.schema.entities[entity].storage(ofColumn: column)
            for position in rows.indices where rows[position].entity == entity {
                let row = rows[position]
                guard deleted.contains(Constant(row.cells[column], storage: storage)) else { continue }
                row.cells[column] = .null
                if !row.isNew { rows[position].columns.insert(column) }
            }
        }
    }

    /// Deletes the items that were left over and that no owner has taken since; returns them.
    private func deleteLeftOver(
        besides kept: Set<ItemKey>
    ) throws(DataStoreError) -> [(entity: Int, identifiers: [AnyItemID])] {
        let groups = try leftOver.take(besides: kept)
        for (entity, identifiers) in groups {
            let arena = context.resources.arena
            for start in stride(from: 0, to: identifiers.count, by: WriteBlock.batchSize) {
                let part = identifiers[start..<min(start + WriteBlock.batchSize, identifiers.count)]
                arena.reset()
                var mutations: [RowMutation] = []
                for identifier in part {
                    let cells = try arena.makeCells(1)
                    cells[0] = try identifier.encode(in: arena)
                    mutations.append(RowMutation(.delete, entity: entity, cells: cells))
                }
                try block.pipeline.apply(mutations, in: parts)
            }
            for identifier in identifiers {
                block.pipeline.noteUnshown(ItemKey(entity: entity, identifier: identifier))
            }
        }
        return groups
    }
}
