import LarderKernel

/// An order by attributes of related items, as tables that are joined: one for each step of a path.
///
///     FROM Recipe LEFT JOIN (SELECT id AS larder_0_key, name AS larder_0_value FROM Kind)
///     ON larder_0_key = kind ORDER BY larder_0_value, id
///
/// At most one row is joined to each, so that none comes twice. The columns of joined tables have names that no column
/// of the item type has, as all are written without the name of their table.
struct RelatedOrderSQL {
    private let plan: RequestPlan
    private let catalog: SQLCatalog
    /// The beginning of the joined columns' names.
    private let prefix: String
    private var joined: [Join] = []
    /// The terms as SQL.
    private(set) var terms: [String] = []

    /// SQLite joins 64 tables at most, and one has the items themselves.
    static let maximumJoins = 63

    private struct Join {
        let table: String
        let condition: String
    }

    init(_ plan: RequestPlan, in catalog: SQLCatalog) {
        self.plan = plan
        self.catalog = catalog
        var prefix = "larder_"
        let names = plan.relatedOrder == nil ? [] : catalog[plan.entity].columns.map { $0.lowercased() }
        while names.contains(where: { $0.hasPrefix("\"" + prefix) }) { prefix += "_" }
        self.prefix = prefix
        for term in plan.terms {
            if let beginning = beginning(of: term) { terms.append(beginning) }
            terms.append(join(term))
        }
        if isLed, let leading = plan.relatedOrder?.terms.first, leadsToOne(leading) {
            // It changes no order, and shows the engine that the items of one value come by their
            // identifiers.
            let key = catalog.dialect.term(
                "\(prefix)0_key", isAscending: leading.term.isAscending, mayBeNil: false)
            terms.insert(key, at: 1)
        }
    }

    /// True if each value belongs to one related item, and not nil to any number of them.
    private func leadsToOne(_ term: RelatedOrder.Term) -> Bool {
        guard !term.isFolded, let relationship = term.path.last else { return false }
        let target = catalog[relationship.target]
        return target.uniqueColumns.contains(term.term.column) && !target.isOptional(term.term.column)
    }

    /// The tables that rows are read from.
    var sources: String {
        let own = catalog[plan.entity].name
        if isLed, let first = joined.first {
            return "\(first.table) \(catalog.dialect.leadingJoin) \(own) ON \(first.condition)"
        }
        return joined.reduce(own) { "\($0) LEFT JOIN \($1.table) ON \($1.condition)" }
    }

    /// True if a short window is found sooner along an index of the related items than by sorting all rows.
    ///
    /// An engine would read all rows: it knows nothing of the number of related items. Each row must have one.
    private var isLed: Bool {
        guard plan.limit != nil, plan.predicate == .always(true), let term = plan.relatedOrder?.terms.first,
            term.path.count == 1, let relationship = term.path.first, relationship.ends == .always,
            plan.terms.count == 2, joined.count == 1
        else { return false }
        return !term.isFolded && catalog[relationship.target].indexedColumns.contains(term.term.column)
    }

    /// The term that an index has in the place of this one; nil if it has the whole.
    private func beginning(of term: RelatedOrder.Term) -> String? {
        let table = catalog[plan.entity]
        let column = term.term.column
        guard term.path.isEmpty, !term.isFolded, let length = table.shortLength(of: column) else {
            return nil
        }
        let dialect = catalog.dialect
        let operand = dialect.beginning(of: SQLFragment(table.columns[column]), length: length)
        return dialect.term(
            operand.text(in: dialect), isAscending: term.term.isAscending, mayBeNil: table.isOptional(column))
    }

    private mutating func join(_ term: RelatedOrder.Term) -> String {
        var operand = catalog[plan.entity].columns[term.path.first?.ownColumn ?? term.term.column]
        var end = catalog[plan.entity]
        for (position, relationship) in term.path.enumerated() {
            end = catalog[relationship.target]
            switch relationship.form {
            case .reference(let column):
                if position > 0 {
                    operand = step(from: 0, to: column, of: catalog[relationship.owner], by: operand)
                }
            case .referrers(let column): operand = step(from: column, to: 0, of: end, by: operand)
            // An order does not lead through several items.
            case .links: break
            }
        }
        let column = term.term.column
        if !term.path.isEmpty, column > 0 { operand = step(from: 0, to: column, of: end, by: operand) }
        let dialect = catalog.dialect
        operand = dialect.operand(operand, end.storages[column]) ?? operand
        if term.isFolded { operand = dialect.folded(operand, term.matching) ?? operand }
        return dialect.term(
            operand, isAscending: term.term.isAscending,
            mayBeNil: !term.path.isEmpty || end.isOptional(column))
    }

    /// Joins the row of a table that has a value in one column, and gives the name of another.
    private mutating func step(
        from key: Int, to value: Int, of table: EntityTable, by operand: String
    ) -> String {
        let name = prefix + "\(joined.count)"
        joined.append(
            Join(
                table: """
                    (SELECT \(table.columns[key]) AS \(name)_key, \(table.columns[value]) AS \(name)_value \
                    FROM \(table.name))\(catalog.dialect.nameOfDerivedTable(name))
                    """,
                condition: "\(name)_key = \(operand)"))
        return name + "_value"
    }
}

extension RelatedOrder.Term {
    /// The number of tables that are joined for it at most.
    var joinCount: Int {
        guard let first = path.first else { return 0 }
        // The items' own table has the identifiers that their own references lead to.
        if case .reference = first.form { return path.count }
        return path.count + 1
    }
}
