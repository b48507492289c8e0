import LarderKernel

extension MergeRun {
    /// Lets the policy settle findings, and what follows from that within the list.
    ///
    /// Denied deletions come first, and alone: if one is left out, what was to go with the item stays, and with it the target
    /// or the unique value that the other findings are about. So what was decided about those before is taken back.
    func settle(_ findings: [MergeFinding]) throws {
        let denials = findings.filter { $0.position == nil }
        let kept = decisions.kept.count
        var mayBeStale = decisions.hasOthers
        try settleAlike(denials)
        // A merge that fails names all of them.
        if denials.isEmpty || !decisions.conflicts.isEmpty {
            mayBeStale = true
            try settleAlike(findings.filter { $0.position != nil })
        }
        // Each time one more row is kept, so this ends.
        if mayBeStale, decisions.kept.count > kept, decisions.conflicts.isEmpty { decisions.takeBackOthers() }
    }

    private func settleAlike(_ findings: [MergeFinding]) throws {
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
            case .unsettled: continue
            case .child:
                guard let holder = finding.holder else { continue }
                decisions.free(holder, finding.columns[0], for: finding.row)
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

    /// Leaves the columns of a finding as the parent has them, or the whole row if that cannot be.
    private func leave(_ finding: MergeFinding) {
        guard let position = finding.position else { return decisions.keep(finding.row) }
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
    /// - Throws: `.wrongType`, `.invalidValue` if the item cannot have it.
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
                itemType: type.name, attribute: attribute.propertyName,
                identifier: AnyItemID(row[0], type: type.attributes[0].type))
        }
    }

    /// Reads a row of the parent; false if there is none.
    func parentRow(_ row: RowKey, into cells: UnsafeMutablePointer<Cell>) throws(DataStoreError) -> Bool {
        try row.identifier.withCell { identifier throws(DataStoreError) in
            try parent.row(at: identifier, of: row.entity, into: cells)
        }
    }

    private func conflict(_ finding: MergeFinding) throws(DataStoreError) -> MergeConflict {
        let type = schema.entities[finding.row.entity]
        let columns = BaseRow(of: type)
        let cells = CellBuffer(count: columns.count)
        func row(_ isThere: Bool) -> RowValues? { isThere ? RowValues(cells.start, of: type) : nil }
        let (baseRow, childRow) = try finding.row.identifier.withCell { cell throws(DataStoreError) in
            let base = staging.base(of: finding.row.entity)
            let isTouched = try staged.row(at: cell, of: base, into: cells.start)
            let baseRow = row(isTouched && cells.start[columns.exists].integer != 0)
            return (baseRow, row(try staged.row(at: cell, of: finding.row.entity, into: cells.start)))
        }
        let parentRow = row(try self.parentRow(finding.row, into: cells.start))
        guard let owner = (childRow ?? parentRow ?? baseRow)?.owner else {
            throw finding.row.identifier.withCell { type.undecodable($0, at: 0) }
        }
        return MergeConflict(
            itemType: owner.itemType, identifier: owner.identifier, kind: finding.kind,
            rows: (base: baseRow, child: childRow, parent: parentRow))
    }
}

extension DataStoreItem {
    /// The cell of an attribute as a row with it would be stored.
    ///
    /// - Throws: `.undecodable` when the item cannot have it; `.invalidValue`.
    static func storedCell(
        at column: Int, from cell: Cell, in row: UnsafePointer<Cell>, _ arena: RowArena
    ) throws(DataStoreError) -> Cell {
        let cells = try arena.makeCells(schema.attributes.count)
        for column in schema.attributes.indices { cells[column] = row[column] }
        cells[column] = cell
        let item = try Self(row: RowReader(cells: cells, of: schema))
        var writer = RowWriter(cells: cells, arena: arena, of: schema)
        try item.encode(to: &writer)
        return cells[column]
    }
}
