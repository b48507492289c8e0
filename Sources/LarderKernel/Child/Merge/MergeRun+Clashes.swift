// The list is applied past the rules, then the delete rules run, and then everything is judged on that state.

/// A thing in the merged state that a rule of the parent refuses.
struct MergeFinding {
    let row: RowKey
    /// The position of the change that the finding is about; nil for a denied deletion.
    let position: Int?
    let kind: MergeConflict.Kind
    /// The columns that would have to stay as the parent has them.
    var columns: [Int] = []
    /// The row from which the child's change takes its target; nil where it cannot be taken.
    var holder: RowKey?
}

// MARK: Applying and judging

extension MergeRun {
    /// Applies the changes, and all that follows for rows of the parent.
    ///
    /// - Returns: Everything that the parent's rules refuse in the state after it.
    func apply(
        _ result: inout MergeResult, in call: UndoneCall
    ) throws(DataStoreError) -> [MergeFinding] {
        if changes.isEmpty { return [] }
        let merged = MergedRows(keeping: kept)
        let waves = DeletionWaves(in: block.pipeline, of: call, merging: merged)
        let asked = changes.map(\.mutation)
        let added = try asked.withUnsafeBufferPointer { asked throws(DataStoreError) in
            try block.pipeline.asking { reading throws(DataStoreError) in
                try block.pipeline.rules.mutations(following: asked, in: reading, isMerge: true)
            }
        }
        let findings = try (asked + added).withUnsafeBufferPointer { all throws(DataStoreError) in
            if block.pipeline.rules.followsDeletion(by: all) {
                note(in: merged)
                _ = try waves.apply(all, asked: asked.count)
            } else {
                try block.pipeline.write(all, in: call)
            }
            return try clashes(in: all)
        }
        count(merged, &result)
        return try findings + denials(waves, merged)
    }

    private func note(in merged: MergedRows) {
        for change in changes {
            switch change.kind {
            case .insert: merged.note(written: ColumnSet([0]), of: key(of: change))
            case .update: merged.note(written: change.columns, of: key(of: change))
            case .delete, .deleteAll:
                merged.note(deleted: key(of: change), changedInParent: change.columns)
            }
        }
    }

    private func count(_ merged: MergedRows, _ result: inout MergeResult) {
        var freed = merged.freed.subtracting(merged.taken)
        for change in changes where !schema.entities[change.entity].isLink {
            switch change.kind {
            case .insert: result.inserted += 1
            case .delete, .deleteAll: result.deleted += 1
            case .update:
                if !merged.taken.isEmpty, merged.taken.contains(key(of: change)) { continue }
                result.updated += 1
                if !freed.isEmpty { freed.remove(key(of: change)) }
            }
        }
        result.updated += freed.count
        result.deleted += merged.taken.count
    }

    private func clashes(
        in mutations: UnsafeBufferPointer<RowMutation>
    ) throws(DataStoreError) -> [MergeFinding] {
        try block.pipeline.asking { reading throws(DataStoreError) in
            var found: [MergeFinding] = []
            for clash in try OneToOneRule(graph, of: schema).clashes(of: mutations, in: reading) {
                let type = schema.entities[clash.reference.entity].attributes[0].type
                guard let holder = clash.holder.withCell({ AnyItemID($0, type: type) }) else { continue }
                let row = RowKey(entity: clash.reference.entity, identifier: clash.holder)
                try add(
                    .notUnique(attribute: clash.reference.names.attribute, holder: holder), clash.position,
                    [clash.reference.column], holder: clash.reference.isOptional ? row : nil, to: &found)
            }
            for clash in try UniquenessRule().clashes(of: mutations, in: reading) {
                let type = schema.entities[mutations[clash.position].entity]
                try add(
                    notUnique(clash.columns, of: type, clash.holder), clash.position, clash.columns,
                    to: &found)
            }
            if graph.isEmpty { return found }
            let rule = ReferenceRule(graph: graph)
            for dangling in try rule.dangling(in: mutations, reading, areApplied: true) {
                let reference = dangling.reference
                if reference.mayDangle { continue }
                let type = schema.entities[reference.target].attributes[0].type
                guard let target = dangling.target.withCell({ AnyItemID($0, type: type) }) else { continue }
                let kind = MergeConflict.Kind.targetNotFound(
                    relationship: reference.names.attribute, target: target)
                try add(kind, dangling.position, [reference.column], to: &found)
            }
            return found
        }
    }

    func notUnique(
        _ columns: [Int], of type: EntitySchema, _ holder: AnyItemID
    ) -> MergeConflict.Kind {
        .notUnique(
            attribute: columns.map { type.attributes[$0].name }.joined(separator: ", "), holder: holder)
    }

    private func add(
        _ kind: MergeConflict.Kind, _ position: Int, _ columns: [Int], holder: RowKey? = nil,
        to found: inout [MergeFinding]
    ) throws(DataStoreError) {
        guard position < changes.count else {
            throw DataStoreError(
                .invalidValue,
                "A rule of the store has added a row to a merge that other rules refuse: \(kind).",
                advice: "Add only rows that can be stored.")
        }
        found.append(
            MergeFinding(
                row: key(of: changes[position]), position: position, kind: kind, columns: columns,
                holder: holder))
    }

    private func denials(_ waves: DeletionWaves, _ merged: MergedRows) throws(DataStoreError)
        -> [MergeFinding]
    {
        var found: [MergeFinding] = []
        for denial in try waves.denials.found(in: block.pipeline) + merged.refusals {
            found.append(
                finding(denial, of: merged.root(of: RowKey(entity: denial.itemType, identifier: denial.item)))
            )
        }
        return found
    }

    func finding(_ denial: Denial, of row: RowKey) -> MergeFinding {
        MergeFinding(
            row: row, position: nil, kind: .deletionDenied(reason: denial.error(in: schema).message))
    }
}

// MARK: Settling

extension MergeRun {
    /// Lets the policy settle findings, and what follows from that within the list.
    func settle(_ findings: [MergeFinding]) throws {
        if findings.isEmpty { return }
        var seen: Set<MergeConflict> = []
        var queue = findings
        let others = DependentChanges(of: self)
        var next = 0
        while next < queue.count {
            let finding = queue[next]
            next += 1
            let conflict = try self.conflict(finding)
            // Found twice in one attempt: by two rules, or also because of another decision.
            guard seen.insert(conflict).inserted, !isLeft(finding) else { continue }
            if decisions.isKnown(conflict) {
                decisions.refuse(conflict)
                continue
            }
            switch try decisions.settle(conflict, canChildWin: finding.holder != nil) {
            case .none: continue
            case .child: if let holder = finding.holder { decisions.free(holder, finding.columns[0]) }
            case .value(let value): try set(value, finding)
            case .parent:
                leave(finding)
                queue += try others.findings(after: finding)
            }
        }
    }

    /// True if what a finding is about is left out already.
    private func isLeft(_ finding: MergeFinding) -> Bool {
        guard let decision = decisions.changes[finding.row] else { return false }
        if decision.isLeft { return true }
        return !finding.columns.isEmpty
            && finding.columns.allSatisfy {
                decision.columns.contains($0) || decision.values[$0].map { $0.isNull } ?? false
            }
    }

    /// Leaves the columns of a finding as the parent has them, or the whole row where that cannot be.
    private func leave(_ finding: MergeFinding) {
        guard let position = finding.position else { return decisions.leave(finding.row) }
        let change = changes[position]
        let type = schema.entities[change.entity]
        if change.kind == .update { return decisions.leave(finding.columns, of: finding.row) }
        let isReference =
            if case .targetNotFound = finding.kind { true } else { finding.holder != nil }
        if isReference, !type.isLink, finding.columns.allSatisfy({ type.attributes[$0].isOptional }) {
            for column in finding.columns { decisions.set(column, of: finding.row, to: .null) }
        } else {
            decisions.leave(finding.row)
        }
    }

    private func set(_ value: any AttributeStorable, _ finding: MergeFinding) throws(DataStoreError) {
        guard let position = finding.position, let column = finding.columns.first else { return }
        let change = changes[position]
        let type = schema.entities[change.entity]
        let row = CellBuffer(count: type.attributes.count)
        if change.kind == .insert {
            for column in type.attributes.indices { row.start[column] = change.cells[column] }
        } else {
            _ = try parentRow(finding.row, into: row.start)
        }
        let cell = try self.cell(for: value, at: column, of: change.entity, in: row.start)
        decisions.set(
            column, of: finding.row, to: Constant(cell, storage: type.storage(ofColumn: column)))
    }

    /// The cell for a value that the policy gives, in the row of an item.
    ///
    /// - Throws: `.wrongType`, `.invalidValue` where the item cannot have it.
    func cell(
        for value: any AttributeStorable, at column: Int, of entity: Int, in row: UnsafePointer<Cell>
    ) throws(DataStoreError) -> Cell {
        let type = schema.entities[entity]
        let attribute = type.attributes[column]
        do {
            let cell = try attribute.cell(for: value, in: arena)
            guard entity < schema.types.count else { return cell }
            return try schema.types[entity].storedCell(at: column, from: cell, in: row, arena)
        } catch {
            let found = error.code == .undecodable ? attribute.wrongType(value) : error
            throw found.about(
                itemType: type.name, attribute: attribute.name,
                identifier: AnyItemID(row[0], type: type.attributes[0].type))
        }
    }

    /// Reads a row of the parent; false where there is none.
    func parentRow(_ row: RowKey, into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        try block.context.withSnapshot { snapshot throws(DataStoreError) in
            try row.identifier.withCell { identifier throws(DataStoreError) in
                try snapshot.row(at: identifier, of: row.entity, into: cells)
            }
        }
    }

    private func conflict(_ finding: MergeFinding) throws(DataStoreError) -> MergeConflict {
        let type = schema.entities[finding.row.entity]
        let place = BaseRow(of: type)
        let cells = CellBuffer(count: place.count)
        func row(_ isThere: Bool) -> RowValues? { isThere ? RowValues(cells.start, of: type) : nil }
        let (baseRow, childRow) = try finding.row.identifier.withCell { cell throws(DataStoreError) in
            let base = staging.base(of: finding.row.entity)
            let isTouched = try staged.row(at: cell, of: base, into: cells.start)
            let baseRow = row(isTouched && cells.start[place.exists].integer != 0)
            return (baseRow, row(try staged.row(at: cell, of: finding.row.entity, into: cells.start)))
        }
        let parent = row(try parentRow(finding.row, into: cells.start))
        guard let owner = (childRow ?? parent ?? baseRow)?.owner else {
            throw finding.row.identifier.withCell { type.undecodable($0, at: 0) }
        }
        return MergeConflict(
            itemType: owner.itemType, identifier: owner.identifier, kind: finding.kind,
            rows: (base: baseRow, child: childRow, parent: parent))
    }
}
