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
    func noteFreeings(_ item: ThreeRows) {
        guard let base = item.base, let parent = item.parent else { return }
        let (position, change) = (changes.count - 1, changes[changes.count - 1])
        for reference in graph.references[item.entity] {
            let column = reference.column
            guard change.columns.contains(column), change.cells[column].isNull,
                let target = reference.row(base[column], in: schema),
                item.schema.isUnchanged(at: column, from: base[column], to: parent[column])
            else { continue }
            let isByRule = graph.consequences[target.entity].contains { consequence in
                guard case .nullify = consequence.action else { return false }
                return consequence.reference.entity == item.entity && consequence.reference.column == column
            }
            freeings.append(
                Freeing(position: position, column: column, target: target, isByRule: isByRule))
        }
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
        let cells = CellBuffer(count: staging.schema.rowWidth)
        for row in kept.keys where !graph.oneToOnes[row.entity].isEmpty {
            guard let last = staging.last(of: row.entity) else { continue }
            let isKnown = try row.identifier.withCell { cell throws(DataStoreError) in
                try staged.row(at: cell, of: last, into: cells.start)
            }
            if !isKnown { continue }
            for reference in graph.oneToOnes[row.entity] where !cells.start[reference.column].isNull {
                given.insert(self.reference(cells.start[reference.column], row.entity, reference.column))
            }
        }
    }

    private func leaveFreeings(_ dropped: inout Set<Int>) {
        var taken: Set<Reference> = []
        for change in changes where change.kind != .delete {
            for reference in graph.oneToOnes[change.entity]
            where change.sets(reference.column) {
                taken.insert(self.reference(change.cells[reference.column], change.entity, reference.column))
            }
        }
        for freeing in freeings {
            let entity = changes[freeing.position].entity
            let reference = Reference(
                entity: entity, column: freeing.column, target: freeing.target.identifier)
            let isKept = freeing.isByRule && staysInParent(freeing.target)
            guard isKept || given.contains(reference) && !taken.contains(reference) else { continue }
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
