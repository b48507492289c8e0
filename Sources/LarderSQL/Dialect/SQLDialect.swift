package import LarderKernel
package import LarderPattern

/// The parts of a statement that engines write in different ways.
///
/// All other parts are the same in every dialect. A dialect is asked while a statement is written, once for each
/// shape of requests, and not when it runs.
///
/// An engine may have no words for some tests. The core runs those on the rows that the engine finds by the others
/// (see ``PartialPlan``), so that the answer is the same everywhere and only the cost differs.
package protocol SQLDialect: Sendable {
    /// The greatest number of parameters of a statement.
    var maximumParameters: Int { get }

    /// The greatest depth of brackets in a condition; a subquery counts as three.
    var maximumDepth: Int { get }

    // MARK: Conditions

    /// A place of a parameter: `?1` or `$1`. Numbers begin at 1, and a parameter may have several places.
    func parameter(_ number: Int) -> String

    /// The place of a value in the app's own SQL.
    ///
    /// *Rule:* a parameter that the app has written itself must not share its number.
    func placeInAppText(_ number: Int) -> String

    /// A condition that always holds, or never.
    func condition(_ value: Bool) -> String

    /// The operator for equal values; two nils are equal.
    var isSame: String { get }

    /// The operator for values that differ; nil differs from every value.
    var isDifferent: String { get }

    /// A column as it is compared and sorted; nil if the engine would do that in another way than
    /// ``RequestPlan/precedes(_:_:)``.
    func operand(_ column: String, _ storage: AttributeType.Storage) -> String?

    /// The test that a value before it is in a list, or is not, with the list as one value; nil if each constant
    /// of a list of this length has a parameter of its own.
    ///
    /// - Parameters:
    ///   - isBehindIndex: True if an index has found the rows by another test, and need not understand this one.
    ///   - length: The number of constants, for engines that need it.
    func membership(
        amongCount count: Int, isNegated: Bool, isBehindIndex: Bool, list: SQLParameter, length: SQLParameter
    ) -> SQLFragment?

    /// The length from which on the test is the same for lists of all lengths.
    var longList: Int { get }

    /// The test of a text that is not just a comparison, false for nil; nil if only the core can run it.
    func textTest(_ test: TextTest, of column: String, needle: SQLParameter) -> SQLFragment?

    /// The test of a text by a pattern, false for nil; nil if only the core can run it.
    func patternTest(of column: String, pattern: SQLParameter) -> SQLFragment?

    /// The way to the core's own filter from inside the engine; nil if the engine cannot call it.
    ///
    /// *Rule:* a dialect that calls it has words for every test of one column, by the same functions of the core.
    var coreFilter: (any SQLCoreFilter)? { get }

    // MARK: Long values

    /// The beginning of a text, for tables with ``ShortenedColumns``.
    func beginning(of operand: SQLFragment, length: Int) -> SQLFragment

    /// The test that a value before it is the beginning of one in a list.
    func membership(amongBeginningsOf list: SQLParameter, length: Int) -> SQLFragment

    // MARK: Order and window

    /// A text as it is sorted without regard to case or diacritics; nil if only the core can fold it.
    func folded(_ operand: String, _ matching: TextMatching) -> String?

    /// A term of an order in which nil comes first ascending and last descending (contract rule 8).
    func term(_ operand: String, isAscending: Bool, mayBeNil: Bool) -> String

    /// A column in an order for which the engine does not choose an index; nil if a subquery that finds
    /// identifiers by an index is of no use to it.
    func unindexed(_ column: String) -> String?

    /// The words before the number of rows that are passed over, in a window without an end.
    var offsetWithoutLimit: String { get }

    // MARK: Tables

    /// The name after a derived table, with the word before it; empty if the engine needs none.
    func nameOfDerivedTable(_ name: String) -> String

    /// The join that makes the engine begin with the table on its left, as far as it lets a statement decide.
    var leadingJoin: String { get }
}

/// The core's own filter, as a function that an engine calls for each row.
package protocol SQLCoreFilter: Sendable {
    /// The call with a predicate, which is bound as a parameter.
    func call(_ predicate: RowPredicate, of table: EntityTable, as parameter: SQLParameter) -> SQLFragment

    /// The depth of a call's brackets.
    func depth(ofColumns count: Int) -> Int
}
