import Larder
import LarderSQL

/// A second dialect, as an engine without SQLite's liberties has it: numbered parameters, truth values, arrays, and
/// no way to call the core.
struct StandardDialect: SQLDialect {
    var maximumParameters = 65_535
    var maximumDepth = 100
    /// The words after a text that is compared or sorted.
    var collation = ""

    func parameter(_ number: Int) -> String { "$\(number)" }

    func placeInAppText(_ number: Int) -> String { parameter(number) }

    func condition(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    let isSame = "IS NOT DISTINCT FROM"
    let isDifferent = "IS DISTINCT FROM"

    /// Decimal numbers have a type of their own; texts of JSON are not sorted.
    func operand(_ column: String, _ storage: AttributeType.Storage) -> String? {
        storage == .json ? nil : storage == .text ? column + collation : column
    }

    func membership(
        amongCount count: Int, isNegated: Bool, isBehindIndex: Bool, list: SQLParameter, length: SQLParameter
    ) -> SQLFragment? {
        var sql = SQLFragment(isNegated ? " <> ALL(" : " = ANY(")
        sql.append(list)
        sql.append(")")
        return sql
    }

    let longList = 0

    func beginning(of operand: SQLFragment, length: Int) -> SQLFragment {
        var sql = SQLFragment("LEFT(")
        sql.append(operand)
        sql.append(", \(length))")
        return sql
    }

    func membership(amongBeginningsOf list: SQLParameter, length: Int) -> SQLFragment {
        var sql = SQLFragment(" = ANY(BEGINNINGS(\(length), ")
        sql.append(list)
        sql.append("))")
        return sql
    }

    func textTest(_ test: TextTest, of column: String, needle: SQLParameter) -> SQLFragment? {
        guard test.isExact, test.kind == .contains else { return nil }
        var sql = SQLFragment("coalesce(position(")
        sql.append(needle)
        sql.append(" IN \(column)) > 0, FALSE)")
        return sql
    }

    func folded(_ operand: String, _ matching: TextMatching) -> String? { nil }

    func patternTest(of column: String, pattern: SQLParameter) -> SQLFragment? { nil }

    var coreFilter: (any SQLCoreFilter)? { nil }

    func term(_ operand: String, isAscending: Bool, mayBeNil: Bool) -> String {
        switch (isAscending, mayBeNil) {
        case (true, false): operand
        case (true, true): operand + " NULLS FIRST"
        case (false, false): operand + " DESC"
        case (false, true): operand + " DESC NULLS LAST"
        }
    }

    func unindexed(_ column: String) -> String? { nil }

    let offsetWithoutLimit = " OFFSET "

    func nameOfDerivedTable(_ name: String) -> String { " AS \(name)" }

    let leadingJoin = "JOIN"
}
