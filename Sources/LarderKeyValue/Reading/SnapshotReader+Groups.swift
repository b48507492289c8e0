import LarderKernel

/// Groups of rows, from the entries of an index alone if it has all that is needed.
extension SnapshotReader {
    final func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        // If there is a window, the order of the rows matters, and the core reads them.
        if plan.hasWindow { return nil }
        let entity = catalog.entities[plan.rows.entity]
        if let index = plan.countedIndex(of: entity),
            let groups = try IndexGroups(index, in: snapshot).counts(for: plan.terms.count)
        {
            return groups
        }
        let totals = try plan.makeTotals()
        let covering = plan.coveredRows(by: entity)
        let rows = idleRows(for: covering ?? plan.rows, isCounting: covering == nil)
        try rows.begin(covering ?? plan.rows)
        defer { rows.close() }
        if plan.keys.isEmpty, covering == nil, rows.readsRows {
            let columns = plan.terms.map { $0.function == .count ? nil : $0.column }
            try rows.add(columns, to: totals)
        } else {
            let row = CellBuffer(count: plan.rows.columns.numbers(of: plan.rows.schema).count)
            while try rows.next(into: row.start) { try totals.add(row.start) }
        }
        return try totals.rows()
    }

    final func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        if plan.hasWindow { return nil }
        let entity = catalog.entities[plan.rows.entity]
        if let index = plan.countedIndex(of: entity) { return ["index \(index.name)", "count entries"] }
        let covering = plan.coveredRows(by: entity)
        let access = Planner(
            covering ?? plan.rows, over: entity, isCounting: covering == nil
        ).accessPlan()
        return access.lines(for: covering ?? plan.rows) + [plan.keys.isEmpty ? "aggregate" : "group"]
    }
}

extension AggregatePlan {
    /// The index that begins with the only key, if groups of all rows are only counted.
    fileprivate func countedIndex(of entity: EntityTable) -> IndexTable? {
        guard keys.count == 1, rows.predicate == .always(true),
            terms.allSatisfy({ $0.function == .count })
        else { return nil }
        return entity.indexes.first { $0.form.parts.first?.column == keys[0] }
    }

    /// The same rows in the order of an index whose entries have all the columns, so that the rows of a group
    /// come together; nil if rows are read.
    fileprivate func coveredRows(by entity: EntityTable) -> RequestPlan? {
        let columns = rows.columns.numbers(of: rows.schema)
        guard rows.predicate == .always(true), !keys.isEmpty else { return nil }
        let covering = entity.indexes.first { index in
            columns.allSatisfy { column in
                column == 0 || index.form.parts.contains { $0.column == column && $0.form != .text }
            } && index.form.parts.allSatisfy { $0.form != .text }
        }
        guard let covering else { return nil }
        return RequestPlan(
            entity: rows.entity, schema: rows.schema, columns: rows.columns,
            order: covering.form.parts.map { RequestPlan.SortTerm(column: $0.column, isAscending: true) })
    }
}

/// The groups of an index's entries that begin with the same value.
struct IndexGroups {
    private let index: IndexTable
    private let snapshot: any KeyValueSnapshot

    init(_ index: IndexTable, in snapshot: any KeyValueSnapshot) {
        self.index = index
        self.snapshot = snapshot
    }

    /// The values, and the number of entries of each; nil if a text is too long for its entry.
    ///
    /// *Cost:* passes over the entries, and reads one for each value.
    ///
    /// - Parameter repetitions: The columns that repeat the number.
    /// - Throws: `.damaged` when an entry is not a key of the index.
    func counts(for repetitions: Int) throws(DataStoreError) -> GroupRows? {
        guard let part = index.form.parts.first else { return nil }
        let cursor = try snapshot.cursor(over: index.entries)
        defer { cursor.close() }
        var groups = GroupRows(width: 1 + repetitions, areInOrder: true)
        var ahead = ReadAhead(upTo: 64)
        var first = KeyValueEntry()
        guard try cursor.first(&first) else { return groups }
        ahead.fill(with: first)
        /// The bytes with which the keys of the group begin.
        var value = UnsafeRawBufferPointer(start: nil, count: 0)
        var count = 0
        func addGroup() {
            if count == 0 { return }
            groups.append(part.constant(in: value))
            for _ in 0..<repetitions { groups.append(.integer(Int64(count))) }
        }
        while true {
            if ahead.isEmpty, try !ahead.fill(from: cursor, isAscending: true) { break }
            let key = ahead.removeFirst().key
            if count > 0, key.begins(with: value) {
                count += 1
                continue
            }
            addGroup()
            guard let end = part.end(in: key, from: 0) else {
                throw DataStoreError(
                    .damaged, "A stored index key of \(key.count) bytes ends too early.")
            }
            if end.extent == .cut { return nil }
            value = UnsafeRawBufferPointer(rebasing: key[..<end.offset])
            count = 1
        }
        addGroup()
        return groups
    }
}

extension KeyPart {
    /// The value of the part that these bytes are, which is whole.
    fileprivate func constant(in key: UnsafeRawBufferPointer) -> Constant {
        var offset = 0
        guard form == .text else {
            guard let cell = value(in: key, at: &offset) else { return .null }
            switch form {
            case .integer: return Constant(cell, storage: .integer)
            case .unsigned: return Constant(cell, storage: .unsigned)
            case .real: return Constant(cell, storage: .real)
            case .uuid, .text: return Constant(cell, storage: .blob)
            }
        }
        if Self.isNull(key, at: 0) { return .null }
        // Nearly all text has no NUL before the two bytes at its end.
        let plain = UnsafeRawBufferPointer(rebasing: key[1..<(key.count - 2)])
        if !plain.contains(0) { return .text(String(decoding: plain, as: UTF8.self)) }
        var bytes: [UInt8] = []
        var position = 1
        while position + 1 < key.count {
            let byte = key[position]
            if byte == 0 {
                if key[position + 1] != Mark.escaped { break }
                position += 1
            }
            bytes.append(byte)
            position += 1
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
