import LarderKernel

extension RowPredicate {
    /// Runs a body for every test that may have constants, from the first to the last, with the form in
    /// which the constants are stored; the number of related items is compared like an integer.
    ///
    /// The parameters of a statement are numbered by it; see ``SQLParameter/test(_:_:)``.
    ///
    /// - Parameter expression: Runs instead of the body for a comparison of calculated values.
    func forEachTest(
        of table: EntityTable, in tables: [EntityTable],
        _ body: (ColumnTest, AttributeType.Storage) -> Void,
        expression: (ExpressionTest, EntityTable) -> Void
    ) {
        switch self {
        case .always: return
        case .column(let column, let test): body(test, table.storages[column])
        case .expression(let test): expression(test, table)
        case .all(let parts), .any(let parts):
            for part in parts { part.forEachTest(of: table, in: tables, body, expression: expression) }
        case .related(let test):
            switch test.test {
            case .any(let predicate), .none(let predicate):
                predicate.forEachTest(
                    of: tables[test.relationship.target], in: tables, body, expression: expression)
            case .count(let comparison, let count):
                body(.compare(comparison, .integer(Int64(count))), .integer)
            }
        }
    }

    /// The number of its tests, as ``forEachTest(of:in:_:expression:)`` comes to them.
    var testCount: Int {
        switch self {
        case .always: 0
        case .column, .expression: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.testCount }
        case .related(let test): test.predicate?.testCount ?? 1
        }
    }

    /// The parts that must all hold.
    var conjuncts: [RowPredicate] {
        if case .all(let parts) = self { parts } else { [self] }
    }
}

extension ExpressionTest {
    /// The two columns, if it compares columns that SQL compares alike; nil if it calculates.
    var comparedColumns: (left: Int, right: Int)? {
        guard case .column(let left, let leftType) = left, case .column(let right, let rightType) = right,
            leftType.storage == rightType.storage
        else { return nil }
        switch leftType.storage {
        case .integer, .unsigned, .real, .text, .blob: return (left, right)
        case .decimal, .json: return nil
        }
    }
}

extension RelatedTest {
    /// The predicate about the items at the other end; nil if they are counted.
    var predicate: RowPredicate? {
        switch test {
        case .any(let predicate), .none(let predicate): predicate
        case .count: nil
        }
    }

    var subqueryCount: Int {
        if case .links = relationship.form { 2 } else { 1 }
    }
}
