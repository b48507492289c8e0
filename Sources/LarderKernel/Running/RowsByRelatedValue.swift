/// The first rows of a plan by an attribute of the one item that each refers to, then by their own.
///
/// It goes along that attribute, reads the rows that refer to the items of one value, and stops when the
/// window is full; so it reads few rows of the plan's own, while ``RelatedSorting`` reads all.
///
/// *Cost:* one plan for each value on the way.
struct RowsByRelatedValue {
    private let plan: RequestPlan
    private let snapshot: any StorageReading
    /// The other items: their identifiers and values, in the order of the values.
    private let targets: RequestPlan
    /// The column that refers to them.
    private let column: Int
    private let isAscending: Bool
    /// The order of the rows whose value is the same.
    private let order: [RequestPlan.SortTerm]
    /// The test of the rows whose value is nil as they refer to no item.
    private let unreferring: RowPredicate
    private var skipped = 0
    private var identifiers: [Constant] = []
    /// True until the rows that refer to no item have been read.
    private var missesUnreferring: Bool

    /// The rows to one of the other items from which on the groups are worth their plans.
    private static let rowsForEachTarget = 8

    /// - Parameters:
    ///   - plan: Without tests of related items.
    ///   - filter: The filter of the plan with its tests of related items.
    /// - Returns: Nil if the order is another, if the window has no end, or if there are too many
    ///   other items.
    init?(
        _ plan: RequestPlan, filter: RowPredicate, _ snapshot: any StorageReading
    ) throws(DataStoreError) {
        guard plan.limit != nil, let term = plan.relatedOrder?.terms.first,
            term.path.count == 1, let relationship = term.path.first,
            case .reference(let column) = relationship.form,
            plan.terms.dropFirst().allSatisfy(\.path.isEmpty), !plan.terms.contains(where: \.isFolded)
        else { return nil }
        self.plan = plan
        self.snapshot = snapshot
        self.column = column
        isAscending = term.term.isAscending
        order = plan.terms.dropFirst().map(\.term)
        // Items that a condition refuses have no rows, and with one there are no rows without an item.
        let conditions = filter.conditions(on: relationship)
        targets = RequestPlan(
            entity: relationship.target, schema: relationship.targetSchema,
            columns: .some([0, term.term.column]), predicate: RowPredicate.all(conditions).simplified,
            order: [term.term])
        missesUnreferring = conditions.isEmpty && relationship.ends != .always
        let own = RequestPlan(entity: plan.entity, schema: plan.schema, columns: .some([0]))
        let targetCount = try snapshot.count(for: targets)
        let rowCount = try snapshot.count(for: own)
        if rowCount / Self.rowsForEachTarget < targetCount { return nil }
        unreferring =
            missesUnreferring && relationship.ends == .mayBeGone
            ? .isIn(column: column, try snapshot.identifiers(of: targets), negated: true).simplified
            : .isNull(column: column)
    }

    /// The identifiers of the rows in the plan's window, in its order.
    mutating func found() throws(DataStoreError) -> ArraySlice<Constant> {
        let columns = targets.columns.numbers(of: targets.schema)
        let storages = columns.map { targets.schema.storage(ofColumn: $0) }
        let cursor = try snapshot.rows(for: targets)
        defer { cursor.close() }
        let row = CellBuffer(count: 2)
        var group = ConstantSet(storages[0])
        var value: Constant?
        while !isFull, try cursor.next(into: row.start) {
            let isSame = value?.withCell { $0.order(to: row.start[1], storage: storages[1]) == 0 }
            if isSame != true {
                if let value { try take(group, isNil: value.isNull) }
                value = Constant(row.start[1], storage: storages[1])
                group = ConstantSet(storages[0])
                if isAscending, missesUnreferring, value?.isNull != true {
                    try take(group, isNil: true)
                }
            }
            group.insert(row.start[0])
        }
        if let value { try take(group, isNil: value.isNull) }
        if missesUnreferring { try take(ConstantSet(storages[0]), isNil: true) }
        return identifiers[...]
    }

    private var isFull: Bool { identifiers.count >= plan.limit ?? 0 }

    /// The steps by which the rows are found, one line each; those for the first value stand for all.
    func explained() throws(DataStoreError) -> [String] {
        let name = targets.schema.name
        let lines = try snapshot.explain(targets).map { "in the order of \(name): \($0)" }
        let cursor = try snapshot.rows(for: targets)
        defer { cursor.close() }
        let row = CellBuffer(count: 2)
        guard try cursor.next(into: row.start) else { return lines }
        var first = ConstantSet(targets.schema.storage(ofColumn: 0))
        first.insert(row.start[0])
        return try lines + snapshot.explain(rows(referringTo: first, orNone: false))
    }

    /// The plan for the rows that refer to some items, or to none.
    private func rows(referringTo targets: ConstantSet, orNone: Bool) -> RequestPlan {
        let referring = RowPredicate.isIn(column: column, targets.sorted, negated: false)
        let isWanted = orNone ? RowPredicate.any([unreferring, referring]) : referring
        return RequestPlan(
            entity: plan.entity, schema: plan.schema, columns: .some([0]),
            predicate: RowPredicate.all([isWanted, plan.predicate]).simplified, order: order)
    }

    /// Adds the rows that refer to the items of one value, in their order.
    private mutating func take(_ group: ConstantSet, isNil: Bool) throws(DataStoreError) {
        if isFull { return }
        let includesUnreferring = isNil && missesUnreferring
        if includesUnreferring { missesUnreferring = false }
        var rows = rows(referringTo: group, orNone: includesUnreferring)
        rows.limit = (plan.limit ?? 0) - identifiers.count
        if skipped < plan.offset {
            // Counting passes over rows without reading them.
            var before = rows
            before.limit = plan.offset - skipped
            rows.offset = try snapshot.count(for: before)
            skipped += rows.offset
            if skipped < plan.offset { return }
        }
        let storage = plan.schema.storage(ofColumn: 0)
        try snapshot.forEachRow(of: rows) { identifiers.append(Constant($0[0], storage: storage)) }
    }
}

extension RowPredicate {
    /// The conditions on the one item that a reference leads to, among those that every row passes; without tests of
    /// further items.
    fileprivate func conditions(on reference: StoreRelationship) -> [RowPredicate] {
        switch self {
        case .all(let parts): parts.flatMap { $0.conditions(on: reference) }
        case .related(let test) where test.relationship == reference:
            if case .any(let predicate) = test.test, !predicate.isRelated { [predicate] } else { [] }
        case .always, .column, .any, .expression, .related: []
        }
    }
}

extension StorageReading {
    /// The identifiers of the rows of a plan whose first column is the identifier, sorted.
    fileprivate func identifiers(of plan: RequestPlan) throws(DataStoreError) -> [Constant] {
        let plan = RequestPlan(
            entity: plan.entity, schema: plan.schema, columns: .some([0]), predicate: plan.predicate)
        var identifiers = ConstantSet(plan.schema.storage(ofColumn: 0))
        try forEachRow(of: plan) { identifiers.insert($0[0]) }
        return identifiers.sorted
    }
}
