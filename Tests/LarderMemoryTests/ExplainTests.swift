import LarderMemory
import Testing

@testable import Larder

@Suite struct ExplainTests {
    private static let rating = RequestPlan.SortTerm(column: 3, isAscending: false)

    @Test(arguments: [
        (Predicate.always(true), ["scan"]),
        (.always(false), ["nothing"]),
        (.compare(column: 0, .equal, .integer(1)), ["by id"]),
        (.isIn(column: 0, [.integer(1), .integer(2)], negated: false), ["by id"]),
        (.compare(column: 0, .greater, .integer(1)), ["range of ids"]),
        (.compare(column: 1, .equal, .text("a")), ["index Sample(name)"]),
        (.compare(column: 8, .equal, .blob([])), ["index Sample(token)"]),
        (.compare(column: 3, .greater, .real(4)), ["scan", "filter"]),
        (.isNull(column: 7), ["index Sample(big)"]),
        (
            .all([.compare(column: 6, .equal, .integer(1)), .compare(column: 5, .equal, .integer(2))]),
            ["index Sample(flag, count)"]
        ),
        (
            .all([.compare(column: 1, .equal, .text("a")), .compare(column: 3, .greater, .real(4))]),
            ["index Sample(name)", "filter"]
        ),
        (
            .all([.compare(column: 1, .equal, .text("a")), .compare(column: 8, .equal, .blob([]))]),
            ["index Sample(token)", "filter"]
        ),
        (
            .all([.compare(column: 1, .equal, .text("a")), .compare(column: 0, .equal, .integer(4))]),
            ["by id", "filter"]
        ),
        (.compare(column: 6, .equal, .integer(1)), ["index Sample(flag, count)", "sort"]),
        (.isIn(column: 1, [.text("a"), .text("b")], negated: false), ["index Sample(name)", "sort"]),
        (.isIn(column: 1, [.text("a"), .text("b")], negated: true), ["scan", "filter"]),
    ])
    func `the path is the one that fixes most`(predicate: Predicate, lines: [String]) throws {
        let plan = RequestPlan(entity: 0, schema: Sample.schema, predicate: predicate)

        #expect(try explain(plan) == lines)
    }

    @Test func `an order by another attribute is sorted, as far as it is wanted`() throws {
        var plan = RequestPlan(entity: 0, schema: Sample.schema, order: [Self.rating])
        #expect(try explain(plan) == ["scan", "sort"])

        plan.offset = 15
        plan.limit = 5
        #expect(try explain(plan) == ["scan", "sort, top 20"])

        plan.limit = .max
        #expect(try explain(plan) == ["scan", "sort"])
    }

    @Test func `the order of identifiers is natural in both directions`() throws {
        let descending = RequestPlan.SortTerm(column: 0, isAscending: false)

        #expect(try explain(RequestPlan(entity: 0, schema: Sample.schema, order: [descending])) == ["scan"])
    }

    @Test func `text too long for the index is compared in the rows`() throws {
        let long = String(repeating: "x", count: 600)
        let plan = RequestPlan(
            entity: 0, schema: Sample.schema, predicate: .compare(column: 1, .equal, .text(long)))

        #expect(try explain(plan) == ["index Sample(name)", "filter"])
    }

    private func explain(_ plan: RequestPlan) throws -> [String] {
        try SeamDriver(MemoryAdapter(), storing: Sample.self).read { try $0.explain(plan) }
    }
}
