import LarderKernel

// Consequences of a change that is not merged are not merged either, though rules have made them in the child: the
// parent keeps an item with what would go with it and with the references to it, and a one-to-one relationship keeps its holder.

extension MergeRun {
    /// Notes the targets of one-to-one references that a row of the child has got.
    func noteGiven(_ item: ThreeRows) {
        guard let child = item.child else { return }
        for reference in graph.oneToOnes[item.entity] where !child[reference.column].isNull {
            let cell = child[reference.column]
            if let base = item.base, base[reference.column].hasSameBytes(as: cell) { continue }
            given.insert(self.reference(cell, item.entity, reference.column))
        }
    }

    /// Notes the references that the last change makes nil, as the child has done with the item.
    ///
    /// If the parent has changed one as well, the policy has decided about it.
    func noteFreeings(_ item: ThreeRows) throws(DataStoreError) {
        guard let base = item.base, let parent = item.parent else { return }
        let (position, change) = (changes.count - 1, changes[changes.count - 1])
        for reference in graph.references[item.entity] {
            let column = reference.column
            guard change.columns.contains(column), change.cells[column].isNull, !base[column].isNull,
                item.schema.isUnchanged(at: column, from: base[column], to: parent[column])
            else { continue }
            let isSet = try readLast(base[0], of: item.entity) && !lastRow.start[column].isNull
            guard let target = reference.row(isSet ? lastRow.start[column] : base[column], in: schema) else {
                continue
            }
            let isByRule = graph.consequences[target.entity].contains { consequence in
                guard case .nullify = consequence.action else { return false }
                return consequence.reference.entity == item.entity && consequence.reference.column == column
            }
            freeings.append(
                Freeing(
                    position: position, column: column, target: target,
                    base: reference.row(base[column], in: schema), isByRule: isByRule))
        }
    }

    /// Reads the last version of an item, into ``lastRow``; false if the child has none.
    private func readLast(_ identifier: Cell, of entity: Int) throws(DataStoreError) -> Bool {
        guard let last = staging.last(of: entity) else { return false }
        return try staged.row(at: identifier, of: last, into: lastRow.start)
    }

    /// Leaves out what has followed from what is left out.
    func leaveFollowers() throws(DataStoreError) {
        var dropped: Set<Int> = []
        if !kept.isEmpty || !unseen.isEmpty {
            let followers = try followed.followers(of: kept.keys)
            let ofUnseen = try followed.followers(of: unseen)
            let isDecided = kept.values.contains(true)
            for (position, change) in changes.enumerated() where change.kind == .delete {
                let key = key(of: change)
                if followers.contains(key) {
                    kept[key] = isDecided
                } else if ofUnseen.contains(key) {
                    unseen.insert(key)
                } else {
                    continue
                }
                dropped.insert(position)
                if let conflict = won[key] { overruled.insert(conflict) }
            }
        }
        if !freeings.isEmpty {
            try noteGivenToKept()
            leaveFreeings(&dropped)
        }
        if dropped.isEmpty { return }
        changes = changes.enumerated().filter { !dropped.contains($0.offset) }.map(\.element)
    }

    /// Notes the targets that rows had got which the child has deleted then and the parent keeps.
    private func noteGivenToKept() throws(DataStoreError) {
        let base = CellBuffer(count: staging.schema.rowWidth)
        for row in kept.keys where !graph.oneToOnes[row.entity].isEmpty {
            let isKnown = try row.identifier.withCell { cell throws(DataStoreError) in
                let hasBase = try staged.row(at: cell, of: staging.base(of: row.entity), into: base.start)
                return try readLast(cell, of: row.entity) && hasBase
            }
            if !isKnown { continue }
            for column in graph.oneToOnes[row.entity].map(\.column) {
                let cell = lastRow.start[column]
                // One that it had before was taken from no other row.
                if cell.isNull || base.start[column].hasSameBytes(as: cell) { continue }
                given.insert(reference(cell, row.entity, column))
            }
        }
    }

    private func leaveFreeings(_ dropped: inout Set<Int>) {
        var taken: Set<Reference> = []
        var gone: Set<RowKey> = []
        for (position, change) in changes.enumerated() {
            if change.kind == .delete, !dropped.contains(position) { gone.insert(key(of: change)) }
            for reference in graph.oneToOnes[change.entity]
            where change.kind != .delete && change.sets(reference.column) {
                taken.insert(self.reference(change.cells[reference.column], change.entity, reference.column))
            }
        }
        for freeing in freeings {
            let entity = changes[freeing.position].entity
            func reference(to target: RowKey) -> Reference {
                Reference(entity: entity, column: freeing.column, target: target.identifier)
            }
            // With an item that both sides have inserted stays what referred to it in the parent.
            let isKept =
                kept[freeing.target] != nil
                || freeing.target == freeing.base && unseen.contains(freeing.target)
            let isGiven = given.contains(reference(to: freeing.target))
            guard freeing.isByRule && isKept || isGiven && !taken.contains(reference(to: freeing.target))
            else { continue }
            // The parent's target is perhaps another one, which the child has given away or deleted.
            let base = freeing.base
            if let base, gone.contains(base) || taken.contains(reference(to: base)) { continue }
            changes[freeing.position].columns.remove(freeing.column)
            if changes[freeing.position].columns.isEmpty { dropped.insert(freeing.position) }
        }
    }

    /// Frees the holders whose targets the policy gives to rows of the child.
    func freeHolders() throws(DataStoreError) {
        if decisions.freed.isEmpty { return }
        var positions: [RowKey: Int] = [:]
        for (position, change) in changes.enumerated() { positions[key(of: change)] = position }
        for (row, column, taker) in decisions.freed where !decisions.isLeft(column, of: taker) {
            if let position = positions[row] {
                changes[position].cells[column] = .null
                if changes[position].kind == .update { changes[position].columns.insert(column) }
                continue
            }
            let cells = try arena.makeCells(schema.entities[row.entity].attributes.count)
            cells[0] = try arena.cell(of: row.identifier)
            positions[row] = changes.count
            changes.append(
                MergedChange(
                    .update, entity: row.entity, cells: cells, columns: ColumnSet([column])))
        }
    }

    private func reference(_ cell: Cell, _ entity: Int, _ column: Int) -> Reference {
        let storage = schema.entities[entity].storage(ofColumn: column)
        return Reference(entity: entity, column: column, target: Constant(cell, storage: storage))
    }
}
