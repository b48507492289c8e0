import Larder

/// A request as a SELECT.
struct PlanSQL {
    private let plan: RequestPlan
    private let tables: [EntityTable]
    private let table: EntityTable
    private let form: FilterForm

    init(_ plan: RequestPlan, in tables: [EntityTable], form: FilterForm) {
        self.plan = plan
        self.tables = tables
        table = tables[plan.entity]
        self.form = form
    }

    /// The statement for the rows.
    var rows: SQLFragment {
        let columns = plan.columns.numbers(of: table.schema).map { table.columns[$0] }
        var sql = SQLFragment()
        sql.append("SELECT \(columns.isEmpty ? "NULL" : columns.joined(separator: ", ")) FROM \(table.name)")
        appendFilter(to: &sql)
        sql.append(order)
        if !isWindowInside { appendWindow(to: &sql) }
        return sql
    }

    /// The statement for their number.
    var count: SQLFragment {
        var sql = SQLFragment()
        if plan.limit == nil && plan.offset == 0 {
            sql.append("SELECT count(*) FROM \(table.name)")
            appendCondition(to: &sql)
        } else {
            sql.append("SELECT count(*) FROM (SELECT 1 FROM \(table.name)")
            appendCondition(to: &sql)
            appendWindow(to: &sql)
            sql.append(")")
        }
        return sql
    }

    private func appendFilter(to sql: inout SQLFragment) {
        guard case .identifiers(let indexed, let rest) = form else { return appendCondition(to: &sql) }
        let id = table.columns[0]
        let conjuncts = plan.predicate.conjuncts
        sql.append(" WHERE \(id) IN (SELECT \(id) FROM \(table.name) WHERE ")
        sql.append(PredicateSQL(indexed, ofConjuncts: conjuncts, of: plan.entity, in: tables).fragment)
        if isWindowInside {
            // The plus keeps SQLite from reading the table for the sake of its order.
            sql.append(" ORDER BY +\(id)\(direction(plan.order[0]))")
            appendWindow(to: &sql)
        }
        sql.append(")")
        if !rest.isEmpty {
            sql.append(" AND ")
            sql.append(PredicateSQL(rest, ofConjuncts: conjuncts, of: plan.entity, in: tables).fragment)
        }
    }

    /// True if the subquery for the identifiers knows which rows are in the window.
    private var isWindowInside: Bool {
        guard case .identifiers(_, let rest) = form else { return false }
        return rest.isEmpty && (plan.limit != nil || plan.offset > 0)
    }

    private func appendCondition(to sql: inout SQLFragment) {
        if case .always(true) = plan.predicate { return }
        sql.append(" WHERE ")
        if case .reference = form {
            sql.append(ReferenceFilter.call(plan.predicate, of: table))
        } else {
            sql.append(PredicateSQL(plan.predicate, of: plan.entity, in: tables).fragment)
        }
    }

    private var order: String {
        let terms = plan.terms.map { term in
            let end = term.path.last.map { tables[$0.target] } ?? table
            let collation =
                end.storages[term.term.column] == .decimal ? " COLLATE \(DecimalCollation.name)" : ""
            return operand(of: term) + collation + direction(term.term)
        }
        return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
    }

    /// The attribute of a term, as a subquery for each step of the path to it.
    private func operand(of term: RelatedOrder.Term) -> String {
        guard let first = term.path.first else { return table.columns[term.term.column] }
        var operand = "\(table.name).\(table.columns[first.ownColumn])"
        var entity = first.target
        func step(from column: Int, to value: Int) {
            let (other, alias) = (tables[entity], tables[entity].alias)
            operand = """
                (SELECT \(alias).\(other.columns[value]) FROM \(other.name) AS \(alias) \
                WHERE \(alias).\(other.columns[column]) = \(operand))
                """
        }
        for (position, relationship) in term.path.enumerated() {
            switch relationship.form {
            case .reference(let column): if position > 0 { step(from: 0, to: column) }
            case .referrers(let column):
                entity = relationship.target
                step(from: column, to: 0)
            // An order does not lead through several items.
            case .links: break
            }
            entity = relationship.target
        }
        if term.term.column > 0 { step(from: 0, to: term.term.column) }
        return operand
    }

    private func direction(_ term: RequestPlan.SortTerm) -> String {
        term.isAscending ? "" : " DESC"
    }

    private func appendWindow(to sql: inout SQLFragment) {
        if plan.limit != nil {
            sql.append(" LIMIT ")
            sql.append(.limit)
        }
        if plan.offset > 0 {
            sql.append(plan.limit == nil ? " LIMIT -1 OFFSET " : " OFFSET ")
            sql.append(.offset)
        }
    }
}
