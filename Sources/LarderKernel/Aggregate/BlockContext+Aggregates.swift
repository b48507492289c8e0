/// The values that rows are grouped by, and what is computed of each group, before they are lowered.
struct GroupingCore: Sendable, Hashable {
    var keys: [ValueSource] = []
    var terms: [AggregateTerm] = []
}

/// A grouping in the terms of a store.
private struct ResolvedGrouping {
    /// The values of the keys, and then those of the terms.
    let values: [RelatedOrder.Term]
    let parts: [ZonedDatePart?]
    let keyCount: Int
    let functions: [AggregateFunction]
    let schema: EntitySchema

    /// - Throws: `.invalidRequest`, `.unknownItemType`.
    init(_ core: GroupingCore, of entity: Int, in store: StoreSchema) throws(DataStoreError) {
        var values: [RelatedOrder.Term] = []
        func append(_ source: ValueSource?, through subject: String) throws(DataStoreError) {
            let term = RequestPlan.SortTerm(column: source?.column ?? 0, isAscending: true)
            values.append(
                try RelatedOrder.Term(source?.path ?? [], term, of: entity, in: store, through: subject))
        }
        for key in core.keys { try append(key, through: "A group") }
        for term in core.terms { try append(term.source, through: "An aggregate") }
        self.values = values
        parts = core.keys.map(\.part) + core.terms.map { $0.source?.part }
        keyCount = core.keys.count
        functions = core.terms.map(\.function)
        schema = store.entities[entity]
    }

    /// True if engines can group and aggregate: values of other items and parts of dates are the core's.
    var isOfOwnValues: Bool { values.allSatisfy(\.path.isEmpty) && parts.allSatisfy { $0 == nil } }

    /// The same as a plan for engines, which know the rows' own values alone.
    func plan(of rows: RequestPlan) -> AggregatePlan {
        let columns = values.map(\.term.column)
        return AggregatePlan(
            rows, keys: Array(columns.prefix(keyCount)),
            terms: zip(functions, columns.dropFirst(keyCount)).map { AggregatePlan.Term($0, column: $1) })
    }

    /// Totals of rows that have each value in a cell of its own.
    func makeTotals() throws(DataStoreError) -> GroupTotals {
        func value(_ position: Int) -> GroupTotals.Value {
            GroupTotals.Value(
                position: position, storage: storage(of: position), itemType: schema.name,
                attribute: values[position].name(in: schema))
        }
        return try GroupTotals(
            keys: (0..<keyCount).map(value),
            terms: functions.enumerated().map { ($1, value(keyCount + $0)) })
    }

    /// The storage of each value of a group's row.
    var storages: [AttributeType.Storage] {
        values.indices.map { position in
            if position >= keyCount {
                switch functions[position - keyCount] {
                case .count, .countValues, .countDistinct: return .integer
                case .sum, .average:
                    let storage = storage(of: position)
                    if storage == .decimal || storage == .real { return storage }
                    return functions[position - keyCount] == .sum ? .integer : .real
                case .minimum, .maximum: break
                }
            }
            return storage(of: position)
        }
    }

    private func storage(of position: Int) -> AttributeType.Storage {
        if parts[position] != nil { return .integer }
        let term = values[position]
        return term.schema(schema).storage(ofColumn: term.term.column)
    }

    /// The step of `explain` for what the core does.
    var step: String {
        if keyCount == 0 { return "aggregate rows" }
        return "group rows by "
            + (0..<keyCount).map { position in
                let name = values[position].name(in: schema)
                return parts[position].map { "\($0.part) of \(name)" } ?? name
            }.joined(separator: ", ")
    }
}

extension BlockContext {
    /// The groups of a request, each as its keys and then its aggregates, in any order.
    func groups(
        _ core: RequestCore, of entity: Int, _ grouping: GroupingCore
    ) throws(DataStoreError) -> GroupRows {
        let (rows, resolved) = try rowsAndGrouping(core, of: entity, grouping)
        try prepareForRequest()
        do {
            if resolved.isOfOwnValues, let rows = try itemsInAnyOrder(core, as: rows)?.items {
                let plan = resolved.plan(of: rows)
                log(plan.rows)
                // Before it runs, as an app may catch what it throws.
                tracker?.note(plan.rows, in: schema)
                let groups = try withSnapshot { snapshot throws(DataStoreError) in
                    try snapshot.groups(for: plan, in: schema)
                }
                tracker?.note(groups)
                return groups
            }
            return try walk(core, rows, resolved, upTo: nil)
        } catch {
            throw error.about(itemType: rows.schema.name, request: rows.description)
        }
    }

    /// The steps by which groups are found, one line each.
    func explain(
        _ core: RequestCore, of entity: Int, _ grouping: GroupingCore
    ) throws(DataStoreError) -> [String] {
        let (rows, resolved) = try rowsAndGrouping(core, of: entity, grouping)
        try prepareForRequest()
        if resolved.isOfOwnValues, let (links, rows) = try itemsInAnyOrder(core, as: rows) {
            let lines = if let links { try explain(links) } else { [String]() }
            return try lines
                + withSnapshot { snapshot throws(DataStoreError) in
                    try snapshot.explain(resolved.plan(of: rows), in: schema)
                }
        }
        let lines = try core.graph == nil ? explain(rows) : explain(core, as: rows)
        return lines + [resolved.step]
    }

    /// The plan of the rows, in any order where all of them count, and the grouping in terms of the store.
    private func rowsAndGrouping(
        _ core: RequestCore, of entity: Int, _ grouping: GroupingCore
    ) throws(DataStoreError) -> (RequestPlan, ResolvedGrouping) {
        var rows = try core.plan(entity: entity, in: schema)
        if core.offset == 0, core.limit == nil, !core.order.isEmpty {
            var unordered = core
            unordered.order = []
            rows = try unordered.plan(entity: entity, in: schema)
        }
        return (rows, try ResolvedGrouping(grouping, of: entity, in: schema))
    }

    /// Reads the rows of a request one by one, in its order, until there are a number of groups.
    private func walk(
        _ core: RequestCore, of entity: Int, _ grouping: GroupingCore, upTo end: Int?
    ) throws(DataStoreError) -> GroupRows {
        let (rows, resolved) = try rowsAndGrouping(core, of: entity, grouping)
        try prepareForRequest()
        do {
            return try walk(core, rows, resolved, upTo: end)
        } catch {
            throw error.about(itemType: rows.schema.name, request: rows.description)
        }
    }

    /// Reads the rows, and looks up what they refer to.
    ///
    /// - Parameter end: The number of groups after which nothing more is read.
    private func walk(
        _ core: RequestCore, _ rows: RequestPlan, _ resolved: ResolvedGrouping, upTo end: Int?
    ) throws(DataStoreError) -> GroupRows {
        let totals = try resolved.makeTotals()
        let values = try withSnapshot { snapshot in
            RelatedValues(
                of: resolved.values, rows.entity, keepingIdentifiers: false, in: schema, snapshot)
        }
        var plan = rows
        plan.columns = .some(values.columns)
        log(plan)
        tracker?.note(resolved.values, of: rows.entity, in: schema)
        let scan =
            try core.graph == nil ? scan(plan) : scan(core, as: plan, prefetching: .max)
        defer { scan.close() }
        func groups() throws(DataStoreError) -> GroupRows {
            let groups = try totals.rows()
            tracker?.note(groups)
            return groups
        }
        let arena = RowArena(chunkBytes: 1024)
        let row = CellBuffer(count: max(1, resolved.values.count))
        while let columns = try values.next(of: scan.cursor, of: rows.schema) {
            for number in columns[0].indices {
                arena.reset()
                for position in columns.indices {
                    let cell = try arena.cell(of: columns[position][number])
                    row.start[position] = resolved.parts[position]?.cell(of: cell) ?? cell
                }
                try totals.add(row.start)
                if let end, totals.count >= end { return try groups() }
            }
        }
        return try groups()
    }
}

extension ZonedDatePart {
    /// The part as a cell; nil of nil.
    func cell(of date: Cell) -> Cell {
        date.isNull ? .null : .integer(value(of: date.real))
    }
}

// MARK: Distinct values

extension BlockContext {
    /// The different keys of the rows of a request whose window counts them.
    func distinctRows(
        _ core: RequestCore, of entity: Int, _ grouping: GroupingCore
    ) throws(DataStoreError) -> (rows: GroupRows, selected: ArraySlice<Int>) {
        // Also for its mistakes.
        let end = try core.plan(entity: entity, in: schema).windowEnd
        var rows = core
        (rows.offset, rows.limit) = (0, nil)
        if core.order.isEmpty {
            let selection = try GroupSelection(
                GroupRequestCore(distinct: core, grouping.keys), [], of: schema.entities[entity])
            let found = try groups(rows, of: entity, grouping)
            return (found, try selection.select(from: found, try storages(of: grouping, entity)))
        }
        // A limit keeps the order, and leaves nothing out.
        if core.limit == 0 { return (GroupRows(width: 0), []) }
        rows.limit = .max
        let found = try walk(rows, of: entity, grouping, upTo: end)
        return (found, Array(0..<found.count).dropFirst(core.offset).prefix(core.limit ?? .max))
    }

    /// The storage of each value of the rows of groups.
    func storages(
        of grouping: GroupingCore, _ entity: Int
    ) throws(DataStoreError) -> [AttributeType.Storage] {
        try ResolvedGrouping(grouping, of: entity, in: schema).storages
    }
}

extension GroupRequestCore {
    /// The groups without aggregates whose window is that of the request.
    fileprivate init(distinct core: RequestCore, _ keys: [ValueSource]) {
        self.init(rows: core, keys: keys)
        (offset, limit) = (core.offset, core.limit)
    }
}
