/// Replaces the tests of other items in a plan by the identifiers of the items that pass them.
///
/// The plans for them run on the same snapshot, so that every engine gives the same rows and none has to
/// know relationships.
///
/// *Cost:* one plan for each test of related items, two if links lie between; the identifiers they lead
/// to are kept in memory.
struct RelatedLowering {
    private let schema: StoreSchema
    private let snapshot: any StorageReading
    /// The lines of the plans that ran, if they are asked for.
    private(set) var lines: [String]?
    /// The names of the tests around the one that is being replaced.
    private var titles: [String] = []

    init(_ schema: StoreSchema, _ snapshot: any StorageReading, explaining: Bool = false) {
        self.schema = schema
        self.snapshot = snapshot
        lines = explaining ? [] : nil
    }

    /// The plan with the filter as engines know it; its order does not change.
    mutating func lowered(_ plan: RequestPlan) throws(DataStoreError) -> RequestPlan {
        var plan = plan
        plan.predicate = try lowered(plan.predicate)
        return plan
    }

    private mutating func lowered(_ predicate: RowPredicate) throws(DataStoreError) -> RowPredicate {
        try replaced(predicate).simplified
    }

    @inline(never)
    private mutating func replaced(_ predicate: RowPredicate) throws(DataStoreError) -> RowPredicate {
        switch predicate {
        case .always, .column: return predicate
        case .expression(let test):
            return test.isRelated ? try joined(test, among: .always(true)) : predicate
        case .all(let parts): return try replaced(allOf: parts)
        case .any(let parts): return .any(try replaced(parts))
        case .related(let test): return try replaced(test)
        }
    }

    @inline(never)
    private mutating func replaced(_ test: RelatedTest) throws(DataStoreError) -> RowPredicate {
        titles.append(test.title)
        defer { titles.removeLast() }
        switch test.test {
        case .any(let predicate), .none(let predicate):
            let links = test.linksAlone(predicate)
            return try owners(test, where: links == nil ? try lowered(predicate) : predicate, links)
        case .count(let comparison, let count): return try owners(test.relationship, comparison, count)
        }
    }

    @inline(never)
    private mutating func replaced(_ parts: [RowPredicate]) throws(DataStoreError) -> [RowPredicate] {
        var replaced: [RowPredicate] = []
        for part in parts { replaced.append(try self.replaced(part)) }
        return replaced
    }
}

// MARK: Comparisons across references

extension RelatedLowering {
    /// The items that pass all parts, whose comparisons with values of other items come last.
    @inline(never)
    private mutating func replaced(allOf parts: [RowPredicate]) throws(DataStoreError) -> RowPredicate {
        var tests: [ExpressionTest] = []
        var others: [RowPredicate] = []
        for part in parts {
            if case .expression(let test) = part, test.isRelated {
                tests.append(test)
            } else {
                others.append(part)
            }
        }
        let rest = RowPredicate.all(try replaced(others)).simplified
        if rest == .always(false) { return rest }
        var all = [rest]
        for test in tests { all.append(try joined(test, among: rest)) }
        return .all(all)
    }

    /// The items that pass a comparison with values of other items.
    ///
    /// - Parameter predicate: A test without other items; the items that do not pass it are not read.
    @inline(never) private mutating func joined(
        _ test: ExpressionTest, among predicate: RowPredicate
    ) throws(DataStoreError) -> RowPredicate {
        var owner = 0
        test.forEachRelated { path, _ in owner = path.first?.owner ?? owner }
        let joined = RelatedComparison(test, of: owner, where: predicate, in: schema, snapshot)
        if lines != nil {
            titles.append("comparison")
            defer { titles.removeLast() }
            let title = titles.joined(separator: ": ")
            lines? += try snapshot.explain(joined.rows).map { "\(title): \($0)" }
        }
        return .isIn(column: 0, try joined.identifiers(), negated: false)
    }
}

// MARK: Any and none

extension RelatedLowering {
    /// The owners of an item that passes a test, or all others, by a predicate that names no other items.
    /// - Parameter alone: The same test of the links to these items; nil if links do not tell.
    @inline(never) private mutating func owners(
        _ test: RelatedTest, where predicate: RowPredicate, _ alone: RowPredicate?
    ) throws(DataStoreError) -> RowPredicate {
        let relationship = test.relationship
        let values: [Constant]
        switch relationship.form {
        case .reference: values = try self.values(of: 0, of: relationship.target, where: predicate)
        case .referrers(let column):
            values = try self.values(of: column, of: relationship.target, where: predicate)
        case .links(let side):
            let links = if let alone { alone } else { try links(by: side, relationship, where: predicate) }
            titles.append("links")
            defer { titles.removeLast() }
            // In the order of the index that leads from the items to their owners.
            values = try self.values(
                of: side.ownerColumn, of: side.entity, where: links, sortedBy: [side.targetColumn])
        }
        let areRefused = if case .none = test.test { true } else { false }
        return .isIn(column: relationship.ownColumn, values, negated: areRefused)
    }

    /// The test of the links that lead to an item that passes.
    private mutating func links(
        by side: StoreRelationship.LinkSide, _ relationship: StoreRelationship, where predicate: RowPredicate
    ) throws(DataStoreError) -> RowPredicate {
        let targets = try values(of: 0, of: relationship.target, where: predicate)
        return RowPredicate.isIn(column: side.targetColumn, targets, negated: false).simplified
    }

    /// The values of a column in the rows that pass, sorted and distinct, without nil.
    @inline(never) private mutating func values(
        of column: Int, of entity: Int, where predicate: RowPredicate, sortedBy columns: [Int]? = nil
    ) throws(DataStoreError) -> [Constant] {
        if predicate == .always(false) { return [] }
        let attribute = schema.entities[entity].attributes[column]
        var values = ConstantSet(attribute.type.storage)
        let order = predicate == .always(true) ? [column] : columns.map { $0 + [column] } ?? []
        try walk(plan(for: column, of: entity, where: predicate, sortedBy: order)) { values.insert($0) }
        return values.sorted
    }
}

// MARK: Counts

extension RelatedLowering {
    /// The owners with a number of items that compares so with another.
    @inline(never) private mutating func owners(
        _ relationship: StoreRelationship, _ comparison: Comparison, _ count: Int
    ) throws(DataStoreError) -> RowPredicate {
        // Owners of none are met nowhere on the walk: those that are met are named, or all others.
        let acceptsNone = comparison.holds(0, count)
        let column: Int
        let entity: Int
        var counted = RowPredicate.always(true)
        switch relationship.form {
        // One item at most; see RelatedTest.simplified.
        case .reference: return .always(acceptsNone)
        case .referrers(let number): (column, entity) = (number, relationship.target)
        case .links(let side):
            (column, entity) = (side.ownerColumn, side.entity)
            let alone = RelatedTest(relationship, .any(counted)).linksAlone(counted)
            counted = if let alone { alone } else { try links(by: side, relationship, where: counted) }
        }
        let owners = try values(of: column, of: entity, where: counted) {
            comparison.holds($0, count) != acceptsNone
        }
        return .isIn(column: 0, owners, negated: acceptsNone)
    }

    /// The values of a column that a wanted number of the rows that pass has, by one walk in its order.
    private mutating func values(
        of column: Int, of entity: Int, where predicate: RowPredicate, countedBy isWanted: (Int) -> Bool
    ) throws(DataStoreError) -> [Constant] {
        let storage = schema.entities[entity].storage(ofColumn: column)
        let isInteger = storage == .integer
        var values = ConstantSet(storage)
        var current = Constant.null
        var number: Int64 = 0
        var count = 0
        try walk(plan(for: column, of: entity, where: predicate, sortedBy: [column])) { cell in
            // Nearly every identifier is a number, and is compared as one.
            let isSame =
                count > 0
                && (isInteger
                    ? cell.integer == number
                    : current.withCell { cell.order(to: $0, storage: storage) } == 0)
            if isSame {
                count += 1
                return
            }
            if count > 0, isWanted(count) { current.withCell { values.insert($0) } }
            current = Constant(cell, storage: storage)
            number = isInteger ? cell.integer : 0
            count = 1
        }
        if count > 0, isWanted(count) { current.withCell { values.insert($0) } }
        return values.sorted
    }
}

// MARK: Plans

extension RelatedLowering {
    private func plan(
        for column: Int, of entity: Int, where predicate: RowPredicate, sortedBy columns: [Int]
    ) -> RequestPlan {
        let schema = schema.entities[entity]
        let predicate =
            schema.attributes[column].isOptional
            ? RowPredicate.all([predicate, .isNotNull(column: column)]).simplified : predicate
        return RequestPlan(
            entity: entity, schema: schema, columns: .some([column]), predicate: predicate,
            order: columns.map { RequestPlan.SortTerm(column: $0, isAscending: true) })
    }

    /// Runs a body for the one column of each row of a plan.
    private mutating func walk(_ plan: RequestPlan, _ body: (Cell) -> Void) throws(DataStoreError) {
        if lines != nil {
            let title = titles.joined(separator: ": ")
            lines? += try snapshot.explain(plan).map { "\(title): \($0)" }
        }
        try snapshot.forEachRow(of: plan) { if !$0[0].isNull { body($0[0]) } }
    }
}

extension RelatedTest {
    /// The name of the test in an explanation.
    fileprivate var title: String {
        switch test {
        case .any: "any \(relationship.name)"
        case .none: "no \(relationship.name)"
        case .count: "count of \(relationship.name)"
        }
    }
}
