import Larder

/// A request as a SELECT.
struct PlanSQL {
    private let plan: RequestPlan
    private let table: EntityTable
    private let form: FilterForm

    init(_ plan: RequestPlan, table: EntityTable, form: FilterForm) {
        self.plan = plan
        self.table = table
        self.form = form
    }

    /// The statement for the rows.
    var rows: String {
        let columns = plan.columns.numbers(of: table.schema).map { table.columns[$0] }
        let list = columns.isEmpty ? "NULL" : columns.joined(separator: ", ")
        return "SELECT \(list) FROM \(table.name)" + filter + order
            + (isWindowInside ? "" : window)
    }

    /// The statement for their number.
    var count: String {
        if plan.limit == nil && plan.offset == 0 {
            return "SELECT count(*) FROM \(table.name)" + condition
        }
        return "SELECT count(*) FROM (SELECT 1 FROM \(table.name)" + condition + window + ")"
    }

    private var filter: String {
        guard case .identifiers(let indexed, let rest) = form else { return condition }
        let id = table.columns[0]
        let conjuncts = plan.predicate.conjuncts
        var text = " WHERE \(id) IN (SELECT \(id) FROM \(table.name) WHERE "
        text += PredicateSQL(all: indexed.map { conjuncts[$0] }, of: table).text
        // The plus keeps SQLite from reading the table for the sake of its order.
        if isWindowInside { text += " ORDER BY +\(id)\(direction(plan.order[0]))" + window }
        text += ")"
        if !rest.isEmpty { text += " AND " + PredicateSQL(all: rest.map { conjuncts[$0] }, of: table).text }
        return text
    }

    /// Whether the subquery for the identifiers knows which rows are in the window.
    private var isWindowInside: Bool {
        guard case .identifiers(_, let rest) = form else { return false }
        return rest.isEmpty && !window.isEmpty
    }

    private var condition: String {
        if case .reference = form { return " WHERE " + ReferenceFilter.call(plan.predicate, of: table) }
        if case .always(true) = plan.predicate { return "" }
        return " WHERE " + PredicateSQL(plan.predicate, of: table).text
    }

    private var order: String {
        let terms = plan.order.map { term in
            let collation = table.storages[term.column] == .decimal ? " COLLATE \(DecimalCollation.name)" : ""
            return table.columns[term.column] + collation + direction(term)
        }
        return terms.isEmpty ? "" : " ORDER BY " + terms.joined(separator: ", ")
    }

    private func direction(_ term: RequestPlan.SortTerm) -> String {
        term.isAscending ? "" : " DESC"
    }

    private var window: String {
        switch (plan.limit != nil, plan.offset > 0) {
        case (false, false): ""
        case (true, false): " LIMIT ?"
        case (false, true): " LIMIT -1 OFFSET ?"
        case (true, true): " LIMIT ? OFFSET ?"
        }
    }
}
