import LarderKernel

extension KeyedCall {
    /// Applies the rows that were kept back, which are judged together, and what can only be judged at the end.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.itemNotFound`, `.deletionDenied`, `.invalidValue`.
    func finish() throws(DataStoreError) {
        let leftOver = try self.leftOver.take { item, links in isLeft(item, by: links) }
        var rows = takeHeld()
        var denials: [(denial: Denial, other: WaitingRows.Item)] = []
        if !leftOver.isEmpty {
            let waiting = WaitingRows(rows, leavingOver: leftOver, in: context)
            // First, as rows that wait may take their unique values.
            try deleteLeftOver(following: waiting)
            (rows, denials) = (waiting.staying, waiting.pendingDenials)
        }
        let mutations = rows.filter { $0.isNew || !$0.columns.isEmpty }.map(\.mutation)
        do throws(DataStoreError) {
            if !mutations.isEmpty { try block.pipeline.apply(mutations, in: parts) }
        } catch {
            // The item that has the value may be one that could not be left over.
            if error.code == .uniqueViolation { try self.leftOver.requireOwners() }
            throw error
        }
        for row in rows {
            if let key = key(of: row) { block.pipeline.noteUnshown(key) }
        }
        try Links.writeGivenItems(of: parts)
        try self.leftOver.requireOwners()
        for (denial, other) in denials where try isStored(other) { throw denial.error(in: context.schema) }
        try block.pipeline.judgeAtEnd(parts)
    }

    private func isStored(_ item: WaitingRows.Item) throws(DataStoreError) -> Bool {
        var isFound = false
        let identifier = try context.resources.arena.cell(of: item.identifier)
        try context.forEachRow(at: [identifier], of: item.entity) { isFound = $1 != nil }
        return isFound
    }

    /// Deletes items that are left over, with what goes with them by the delete rules, including rows that wait.
    private func deleteLeftOver(following waiting: WaitingRows) throws(DataStoreError) {
        block.pipeline.followed = waiting
        defer { block.pipeline.followed = nil }
        var next = waiting.takeNext()
        while !next.isEmpty {
            for items in next { try delete(items) }
            next = waiting.takeNext()
            if next.isEmpty {
                // Others may have lost their last owner with these.
                for item in try leftOver.take({ _, _ in nil }) { waiting.go(item) }
                next = waiting.takeNext()
            }
        }
    }

    private func delete(_ items: [WaitingRows.Item]) throws(DataStoreError) {
        let arena = context.resources.arena
        for part in items.chunks(ofCount: WriteBlock.batchSize) {
            arena.reset()
            var mutations: [RowMutation] = []
            for item in part {
                let cell = try arena.cell(of: item.identifier)
                mutations.append(try RowMutation.deleting(cell, entity: item.entity, in: arena))
            }
            let keys = mutations.compactMap { $0.key(in: context.resources) }
            try block.pipeline.apply(mutations, in: parts)
            for key in keys { block.pipeline.noteUnshown(key) }
        }
    }
}
