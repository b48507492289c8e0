import LarderKernel

/// Tests of related items as subqueries that an engine runs once for each request, not for each row.
///
///     "id" IN (SELECT "recipe" FROM "Ingredient" WHERE "name" = ?)
extension PredicateSQL {
    mutating func append(_ test: RelatedTest) {
        switch test.test {
        case .any(let predicate): append(test, where: predicate, areRefused: false)
        case .none(let predicate): append(test, where: predicate, areRefused: true)
        case .count(let comparison, _):
            // Owners of no items are in no group.
            let acceptsNone = comparison.acceptsNone
            append(
                test.relationship, withGroups: acceptsNone ? comparison.opposite : comparison,
                areRefused: acceptsNone)
        }
    }

    /// The owners of an item that passes a test, or all others.
    private mutating func append(_ test: RelatedTest, where predicate: RowPredicate, areRefused: Bool) {
        let relationship = test.relationship
        if test.findsOne(in: catalog) {
            append("\(table.columns[relationship.ownColumn]) = (")
            appendSelect(0, of: relationship.target) { $0.append(predicate) }
            // SQL of the app may have given the value to several items.
            return append(" ORDER BY \(catalog[relationship.target].columns[0]) LIMIT 1)")
        }
        appendMembership(of: relationship.ownColumn, areRefused: areRefused) { sql in
            switch relationship.form {
            case .reference: sql.appendSelect(0, of: relationship.target) { $0.append(predicate) }
            case .referrers(let column):
                sql.appendSelect(column, of: relationship.target) { $0.append(predicate) }
            case .links(let side):
                sql.appendSelect(side.ownerColumn, of: side.entity) { sql in
                    if let moved = test.linksAlone(predicate) { return sql.append(moved) }
                    sql.appendMembership(of: side.targetColumn, areRefused: false) { sql in
                        sql.appendSelect(0, of: relationship.target) { $0.append(predicate) }
                    }
                }
            }
        }
    }

    /// The owners with a number of items that compares so with a constant, or all others.
    private mutating func append(
        _ relationship: StoreRelationship, withGroups comparison: Comparison, areRefused: Bool
    ) {
        let column: Int
        let entity: Int
        switch relationship.form {
        // Not in a plan: a reference leads to one item at most.
        case .reference(let own): (column, entity) = (own, relationship.owner)
        case .referrers(let number): (column, entity) = (number, relationship.target)
        case .links(let side): (column, entity) = (side.ownerColumn, side.entity)
        }
        appendMembership(of: 0, areRefused: areRefused) { sql in
            sql.appendSelect(column, of: entity) { $0.append(.always(true)) }
            sql.append(" GROUP BY \(sql.catalog[entity].columns[column]) HAVING count(*) ")
            sql.appendCount(comparison)
        }
    }

    /// The test whether a column's value is among those that a subquery gives; nil never is.
    private mutating func appendMembership(
        of column: Int, areRefused: Bool, _ subquery: (inout PredicateSQL) -> Void
    ) {
        appendAcceptingNil(if: areRefused, column) { sql in
            sql.append("\(sql.table.columns[column]) \(areRefused ? "NOT IN" : "IN") (")
            subquery(&sql)
            sql.append(")")
        }
    }

    /// A query for the values of a column, without nil, with which NOT IN would be unknown.
    private mutating func appendSelect(
        _ column: Int, of entity: Int, where condition: (inout PredicateSQL) -> Void
    ) {
        let other = catalog[entity]
        append("SELECT \(other.columns[column]) FROM \(other.name) WHERE ")
        if other.isOptional(column) { append("\(other.columns[column]) IS NOT NULL AND ") }
        within(other, condition)
    }
}

extension RelatedTest {
    /// True if it accepts the owners that refer to one item, which a unique value names.
    func findsOne(in catalog: SQLCatalog) -> Bool {
        guard case .any(.column(let column, .compare(.equal, _))) = test,
            case .reference = relationship.form
        else { return false }
        return catalog[relationship.target].uniqueColumns.contains(column)
    }
}
