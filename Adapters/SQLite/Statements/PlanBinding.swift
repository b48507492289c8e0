import Larder

/// Binds the constants of a request, in the order in which ``PlanSQL`` and ``PredicateSQL`` ask for them.
struct PlanBinding {
    private let statement: SQLiteStatement
    private let table: EntityTable
    private var index: Int32 = 1

    static func bind(_ plan: RequestPlan, to prepared: PlanStatement, of table: EntityTable) {
        var binding = PlanBinding(statement: prepared.statement, table: table)
        switch prepared.form {
        case .condition: binding.bind(plan.predicate)
        case .identifiers(let indexed, let rest):
            let conjuncts = plan.predicate.conjuncts
            for position in indexed { binding.bind(conjuncts[position]) }
            for position in rest { binding.bind(conjuncts[position]) }
        case .reference:
            ReferenceFilter(plan.predicate, of: table.schema).bind(to: prepared.statement, at: binding.index)
            binding.index += 1
        }
        if let limit = plan.limit { binding.bind(limit) }
        if plan.offset > 0 { binding.bind(plan.offset) }
    }

    private init(statement: SQLiteStatement, table: EntityTable) {
        self.statement = statement
        self.table = table
    }

    private mutating func bind(_ predicate: Predicate) {
        switch predicate {
        case .always, .isNull, .isNotNull: break
        case .compare(let column, _, let constant): bind(constant, column)
        case .isIn(let column, let values, _):
            if values.count > ConstantList.threshold {
                index = ConstantList(values).bind(to: statement, at: index)
            } else {
                for value in values { bind(value, column) }
            }
        case .text(let column, let test, _): bind(test, column)
        case .all(let parts), .any(let parts): for part in parts { bind(part) }
        }
    }

    private mutating func bind(_ constant: Constant, _ column: Int) {
        statement.bind(constant, as: table.storages[column], at: index)
        index += 1
    }

    private mutating func bind(_ number: Int) {
        statement.bind(number, at: index)
        index += 1
    }

    private mutating func bind(_ test: TextTest, _ column: Int) {
        bind(test.needle, column)
        if test.kind == .hasPrefix && !test.ignoresCase { bindEnd(ofTextsBeginningWith: test.needle) }
    }

    /// Binds what comes behind every text with the prefix: the prefix with its last byte one higher, or, as
    /// every text begins with the empty one, bytes, which SQLite sorts behind all text.
    private mutating func bindEnd(ofTextsBeginningWith prefix: Constant) {
        var end = prefix.withCell { Array($0.bytes) }
        if let last = end.popLast() {
            end.append(last &+ 1)  // no byte of UTF-8 is 0xFF
            _ = end.withUnsafeBytes { statement.bindText($0, at: index, .copied) }
        } else {
            statement.bindBlob(UnsafeRawBufferPointer(start: nil, count: 0), at: index, .copied)
        }
        index += 1
    }
}
