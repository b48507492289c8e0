import Larder

extension RowPredicate {
    /// Runs a body for every test that may have constants, from the first to the last, with the form in
    /// which the constants are stored; the number of related items is compared like an integer.
    ///
    /// The parameters of a statement are numbered by it; see ``SQLParameter/test(_:_:)``.
    func forEachTest(
        of table: EntityTable, in tables: [EntityTable],
        _ body: (ColumnTest, AttributeType.Storage) -> Void
    ) {
        switch self {
        case .always: return
        case .column(let column, let test): body(test, table.storages[column])
        case .all(let parts), .any(let parts):
            for part in parts { part.forEachTest(of: table, in: tables, body) }
        case .related(let test):
            switch test.test {
            case .any(let predicate), .none(let predicate):
                predicate.forEachTest(of: tables[test.relationship.target], in: tables, body)
            case .count(let comparison, let count):
                body(.compare(comparison, .integer(Int64(count))), .integer)
            }
        }
    }

    /// The number of its tests, as ``forEachTest(of:in:_:)`` comes to them.
    var testCount: Int {
        switch self {
        case .always: 0
        case .column: 1
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.testCount }
        case .related(let test): test.predicate?.testCount ?? 1
        }
    }

    /// The number of parameters that its statement has.
    var parameterCount: Int {
        switch self {
        case .always: 0
        case .column(_, let test): test.parameterCount
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.parameterCount }
        case .related(let test): test.predicate?.parameterCount ?? 1
        }
    }

    /// The depth of its brackets as SQL, where a subquery counts as three.
    var depth: Int {
        switch self {
        case .always, .column: 0
        case .all(let parts), .any(let parts):
            PredicateSQL.depth(ofList: parts.count) + (parts.map(\.depth).max() ?? 0)
        case .related(let test):
            PredicateSQL.subqueryDepth * test.subqueryCount + (test.predicate?.depth ?? 0)
        }
    }

    /// The parts that must all hold.
    var conjuncts: [RowPredicate] {
        if case .all(let parts) = self { parts } else { [self] }
    }
}

extension ColumnTest {
    fileprivate var parameterCount: Int {
        switch self {
        case .isNull, .isNotNull: 0
        case .compare: 1
        case .isIn(let values, _): values.count > ConstantList.threshold ? 2 : values.count
        case .text: 2
        }
    }
}

extension RelatedTest {
    /// The predicate about the items at the other end; nil where they are counted.
    fileprivate var predicate: RowPredicate? {
        switch test {
        case .any(let predicate), .none(let predicate): predicate
        case .count: nil
        }
    }

    fileprivate var subqueryCount: Int {
        if case .links = relationship.form { 2 } else { 1 }
    }
}
