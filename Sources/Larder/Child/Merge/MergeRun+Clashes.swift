// What only the parent's other items decide: unique values and the targets of references. Judged on the whole
// list, as the parent's pipeline does, but all at once, so that a conflict can be settled.

extension MergeRun {
    /// Settles what the parent's rules would refuse, until nothing is left.
    func settleClashes() throws {
        // Each round drops or changes what has clashed, or else adds a conflict and ends.
        while try settleOnce() {}
    }

    /// - Returns: True if something was settled, so that other changes may clash now.
    private func settleOnce() throws -> Bool {
        let list = live
        if list.isEmpty { return false }
        let mutations = list.map { $0.change.mutation }
        let before = result.conflicts.count
        var hasSettled = false
        for clash in try clashes(in: mutations) {
            let position = list[clash.position].position
            if changes[position].isDropped { continue }
            if try settle(clash, at: position) { hasSettled = true }
        }
        return hasSettled && result.conflicts.count == before
    }

    /// A mutation that the parent's rules would refuse.
    private struct Clash {
        let position: Int
        let kind: MergeConflict.Kind
        let columns: [Int]
    }

    private func clashes(in mutations: [RowMutation]) throws(DataStoreError) -> [Clash] {
        let schema = self.schema
        return try mutations.withUnsafeBufferPointer { mutations throws(DataStoreError) in
            try block.pipeline.asking { reading throws(DataStoreError) in
                var clashes: [Clash] = []
                for clash in try UniquenessRule().clashes(of: mutations, in: reading) {
                    let names = clash.columns.map {
                        schema.entities[mutations[clash.position].entity].attributes[$0].name
                    }
                    clashes.append(
                        Clash(
                            position: clash.position,
                            kind: .notUnique(
                                attribute: names.joined(separator: ", "), holder: clash.holder),
                            columns: clash.columns))
                }
                if reading.resources.rules.graph.isEmpty { return clashes }
                let rule = ReferenceRule(graph: reading.resources.rules.graph)
                for dangling in try rule.dangling(in: mutations, reading) {
                    let reference = dangling.reference
                    if reference.mayDangle { continue }
                    let type = schema.entities[reference.target].attributes[0].type
                    guard let target = dangling.target.withCell({ AnyItemID($0, type: type) }) else {
                        continue
                    }
                    clashes.append(
                        Clash(
                            position: dangling.position,
                            kind: .targetNotFound(relationship: reference.names.attribute, target: target),
                            columns: [reference.column]))
                }
                return clashes
            }
        }
    }

    /// - Returns: True if the change was dropped, or is another one now.
    private func settle(_ clash: Clash, at position: Int) throws -> Bool {
        let change = changes[position]
        let type = schema.entities[change.entity]
        let conflict = try self.conflict(clash.kind, of: change)
        // Settled before, and still there: by a value that clashes as well.
        guard seenClashes.insert(conflict).inserted else {
            result.conflicts.append(conflict)
            return false
        }
        switch try settle(conflict, canChildWin: false) {
        case .none, .child: return false
        case .value(let value):
            guard let column = clash.columns.first, clash.columns.count == 1 else { return false }
            changes[position].cells[column] = try type.attributes[column].cell(for: value, in: arena)
        case .parent: drop(clash, at: position, of: type)
        }
        return true
    }

    /// Leaves the columns of a clash as the parent has them, or the whole row where that cannot be.
    private func drop(_ clash: Clash, at position: Int, of type: EntitySchema) {
        if changes[position].kind == .update {
            var columns = ColumnSet()
            for column in changes[position].columns where !clash.columns.contains(column) {
                columns.insert(column)
            }
            changes[position].columns = columns
            changes[position].isDropped = columns.isEmpty
            return
        }
        if case .targetNotFound = clash.kind, !type.isLink,
            clash.columns.allSatisfy({ type.attributes[$0].isOptional })
        {
            for column in clash.columns { changes[position].cells[column] = .null }
            return
        }
        changes[position].isDropped = true
    }

    private func conflict(
        _ kind: MergeConflict.Kind, of change: MergedChange
    ) throws(DataStoreError) -> MergeConflict {
        let type = schema.entities[change.entity]
        let base = staging.base(of: change.entity)
        let place = BaseRow(of: type)
        let cells = CellBuffer(count: place.count)
        func row(_ isThere: Bool) -> RowValues? { isThere ? RowValues(cells.start, of: type) : nil }
        let isTouched = try staged.row(at: change.cells[0], of: base, into: cells.start)
        let baseRow = row(isTouched && cells.start[place.exists].integer != 0)
        let childRow = row(try staged.row(at: change.cells[0], of: change.entity, into: cells.start))
        let parentRow = row(
            try block.context.withSnapshot { snapshot throws(DataStoreError) in
                try snapshot.row(at: change.cells[0], of: change.entity, into: cells.start)
            })
        guard let owner = (childRow ?? parentRow ?? baseRow)?.owner else {
            throw type.undecodable(change.cells[0], at: 0)
        }
        return MergeConflict(
            itemType: owner.itemType, identifier: owner.identifier, kind: kind,
            rows: (base: baseRow, child: childRow, parent: parentRow))
    }
}
