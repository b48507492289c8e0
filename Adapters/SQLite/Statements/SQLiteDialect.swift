import LarderKernel
import LarderPattern
import LarderSQL

/// The SQL of SQLite, with the functions that are registered on our connections.
struct SQLiteDialect: SQLDialect {
    let maximumParameters: Int

    /// False if statements do without our functions; see ``SQLiteOptions/callsFunctions``.
    var callsFunctions = true

    /// The stack of SQLite's parser has room for about 27 open brackets.
    let maximumDepth = 16

    func parameter(_ number: Int) -> String { "?\(number)" }

    func placeInAppText(_ number: Int) -> String { "?" }

    func condition(_ value: Bool) -> String { value ? "1" : "0" }

    let isSame = "IS"
    let isDifferent = "IS NOT"

    func operand(_ column: String, _ storage: AttributeType.Storage) -> String? {
        guard storage == .decimal else { return column }
        return callsFunctions ? "\(column) COLLATE \(DecimalCollation.name)" : nil
    }

    func membership(
        amongCount count: Int, isNegated: Bool, isBehindIndex: Bool, list: SQLParameter, length: SQLParameter
    ) -> SQLFragment? {
        guard count >= longList else { return nil }
        var sql = SQLFragment(isNegated ? " NOT IN (" : " IN (")
        sql.append(ConstantList.query(length: length, list: list))
        sql.append(")")
        return sql
    }

    var longList: Int { callsFunctions ? ConstantList.minimumLength : .max }

    // Indexes of SQLite take values of any length.
    func beginning(of operand: SQLFragment, length: Int) -> SQLFragment { operand }

    func membership(amongBeginningsOf list: SQLParameter, length: Int) -> SQLFragment {
        SQLFragment(" IS NOT NULL")
    }

    func textTest(_ test: TextTest, of column: String, needle: SQLParameter) -> SQLFragment? {
        call(TextTestFunction(test).name, column, needle)
    }

    func patternTest(of column: String, pattern: SQLParameter) -> SQLFragment? {
        call(PatternFunction.name, column, pattern)
    }

    private func call(_ function: String, _ column: String, _ parameter: SQLParameter) -> SQLFragment? {
        guard callsFunctions else { return nil }
        var sql = SQLFragment("\(function)(\(column), ")
        sql.append(parameter)
        sql.append(")")
        return sql
    }

    func folded(_ operand: String, _ matching: TextMatching) -> String? {
        callsFunctions ? "\(FoldingFunction.name(of: matching))(\(operand))" : nil
    }

    var coreFilter: (any SQLCoreFilter)? { callsFunctions ? ReferenceFilter.Call() : nil }

    func term(_ operand: String, isAscending: Bool, mayBeNil: Bool) -> String {
        // Nil comes first ascending by itself.
        isAscending ? operand : operand + " DESC"
    }

    func unindexed(_ column: String) -> String? { "+" + column }

    let offsetWithoutLimit = " LIMIT -1 OFFSET "

    func nameOfDerivedTable(_ name: String) -> String { "" }

    let leadingJoin = "CROSS JOIN"
}
