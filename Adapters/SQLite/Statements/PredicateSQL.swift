import Larder

/// Writes a predicate as a condition.
///
/// Conditions are joined by AND and OR alone, so that SQL's "unknown" counts as false and each part only has
/// to be right for nil by itself (contract rule 6).
struct PredicateSQL {
    private let table: EntityTable
    private(set) var fragment = SQLFragment()
    /// The number of the test that comes next.
    private var nextTest = 0

    /// Lists up to this length are written flat; longer ones as trees, as SQLite limits the depth.
    private static let flatLength = 16

    init(_ predicate: RowPredicate, of table: EntityTable) {
        self.table = table
        append(predicate)
    }

    /// The conjunction of the conjuncts at some positions of a predicate.
    init(_ positions: [Int], ofConjuncts conjuncts: [RowPredicate], of table: EntityTable) {
        self.table = table
        appendList(positions[...], joinedBy: " AND ") { sql, position in
            sql.nextTest = conjuncts[..<position].reduce(0) { $0 + $1.testCount }
            sql.append(conjuncts[position])
        }
    }

    private mutating func append(_ predicate: RowPredicate) {
        switch predicate {
        case .always(let value): fragment.append(value ? "1" : "0")
        case .column(let column, let test):
            append(test, column)
            nextTest += 1
        case .all(let parts): appendList(parts[...], joinedBy: " AND ") { $0.append($1) }
        case .any(let parts): appendList(parts[...], joinedBy: " OR ") { $0.append($1) }
        // The core replaces it before a plan gets here.
        case .related: fragment.append("0")
        }
    }

    private mutating func appendList<Part>(
        _ parts: ArraySlice<Part>, joinedBy word: String, _ appendPart: (inout PredicateSQL, Part) -> Void
    ) {
        if parts.isEmpty { fragment.append(word == " AND " ? "1" : "0") }
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
        switch test {
        case .isNull: fragment.append(table.columns[column] + " IS NULL")
        case .isNotNull: fragment.append(table.columns[column] + " IS NOT NULL")
        case .compare(let comparison, _):
            appendComparison(operand(column), sql(comparison, column), .constant)
        case .isIn(let values, let negated):
            appendAcceptingNil(if: negated, column) { sql in
                sql.fragment.append("\(sql.operand(column)) \(negated ? "NOT IN" : "IN") (")
                sql.appendList(of: values.count)
                sql.fragment.append(")")
            }
        case .text(let test, let negated): append(test, column, negated)
        }
    }

    private mutating func append(_ part: SQLParameter.Part) {
        fragment.append(.test(nextTest, part))
    }

    private mutating func appendComparison(_ left: String, _ comparison: String, _ right: SQLParameter.Part) {
        fragment.append("\(left) \(comparison) ")
        append(right)
    }

    /// The column as it is compared.
    private func operand(_ column: Int) -> String {
        table.columns[column]
            + (table.storages[column] == .decimal ? " COLLATE \(DecimalCollation.name)" : "")
    }

    private func sql(_ comparison: Comparison, _ column: Int) -> String {
        switch comparison {
        case .equal: "="
        case .notEqual: table.isOptional(column) ? "IS NOT" : "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    private mutating func appendList(of count: Int) {
        if count > ConstantList.threshold {
            fragment.append(
                ConstantList.query(length: .test(nextTest, .listCount), list: .test(nextTest, .list)))
        } else {
            for position in 0..<count {
                if position > 0 { fragment.append(", ") }
                append(.element(position))
            }
        }
    }

    private mutating func append(_ test: TextTest, _ column: Int, _ negated: Bool) {
        let name = table.columns[column]
        switch (test.kind, test.ignoresCase) {
        case (.equals, false): appendComparison(name, sql(negated ? .notEqual : .equal, column), .constant)
        case (.hasPrefix, false):
            appendAcceptingNil(if: negated, column) { sql in
                sql.appendComparison(name, negated ? "<" : ">=", .constant)
                sql.fragment.append(negated ? " OR " : " AND ")
                sql.appendComparison(name, negated ? ">=" : "<", .prefixEnd)
            }
        case (.equals, true), (.hasPrefix, true), (.hasSuffix, _), (.contains, _):
            let function = TextTestFunction(kind: test.kind, ignoresCase: test.ignoresCase)
            fragment.append("\(negated ? "NOT " : "")\(function.name)(\(name), ")
            append(.constant)
            fragment.append(")")
        }
    }

    /// Appends a test in brackets, which nil passes too if it is said to.
    private mutating func appendAcceptingNil(
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

extension RowPredicate {
    /// The parts that must all hold.
    var conjuncts: [RowPredicate] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    /// The number of its column tests.
    fileprivate var testCount: Int {
        var count = 0
        forEachTest { _, _ in count += 1 }
        return count
    }

    /// The nesting depth of lists.
    var depth: Int {
        switch self {
        case .always, .related, .column: 0
        case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
        }
    }
}
