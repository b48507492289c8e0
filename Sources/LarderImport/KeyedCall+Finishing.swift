import LarderKernel

extension KeyedCall {
    /// Applies the rows that were kept back, which are judged together, and what can only be judged at the end.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.itemNotFound`.
    func finish() throws(DataStoreError) {
        var rows = takeHeld()
        // Rows that wait may take their unique values. Items that wait themselves are not decided yet, nor owners that
        // could take stored rows of these with them.
        let undecided = formerOwners.union(rows.compactMap { key(of: $0) })
        for (entity, identifiers) in try deleteLeftOver(besides: undecided) {
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
        for row in rows {
            if let key = key(of: row) { block.pipeline.noteUnshown(key) }
        }
        _ = try deleteLeftOver(besides: [])
        try Links.writeGivenItems(of: parts)
        try block.pipeline.judgeAtEnd(parts)
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
