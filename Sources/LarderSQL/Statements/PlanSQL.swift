package import LarderKernel

/// A request as a SELECT.
package struct PlanSQL {
    private let plan: RequestPlan
    private let catalog: SQLCatalog
    private let table: EntityTable
    private let form: FilterForm

    /// - Parameter isOrdered: True if the order of the rows matters; false for a count.
    package init(_ plan: RequestPlan, in catalog: SQLCatalog, isOrdered: Bool) {
        self.plan = plan
        self.catalog = catalog
        table = catalog[plan.entity]
        form = FilterForm(of: plan, in: catalog, isOrdered: isOrdered)
    }

    /// The statement for the rows.
    package var rows: SQLFragment {
        let columns = plan.columns.numbers(of: table.schema).map { table.columns[$0] }
        let values = columns.isEmpty ? "NULL" : columns.joined(separator: ", ")
        let order = RelatedOrderSQL(plan, in: catalog)
        var sql = SQLFragment()
        sql.append("SELECT \(values) FROM \(order.sources)")
        appendFilter(to: &sql)
        if !order.terms.isEmpty { sql.append(" ORDER BY " + order.terms.joined(separator: ", ")) }
        if !isWindowInside { appendWindow(to: &sql) }
        return sql
    }

    /// The statement for their number.
    package var count: SQLFragment {
        var sql = SQLFragment()
        if plan.limit == nil && plan.offset == 0 {
            sql.append("SELECT count(*) FROM \(table.name)")
            appendCondition(to: &sql)
        } else {
            sql.append("SELECT count(*) FROM (SELECT 1 FROM \(table.name)")
            appendCondition(to: &sql)
            appendWindow(to: &sql)
            sql.append(")" + catalog.dialect.nameOfDerivedTable("larder_rows"))
        }
        return sql
    }

    /// The statement for values of groups of the rows, whose order and window do not count.
    package func aggregates(_ values: [String], groupedBy keys: [Int]) -> SQLFragment {
        var sql = SQLFragment()
        sql.append("SELECT \(values.joined(separator: ", ")) FROM \(table.name)")
        appendCondition(to: &sql)
        if !keys.isEmpty {
            // After the name of the table: PostgreSQL calls the value of count(*) "count", and takes a bare name in an
            // order for that.
            let order = keys.map { column in
                catalog.dialect.term(
                    "\(table.name).\(table.columns[column])", isAscending: true,
                    mayBeNil: table.isOptional(column))
            }
            let names = keys.map { table.columns[$0] }
            sql.append(" GROUP BY \(names.joined(separator: ", ")) ORDER BY \(order.joined(separator: ", "))")
        }
        return sql
    }

    private func appendFilter(to sql: inout SQLFragment) {
        guard case .identifiers(let indexed, let rest) = form else { return appendCondition(to: &sql) }
        let id = table.columns[0]
        let conjuncts = plan.predicate.conjuncts
        sql.append(" WHERE \(id) IN (SELECT \(id) FROM \(table.name) WHERE ")
        sql.append(PredicateSQL(indexed, ofConjuncts: conjuncts, of: plan.entity, in: catalog).fragment)
        if isWindowInside {
            // So that the engine does not read the table for the sake of its order.
            let operand = catalog.dialect.unindexed(id) ?? id
            sql.append(
                " ORDER BY "
                    + catalog.dialect.term(operand, isAscending: plan.order[0].isAscending, mayBeNil: false))
            appendWindow(to: &sql)
        }
        sql.append(")")
        if !rest.isEmpty {
            sql.append(" AND ")
            sql.append(PredicateSQL(rest, ofConjuncts: conjuncts, of: plan.entity, in: catalog).fragment)
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
        if case .core(let filter) = form {
            sql.append(filter.call(plan.predicate, of: table, as: .filter))
        } else {
            sql.append(PredicateSQL(plan.predicate, of: plan.entity, in: catalog).fragment)
        }
    }

    private func appendWindow(to sql: inout SQLFragment) {
        if plan.limit != nil {
            sql.append(" LIMIT ")
            sql.append(.limit)
        }
        if plan.offset > 0 {
            sql.append(plan.limit == nil ? catalog.dialect.offsetWithoutLimit : " OFFSET ")
            sql.append(.offset)
        }
    }
}
