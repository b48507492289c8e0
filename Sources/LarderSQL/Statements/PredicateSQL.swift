package import LarderKernel

/// Writes a predicate as a condition.
///
/// Conditions are joined by AND and OR alone, so that SQL's "unknown" counts as false and each part only has
/// to be right for nil by itself (contract rule 6).
package struct PredicateSQL {
    let catalog: SQLCatalog
    /// The table that the part is about which is being written.
    private(set) var table: EntityTable
    package private(set) var fragment = SQLFragment()
    /// The number of the test that comes next.
    private var nextTest = 0

    /// Lists up to this length are written flat; longer ones as trees, as engines limit the depth.
    private static let flatLength = 16

    /// The depth of a subquery, in brackets: about as many entries of the stack of a parser.
    static let subqueryDepth = 3

    /// - Parameter predicate: One whose tests the dialect has words for; see ``SQLCatalog/hasWords(for:of:)``.
    package init(_ predicate: RowPredicate, of entity: Int, in catalog: SQLCatalog) {
        self.catalog = catalog
        table = catalog[entity]
        append(predicate)
    }

    /// The conjunction of the conjuncts at some positions of a predicate.
    init(
        _ positions: [Int], ofConjuncts conjuncts: [RowPredicate], of entity: Int, in catalog: SQLCatalog
    ) {
        self.catalog = catalog
        table = catalog[entity]
        let firstTests = conjuncts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.testCount) }
        appendList(positions[...], joinedBy: " AND ") { sql, position in
            sql.nextTest = firstTests[position]
            sql.append(conjuncts[position])
        }
    }

    /// The depth of a list, in brackets.
    static func depth(ofList count: Int) -> Int {
        var (depth, count) = (1, count)
        while count > flatLength { (depth, count) = (depth + 1, (count + 1) / 2) }
        return depth
    }

    mutating func append(_ predicate: RowPredicate) {
        switch predicate {
        case .always(let value): fragment.append(dialect.condition(value))
        case .column(let column, let test):
            append(test, column)
            nextTest += 1
        case .expression(let test):
            append(test)
            nextTest += 1
        case .all(let parts): appendList(parts[...], joinedBy: " AND ") { $0.append($1) }
        case .any(let parts): appendList(parts[...], joinedBy: " OR ") { $0.append($1) }
        case .related(let test): append(test)
        }
    }

    mutating func append(_ text: String) {
        fragment.append(text)
    }

    var dialect: any SQLDialect { catalog.dialect }

    /// Appends a part that is about another table.
    mutating func within(_ other: EntityTable, _ body: (inout PredicateSQL) -> Void) {
        let outer = table
        table = other
        body(&self)
        table = outer
    }

    /// Appends the comparison of a number of items with the constant of the next test.
    mutating func appendCount(_ comparison: Comparison) {
        fragment.append(comparison.sql + " ")
        append(.constant)
        nextTest += 1
    }

    private mutating func appendList<Part>(
        _ parts: ArraySlice<Part>, joinedBy word: String, _ appendPart: (inout PredicateSQL, Part) -> Void
    ) {
        if parts.isEmpty { fragment.append(dialect.condition(word == " AND ")) }
        if parts.count > 1 { fragment.append("(") }
        if parts.count > Self.flatLength {
            let middle = parts.startIndex + parts.count / 2
            appendList(parts[..<middle], joinedBy: word, appendPart)
            fragment.append(word)
            appendList(parts[middle...], joinedBy: word, appendPart)
        } else {
            for (position, part) in parts.enumerated() {
                if position > 0 { fragment.append(word) }
                appendPart(&self, part)
            }
        }
        if parts.count > 1 { fragment.append(")") }
    }
}

// MARK: Tests of one column

extension PredicateSQL {
    private mutating func append(_ test: ColumnTest, _ column: Int) {
        guard let length = table.shortLength(of: column), let short = beginning(test, column, length) else {
            return appendWhole(test, column)
        }
        if case .isNull = test { return fragment.append(short) }
        append("(")
        fragment.append(short)
        // A planner would multiply the chances of two tests that are one; a CASE counts as half of the rows.
        append(" AND CASE WHEN \(table.columns[column]) IS NOT NULL THEN ")
        appendWhole(test, column, isBehindIndex: true)
        append(" END)")
    }

    /// The condition on the beginning of a column that the rows which pass a test fulfill; nil if no index finds them.
    private func beginning(_ test: ColumnTest, _ column: Int, _ length: Int) -> SQLFragment? {
        var sql = dialect.beginning(of: SQLFragment(table.columns[column]), length: length)
        let key = sql
        func compare(_ comparison: String, _ part: SQLParameter.Part) {
            var operand = SQLFragment()
            operand.append(.test(nextTest, part))
            sql.append(" \(comparison) ")
            sql.append(dialect.beginning(of: operand, length: length))
        }
        switch test {
        case .isNull: sql.append(" IS NULL")
        case .compare(.equal, _): compare("=", .constant)
        case .compare(.less, _), .compare(.lessOrEqual, _): compare("<=", .constant)
        case .compare(.greater, _), .compare(.greaterOrEqual, _): compare(">=", .constant)
        case .isIn(_, false):
            sql.append(dialect.membership(amongBeginningsOf: .test(nextTest, .list), length: length))
        case .text(let test, false) where test.isExact && test.kind == .equals: compare("=", .constant)
        case .text(let test, false) where test.isExact && test.kind == .hasPrefix:
            compare(">=", .constant)
            sql.append(" AND ")
            sql.append(key)
            compare("<=", .prefixEnd)
        case .isNotNull, .compare(.notEqual, _), .isIn, .text, .pattern: return nil
        }
        return sql
    }

    /// - Parameter isBehindIndex: As in ``SQLDialect/membership(amongCount:isNegated:isBehindIndex:list:length:)``.
    private mutating func appendWhole(_ test: ColumnTest, _ column: Int, isBehindIndex: Bool = false) {
        switch test {
        case .isNull: fragment.append(table.columns[column] + " IS NULL")
        case .isNotNull: fragment.append(table.columns[column] + " IS NOT NULL")
        case .compare(let comparison, _):
            appendComparison(operand(column), sql(comparison, column), .constant)
        case .isIn(let values, let negated):
            appendAcceptingNil(if: negated, column) { sql in
                sql.append(sql.operand(column))
                sql.appendMembership(
                    amongCount: values.count, isNegated: negated, isBehindIndex: isBehindIndex)
            }
        case .text(let test, let negated): append(test, column, negated)
        case .pattern(_, let negated):
            append(
                dialect.patternTest(of: table.columns[column], pattern: .test(nextTest, .pattern)),
                isNegated: negated)
        }
    }

    private mutating func append(_ part: SQLParameter.Part) {
        fragment.append(.test(nextTest, part))
    }

    private mutating func appendComparison(_ left: String, _ comparison: String, _ right: SQLParameter.Part) {
        fragment.append("\(left) \(comparison) ")
        append(right)
    }

    /// Appends a test that the dialect has words for, or its opposite.
    private mutating func append(_ test: SQLFragment?, isNegated: Bool) {
        precondition(test != nil, "A test of \(table.plainName) without words was not left to the core.")
        if isNegated { append("NOT ") }
        if let test { fragment.append(test) }
    }

    /// The column as it is compared.
    private func operand(_ column: Int) -> String {
        let name = table.columns[column]
        return dialect.operand(name, table.storages[column]) ?? name
    }

    private func sql(_ comparison: Comparison, _ column: Int) -> String {
        comparison == .notEqual && table.isOptional(column) ? dialect.isDifferent : comparison.sql
    }

    private mutating func appendMembership(amongCount count: Int, isNegated: Bool, isBehindIndex: Bool) {
        let whole = dialect.membership(
            amongCount: count, isNegated: isNegated, isBehindIndex: isBehindIndex,
            list: .test(nextTest, .list), length: .test(nextTest, .listCount))
        if let whole { return fragment.append(whole) }
        append(isNegated ? " NOT IN (" : " IN (")
        for position in 0..<count {
            if position > 0 { append(", ") }
            append(.element(position))
        }
        append(")")
    }

    private mutating func append(_ test: TextTest, _ column: Int, _ negated: Bool) {
        let operand = operand(column)
        switch (test.kind, test.isExact) {
        case (.equals, true): appendComparison(operand, sql(negated ? .notEqual : .equal, column), .constant)
        case (.hasPrefix, true):
            appendAcceptingNil(if: negated, column) { sql in
                sql.appendComparison(operand, negated ? "<" : ">=", .constant)
                sql.fragment.append(negated ? " OR " : " AND ")
                sql.appendComparison(operand, negated ? ">=" : "<", .prefixEnd)
            }
        case (.equals, false), (.hasPrefix, false), (.hasSuffix, _), (.contains, _), (.less, _),
            (.lessOrEqual, _), (.greater, _), (.greaterOrEqual, _):
            let whole = dialect.textTest(
                test, of: table.columns[column], needle: .test(nextTest, .constant))
            append(whole, isNegated: negated)
        }
    }

    /// Appends a test in brackets, which nil passes too if it is said to.
    mutating func appendAcceptingNil(
        if acceptsNil: Bool, _ column: Int, _ test: (inout PredicateSQL) -> Void
    ) {
        fragment.append("(")
        test(&self)
        if acceptsNil && table.isOptional(column) {
            fragment.append(" OR \(table.columns[column]) IS NULL")
        }
        fragment.append(")")
    }
}

// MARK: Comparisons of two values

extension PredicateSQL {
    private mutating func append(_ test: ExpressionTest) {
        guard let columns = test.comparedColumns else {
            return append(
                dialect.coreFilter?.call(.expression(test), of: table, as: .test(nextTest, .expression)),
                isNegated: false)
        }
        let (left, right) = (operand(columns.left), operand(columns.right))
        switch (test.comparison, test.negated) {
        case (.equal, false), (.notEqual, true): append("\(left) \(dialect.isSame) \(right)")
        case (.notEqual, false), (.equal, true): append("\(left) \(dialect.isDifferent) \(right)")
        case (.less, false), (.lessOrEqual, false), (.greater, false), (.greaterOrEqual, false):
            fragment.append("\(left) \(test.comparison.sql) \(right)")
        case (.less, true), (.lessOrEqual, true), (.greater, true), (.greaterOrEqual, true):
            let names = (table.columns[columns.left], table.columns[columns.right])
            fragment.append("(\(left) \(test.comparison.opposite.sql) \(right)")
            fragment.append(" OR \(names.0) IS NULL OR \(names.1) IS NULL)")
        }
    }
}

extension Comparison {
    /// The operator for values that are not nil.
    fileprivate var sql: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
        }
    }
}
