import Larder
import LarderMemory
import Testing

@testable import LarderKernel

@Suite struct ExplainTests {
    private static let long = String(repeating: "x", count: 600)
    private static let isA = RowPredicate.compare(column: 1, .equal, .text("a"))
    private static let isFlagged = RowPredicate.compare(column: 6, .equal, .integer(1))
    private static let isGood = RowPredicate.compare(column: 3, .greater, .real(4))

    @Test(arguments: [
        (RowPredicate.always(true), ["scan"]),
        (.always(false), ["nothing"]),
        (.compare(column: 0, .equal, .integer(1)), ["by id"]),
        (.isIn(column: 0, [.integer(1), .integer(2)], negated: false), ["by id"]),
        (.compare(column: 0, .greater, .integer(1)), ["range of ids where id > ?"]),
        (isA, ["index Sample(name) where name == ?"]),
        (
            .text(column: 1, TextTest(.equals, "a", ignoresCase: false), negated: false),
            ["index Sample(name) where name == ?"]
        ),
        (.compare(column: 8, .equal, .blob([])), ["index Sample(token) where token == ?"]),
        (.isNull(column: 7), ["index Sample(big) where big == nil"]),
        (
            .all([isFlagged, .compare(column: 5, .equal, .integer(2))]),
            ["index Sample(flag, count) where flag == ? and count == ?"]
        ),
        (.all([isA, isGood]), ["index Sample(name) where name == ?", "filter"]),
        (
            .all([isA, .compare(column: 8, .equal, .blob([]))]),
            ["index Sample(token) where token == ?", "filter"]
        ),
        (.all([isA, .compare(column: 0, .equal, .integer(4))]), ["by id", "filter"]),
        (isFlagged, ["index Sample(flag, count) where flag == ?", "sort"]),
        (
            .isIn(column: 1, [.text("a"), .text("b")], negated: false),
            ["index Sample(name) where name in 2 values", "sort"]
        ),
        (.isIn(column: 1, [.text("a"), .text("b")], negated: true), ["scan", "filter"]),
    ])
    func `the path is the one that fixes most`(predicate: RowPredicate, lines: [String]) throws {
        #expect(try explain(predicate) == lines)
    }

    @Test(arguments: [
        (isGood, ["index Sample(rating) where rating > ?", "sort"]),
        (
            .all([isGood, .compare(column: 3, .lessOrEqual, .real(5))]),
            ["index Sample(rating) where rating > ? and rating <= ?", "sort"]
        ),
        (
            .all([isGood, .compare(column: 3, .greater, .real(5))]),
            ["index Sample(rating) where rating > ?", "filter", "sort"]
        ),
        (hasPrefix("a"), ["index Sample(name) where name hasPrefix ?", "sort"]),
        (
            .text(column: 1, TextTest(.hasPrefix, "a", ignoresCase: true), negated: false),
            ["scan", "filter"]
        ),
        (
            .all([isGood, hasPrefix("a")]), ["index Sample(name) where name hasPrefix ?", "filter", "sort"]
        ),
        (
            .all([isFlagged, .compare(column: 5, .greaterOrEqual, .integer(2))]),
            ["index Sample(flag, count) where flag == ? and count >= ?", "sort"]
        ),
        (
            .all([isFlagged, .isIn(column: 5, [.integer(1), .integer(2)], negated: false)]),
            ["index Sample(flag, count) where flag == ? and count in 2 values", "sort"]
        ),
        (.isNotNull(column: 7), ["scan", "filter"]),
    ])
    func `ends of a column are the part of an index that is read`(
        predicate: RowPredicate, lines: [String]
    ) throws {
        #expect(try explain(predicate) == lines)
    }

    @Test(arguments: [
        (RowPredicate.always(true), [3], true, ["index Sample(rating)"]),
        (.always(true), [3], false, ["index Sample(rating) backwards"]),
        (.always(true), [6, 5], false, ["index Sample(flag, count) backwards"]),
        (.always(true), [6], true, ["scan", "sort"]),
        (.always(true), [4], true, ["scan", "sort"]),
        (isGood, [3], false, ["index Sample(rating) where rating > ? backwards"]),
        (isGood, [6, 5], true, ["index Sample(rating) where rating > ?", "sort"]),
        (isFlagged, [5], false, ["index Sample(flag, count) where flag == ? backwards"]),
        (isFlagged, [6, 5], true, ["index Sample(flag, count) where flag == ?"]),
        (isFlagged, [11, 5], true, ["index Sample(flag, count) where flag == ?", "sort"]),
        (isA, [0], false, ["index Sample(name) where name == ? backwards"]),
        (.isNotNull(column: 7), [7], true, ["index Sample(big) where big != nil"]),
        (.compare(column: 4, .less, .real(1)), [1], true, ["index Sample(name)", "filter"]),
        (
            .isIn(column: 1, [.text("a"), .text("b")], negated: false), [1], false,
            ["index Sample(name) where name in 2 values backwards"]
        ),
        (.always(true), [0], false, ["scan backwards"]),
        (.compare(column: 0, .less, .integer(9)), [0], false, ["range of ids where id < ? backwards"]),
        (
            .all([isA, .compare(column: 0, .greater, .integer(9))]), [1], true,
            ["index Sample(name) where name == ? and id > ?"]
        ),
        (
            .all([
                isFlagged, .compare(column: 5, .equal, .integer(2)), .compare(column: 0, .less, .integer(9)),
            ]),
            [6, 5], false, ["index Sample(flag, count) where flag == ? and count == ? and id < ? backwards"]
        ),
        (
            .all([isFlagged, .compare(column: 0, .less, .integer(9))]), [6, 5], true,
            ["index Sample(flag, count) where flag == ?", "filter"]
        ),
    ])
    func `an order that an index has is not sorted`(
        predicate: RowPredicate, columns: [Int], isAscending: Bool, lines: [String]
    ) throws {
        let order = columns.map { RequestPlan.SortTerm(column: $0, isAscending: isAscending) }

        #expect(try explain(predicate, order: order) == lines)
    }

    @Test func `mixed directions are no order of an index`() throws {
        let order: [RequestPlan.SortTerm] = [
            .init(column: 6, isAscending: true), .init(column: 5, isAscending: false),
        ]

        #expect(try explain(.always(true), order: order) == ["scan", "sort"])
        #expect(
            try explain(Self.isFlagged, order: order)
                == ["index Sample(flag, count) where flag == ? backwards"])
    }

    @Test func `an OR is a union when every alternative is found`() throws {
        let isFound = RowPredicate.any([
            Self.isA, .all([.compare(column: 0, .equal, .integer(1)), Self.isGood]),
            .all([Self.isGood, .compare(column: 3, .less, .real(5))]),
        ])
        let union = [
            "union", "  index Sample(name) where name == ?", "  by id", "  filter",
            "  index Sample(rating) where rating > ? and rating < ?",
        ]

        #expect(try explain(isFound) == union + ["sort"])
        #expect(try explain(.all([isFound, .isNull(column: 4)])) == union + ["filter", "sort"])
        #expect(try explain(.any([Self.isA, .isNull(column: 4)])) == ["scan", "filter"])
        #expect(
            try explain(.all([isFound, .compare(column: 8, .equal, .blob([]))]))
                == ["index Sample(token) where token == ?", "filter"])
    }

    @Test func `an order by another attribute is sorted, as far as it is wanted`() throws {
        let score = RequestPlan.SortTerm(column: 4, isAscending: false)
        var plan = RequestPlan(entity: 0, schema: Sample.schema, order: [score])
        #expect(try explain(plan) == ["scan", "sort"])

        plan.offset = 15
        plan.limit = 5
        #expect(try explain(plan) == ["scan", "sort, top 20"])

        plan.limit = .max
        #expect(try explain(plan) == ["scan", "sort"])
    }

    @Test(arguments: [
        (RowPredicate.compare(column: 1, .equal, .text(long)), "name == ?"),
        (.compare(column: 1, .less, .text(long)), "name < ?"),
        (hasPrefix(long), "name hasPrefix ?"),
    ])
    func `text too long for the index is compared in the rows`(
        predicate: RowPredicate, condition: String
    ) throws {
        let order = [RequestPlan.SortTerm(column: 1, isAscending: true)]

        #expect(
            try explain(predicate, order: order) == ["index Sample(name) where \(condition)", "filter"])
    }

    @Test(arguments: [
        (
            PatternTest.Syntax.like, "ab*c", TextMatching.exact,
            ["index Sample(name) where name hasPrefix ?", "filter", "sort"]
        ),
        (.like, "ab*", .exact, ["index Sample(name) where name hasPrefix ?", "sort"]),
        (.like, "ab", .exact, ["index Sample(name) where name == ?"]),
        (.matches, "ab+c", .exact, ["index Sample(name) where name hasPrefix ?", "filter", "sort"]),
        (.matches, "^ab(c|d)", .exact, ["index Sample(name) where name hasPrefix ?", "filter", "sort"]),
        (.matches, "a?b", .exact, ["scan", "filter"]),
        (.like, "ab*c", .caseInsensitive, ["scan", "filter"]),
    ])
    func `a pattern is found by its beginning`(
        syntax: PatternTest.Syntax, pattern: String, matching: TextMatching, lines: [String]
    ) throws {
        let node = FilterNode.pattern(1, syntax, pattern, matching)
        let predicate = try RowPredicate(node, of: 0, in: StoreSchema(of: Sample.schema))

        #expect(try explain(predicate) == lines)
    }

    private static func hasPrefix(_ text: String) -> RowPredicate {
        .text(column: 1, TextTest(.hasPrefix, text, ignoresCase: false), negated: false)
    }

    private func explain(_ predicate: RowPredicate, order: [RequestPlan.SortTerm] = []) throws -> [String] {
        try explain(RequestPlan(entity: 0, schema: Sample.schema, predicate: predicate, order: order))
    }

    private func explain(_ plan: RequestPlan) throws -> [String] {
        try SeamDriver(MemoryAdapter(), storing: Sample.self).read { try $0.explain(plan) }
    }
}
