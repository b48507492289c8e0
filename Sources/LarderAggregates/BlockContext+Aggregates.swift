import LarderKernel

/// The values that rows are grouped by, and what is computed of each group, before they are lowered.
struct GroupingCore: Sendable, Hashable {
    var keys: [AttributePlace] = []
    var terms: [AggregateTerm] = []
}

/// A grouping in the terms of a store.
struct ResolvedGrouping {
    /// The rows, in any order if all of them count.
    let rows: RequestPlan
    /// The values of the keys, and then the values of the terms.
    fileprivate let values: [RelatedOrder.Term]
    fileprivate let parts: [ZonedDatePart?]
    private let keyCount: Int
    private let functions: [AggregateFunction]

    /// - Throws: `.invalidRequest`, `.unknownItemType`.
    init(
        _ grouping: GroupingCore, of core: RequestCore, _ entity: Int, in store: StoreSchema
    ) throws(DataStoreError) {
        var rows = try core.plan(entity: entity, in: store)
        if rows.offset == 0, rows.limit == nil {
            rows.forgetOrder()
        }
        var values: [RelatedOrder.Term] = []
        func append(_ place: AttributePlace, through subject: String) throws(DataStoreError) {
            let term = OrderTerm(place, isAscending: true)
            values.append(try RelatedOrder.Term(term, of: entity, in: store, through: subject))
        }
        for key in grouping.keys { try append(key, through: "A group") }
        for term in grouping.terms {
            try append(term.place ?? AttributePlace(column: 0), through: "An aggregate")
        }
        self.rows = rows
        self.values = values
        parts = grouping.keys.map(\.part) + grouping.terms.map { $0.place?.part }
        keyCount = grouping.keys.count
        functions = grouping.terms.map(\.function)
    }

    private var schema: EntitySchema { rows.schema }

    /// True if engines can group and aggregate: values of other items and parts of dates are the core's.
    var isOfOwnValues: Bool { values.allSatisfy(\.path.isEmpty) && parts.allSatisfy { $0 == nil } }

    /// The same as a plan for engines, which know the rows' own values alone.
    var plan: AggregatePlan {
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
                attribute: values[position].propertyName(in: schema))
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

    /// A value as groups have it: a part of the date, or the value itself.
    ///
    /// - Throws: `.undecodable` for NaN, which other tools can store.
    fileprivate func cell(at position: Int, of cell: Cell) throws(DataStoreError) -> Cell {
        guard let part = parts[position], !cell.isNull else { return cell }
        let term = values[position]
        if cell.real.isNaN { throw term.schema(schema).undecodable(cell, at: term.term.column) }
        return .integer(part.value(of: cell.real))
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

extension RelatedOrder.Term {
    /// The name of the attribute in the app, with the path to it.
    fileprivate func propertyName(in own: EntitySchema) -> String {
        let attribute = schema(own).attributes[term.column]
        return (path.map(\.propertyName) + [attribute.propertyName]).joined(separator: ".")
    }
}

extension BlockContext {
    func resolved<Item: DataStoreItem>(
        _ grouping: GroupingCore, of request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> ResolvedGrouping {
        try ResolvedGrouping(grouping, of: request.core, number(of: Item.self), in: schema)
    }

    /// The groups of a request, each as its keys and then its aggregates, in any order.
    func groups(of grouping: ResolvedGrouping) throws(DataStoreError) -> GroupRows {
        guard grouping.isOfOwnValues else { return try firstGroups(of: grouping, upTo: nil) }
        let plan = grouping.plan
        try prepareForRequest()
        let start = requestStart
        do {
            // Before it runs, as an app may catch what it throws.
            tracker?.note(plan.rows, in: schema)
            let groups = try withSnapshot { snapshot throws(DataStoreError) in
                try snapshot.groups(for: plan, in: schema)
            }
            tracker?.note(groups)
            if let start { reportRequest(plan.rows, rows: groups.count, since: start) }
            return groups
        } catch {
            throw error.about(itemType: plan.rows.schema.name, request: grouping.rows.description)
        }
    }

    /// The steps by which groups are found, one line each.
    func explain(of grouping: ResolvedGrouping) throws(DataStoreError) -> [String] {
        try prepareForRequest()
        return try withSnapshot { snapshot throws(DataStoreError) in
            grouping.isOfOwnValues
                ? try snapshot.explain(grouping.plan, in: schema)
                : try snapshot.explain(grouping.rows, in: schema) + [grouping.step]
        }
    }

    /// The groups in the order of the first row of each, until there are a number of them.
    func firstGroups(of grouping: ResolvedGrouping, upTo end: Int?) throws(DataStoreError) -> GroupRows {
        try prepareForRequest()
        do {
            return try readGroups(of: grouping, upTo: end)
        } catch {
            throw error.about(itemType: grouping.rows.schema.name, request: grouping.rows.description)
        }
    }

    /// Reads the rows, and looks up what they refer to.
    private func readGroups(of grouping: ResolvedGrouping, upTo end: Int?) throws(DataStoreError) -> GroupRows
    {
        let totals = try grouping.makeTotals()
        var plan = grouping.rows
        let values = try withSnapshot { snapshot in
            BatchLookup(of: grouping.values, plan.entity, keepingIdentifiers: false, in: schema, snapshot)
        }
        plan.columns = .some(values.columns)
        tracker?.note(grouping.values, of: plan.entity, in: schema)
        let scan = try rows(of: plan)
        defer { scan.close() }
        func groups() throws(DataStoreError) -> GroupRows {
            let groups = try totals.rows()
            tracker?.note(groups)
            return groups
        }
        let arena = RowArena(chunkBytes: 1024)
        let row = CellBuffer(count: max(1, grouping.values.count))
        while let columns = try values.next(of: scan.cursor, of: plan.schema) {
            for number in columns[0].indices {
                arena.reset()
                for position in columns.indices {
                    let cell = try arena.cell(of: columns[position][number])
                    row.start[position] = try grouping.cell(at: position, of: cell)
                }
                try totals.add(row.start)
                if let end, totals.count >= end { return try groups() }
            }
        }
        return try groups()
    }
}

// MARK: Groups that a request selects

/// The groups that a request selects, with their keys and aggregates.
struct SelectedGroups {
    private let rows: GroupRows
    /// The numbers of the groups, in order.
    let numbers: ArraySlice<Int>
    private let grouping: GroupingCore
    private let schema: EntitySchema

    fileprivate init(
        _ rows: GroupRows, _ numbers: ArraySlice<Int>, _ grouping: GroupingCore, of schema: EntitySchema
    ) {
        self.rows = rows
        self.numbers = numbers
        self.grouping = grouping
        self.schema = schema
    }

    /// A reader before the first of the groups.
    var reader: GroupRowReader { GroupRowReader(rows, numbers, grouping, of: schema) }

    /// Decodes each of the groups.
    ///
    /// Not for tuples of a pack, whose type a closure looks up in each call.
    func map<Group>(
        _ decode: (inout GroupRowReader) throws(DataStoreError) -> Group
    ) throws(DataStoreError) -> [Group] {
        var groups: [Group] = []
        groups.reserveCapacity(numbers.count)
        var reader = reader
        while reader.moveToNextGroup() { groups.append(try decode(&reader)) }
        return groups
    }
}

extension BlockContext {
    /// The groups of a request.
    ///
    /// - Parameter terms: The aggregates that are asked for.
    func selectedGroups(
        of core: GroupRequestCore, _ terms: [AggregateTerm], of entity: Int
    ) throws(DataStoreError) -> SelectedGroups {
        let entitySchema = schema.entities[entity]
        let selection = try GroupSelection(core, terms, of: entitySchema)
        let grouping = try ResolvedGrouping(selection.grouping, of: core.rows, entity, in: schema)
        let rows = try groups(of: grouping)
        return SelectedGroups(
            rows, selection.select(from: rows, grouping.storages), selection.grouping, of: entitySchema)
    }

    /// The different keys of the rows of a request whose window counts them.
    func distinctRows(
        of core: RequestCore, _ keys: [AttributePlace], of entity: Int
    ) throws(DataStoreError) -> SelectedGroups {
        // Also for its mistakes.
        let end = try core.plan(entity: entity, in: schema).windowEnd
        var rows = core
        (rows.offset, rows.limit) = (0, nil)
        if core.order.isEmpty {
            var groups = GroupRequestCore(rows: rows, keys: keys)
            (groups.offset, groups.limit) = (core.offset, core.limit)
            return try selectedGroups(of: groups, [], of: entity)
        }
        let grouping = GroupingCore(keys: keys)
        // A limit keeps the order, and leaves nothing out.
        rows.limit = .max
        let found =
            core.limit == 0
            ? GroupRows(width: 0)
            : try firstGroups(of: ResolvedGrouping(grouping, of: rows, entity, in: schema), upTo: end)
        let numbers = Array(0..<found.count).dropFirst(core.offset).prefix(core.limit ?? .max)
        return SelectedGroups(found, numbers, grouping, of: schema.entities[entity])
    }
}
