import Larder

/// Writes a predicate as a condition, a question mark for each constant.
///
/// Conditions are joined by AND and OR alone, so that SQL's "unknown" counts as false and each part only has
/// to be right for nil by itself (contract rule 6). ``PlanBinding`` binds the constants in the same order.
struct PredicateSQL {
    let table: EntityTable
    private(set) var text = ""

    /// Lists up to this length are written flat; longer ones as trees, as SQLite limits the depth.
    private static let flatLength = 16

    init(_ predicate: Predicate, of table: EntityTable) {
        self.table = table
        append(predicate)
    }

    /// The conjunction of some predicates.
    init(all predicates: [Predicate], of table: EntityTable) {
        self.table = table
        append(predicates[...], joinedBy: " AND ")
    }

    private mutating func append(_ predicate: Predicate) {
        switch predicate {
        case .always(let value): text += value ? "1" : "0"
        case .isNull(let column): text += table.columns[column] + " IS NULL"
        case .isNotNull(let column): text += table.columns[column] + " IS NOT NULL"
        case .compare(let column, let comparison, _):
            text += "\(operand(column)) \(sql(comparison, column)) ?"
        case .isIn(let column, let values, let negated): appendIsIn(column, values.count, negated)
        case .text(let column, let test, let negated): append(test, column, negated)
        case .all(let parts): append(parts[...], joinedBy: " AND ")
        case .any(let parts): append(parts[...], joinedBy: " OR ")
        }
    }

    private mutating func append(_ parts: ArraySlice<Predicate>, joinedBy word: String) {
        if parts.isEmpty { text += word == " AND " ? "1" : "0" }
        if parts.count > 1 { text += "(" }
        if parts.count > Self.flatLength {
            let middle = parts.startIndex + parts.count / 2
            append(parts[..<middle], joinedBy: word)
            text += word
            append(parts[middle...], joinedBy: word)
        } else {
            for (position, part) in parts.enumerated() {
                if position > 0 { text += word }
                append(part)
            }
        }
        if parts.count > 1 { text += ")" }
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

    private mutating func appendIsIn(_ column: Int, _ count: Int, _ negated: Bool) {
        let list =
            count > ConstantList.threshold
            ? ConstantList.query : Array(repeating: "?", count: count).joined(separator: ", ")
        let test = "\(operand(column)) \(negated ? "NOT IN" : "IN") (\(list))"
        text += negated ? acceptingNil(test, column) : test
    }

    private mutating func append(_ test: TextTest, _ column: Int, _ negated: Bool) {
        let name = table.columns[column]
        switch (test.kind, test.ignoresCase) {
        case (.equals, false): text += "\(name) \(sql(negated ? .notEqual : .equal, column)) ?"
        case (.hasPrefix, false):
            text +=
                negated
                ? acceptingNil("\(name) < ? OR \(name) >= ?", column) : "(\(name) >= ? AND \(name) < ?)"
        case (.equals, true), (.hasPrefix, true), (.hasSuffix, _), (.contains, _):
            let function = TextTestFunction(kind: test.kind, ignoresCase: test.ignoresCase)
            text += "\(negated ? "NOT " : "")\(function.name)(\(name), ?)"
        }
    }

    private func acceptingNil(_ test: String, _ column: Int) -> String {
        table.isOptional(column) ? "(\(test) OR \(table.columns[column]) IS NULL)" : "(\(test))"
    }
}

extension Predicate {
    /// The parts that must all hold.
    var conjuncts: [Predicate] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    /// How many parameters it takes.
    var parameterCount: Int {
        switch self {
        case .always, .isNull, .isNotNull: 0
        case .compare: 1
        case .text: 2
        case .isIn(_, let values, _): values.count > ConstantList.threshold ? 2 : values.count
        case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.parameterCount }
        }
    }

    /// How deep lists are nested in each other.
    var depth: Int {
        switch self {
        case .always, .isNull, .isNotNull, .compare, .isIn, .text: 0
        case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
        }
    }
}
