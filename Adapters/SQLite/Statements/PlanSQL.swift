import LarderKernel

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
        let values = columns.isEmpty ? "NULL" : columns.joined(separator: ", ")
        let order = RelatedOrderSQL(plan, in: tables)
        var sql = SQLFragment()
        sql.append("SELECT \(values) FROM \(order.sources)")
        appendFilter(to: &sql)
        if !order.terms.isEmpty { sql.append(" ORDER BY " + order.terms.joined(separator: ", ")) }
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

    /// The statement for values of groups of the rows, whose order and window do not count.
    func aggregates(_ values: [String], groupedBy keys: [String]) -> SQLFragment {
        var sql = SQLFragment()
        sql.append("SELECT \(values.joined(separator: ", ")) FROM \(table.name)")
        appendCondition(to: &sql)
        if !keys.isEmpty {
            let list = keys.joined(separator: ", ")
            sql.append(" GROUP BY \(list) ORDER BY \(list)")
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
            sql.append(ReferenceFilter.call(plan.predicate, of: table, as: .filter))
        } else {
            sql.append(PredicateSQL(plan.predicate, of: plan.entity, in: tables).fragment)
        }
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
