import LarderKernel

extension KeyedCall {
    /// Applies the rows that were kept back, which are judged together, and what can only be judged at the end.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.itemNotFound`.
    func finish() throws(DataStoreError) {
        let leftOver = try self.leftOver.take { item, links in isHeld(item, by: links) }
        var rows = takeHeld()
        // First, as rows that wait may take their unique values.
        let unwritten = try delete(leftOver, &rows)
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
        // Stored items and links may refer to new rows that have to go, and delete rules follow written rows only. If
        // others have the unique values of such a row by now, it is refused.
        for (entity, rows) in grouped(unwritten) {
            let insertions = rows.map { RowMutation(.insert, entity: entity, cells: $0.cells) }
            _ = try block.pipeline.applyUnrefused(insertions, free: [], of: entity, in: parts)
            try delete(identifiers(of: rows), of: entity)
        }
        try Links.writeGivenItems(of: parts)
        try block.pipeline.judgeAtEnd(parts)
    }

    /// Deletes items that are left over, with what goes with them by the delete rules, including rows that wait.
    ///
    /// - Returns: The new rows among those that go.
    private func delete(
        _ leftOver: [(entity: Int, identifiers: [AnyItemID])], _ rows: inout [HeldRow]
    ) throws(DataStoreError) -> [HeldRow] {
        if leftOver.isEmpty { return [] }
        let waiting = WaitingRows(rows, in: context)
        parts.ask(waiting)
        defer { waiting.end() }
        var unwritten: [HeldRow] = []
        var deleted = leftOver
        while !deleted.isEmpty {
            for (entity, identifiers) in deleted { try delete(identifiers, of: entity) }
            let going = waiting.follow(deleted, in: &rows)
            unwritten += going.filter(\.isNew)
            deleted = grouped(going).map { (entity: $0.key, identifiers: identifiers(of: $0.value)) }
        }
        return unwritten
    }

    private func delete(_ identifiers: [AnyItemID], of entity: Int) throws(DataStoreError) {
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

    /// Rows by their item types.
    private func grouped(_ rows: [HeldRow]) -> [(key: Int, value: [HeldRow])] {
        Dictionary(grouping: rows, by: \.entity).sorted { $0.key < $1.key }
    }

    private func identifiers(of rows: [HeldRow]) -> [AnyItemID] {
        rows.compactMap { key(of: $0)?.identifier }
    }
}
