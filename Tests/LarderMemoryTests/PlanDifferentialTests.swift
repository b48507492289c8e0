import Foundation
import Larder
import LarderMemory
import Testing

@testable import LarderKernel
@testable import AdapterTestSupport

@Suite struct PlanDifferentialTests {
    @Test(arguments: [0, 1, 40, 300])
    func `any plan gives what a plain array gives`(count: Int) throws {
        var random = Seed.ofProcess()
        let items = (0..<count).map { Sample.random(Int64($0 * 3 - count), using: &random) }
        let indexed = try SeamDriver(MemoryAdapter(), storing: Sample.self)
        let plain = try SeamDriver(MemoryAdapter(), storing: UnindexedSample.self)
        for item in items.shuffled(using: &random) {
            try indexed.write { _ = try $0.apply(.insert, item) }
            try plain.write { _ = try $0.apply(.insert, UnindexedSample(sample: item)) }
        }
        let model = try PlanModel(items)

        for _ in 0..<600 {
            let plan = try RandomPlan(using: &random).plan(using: &random)
            let expected = model.items(for: plan)
            let lines = try indexed.read { reader in
                #expect(try reader.items(of: Sample.self, for: plan) == expected, "\(plan)")
                #expect(try reader.count(for: plan) == expected.count, "\(plan)")
                return try reader.explain(plan)
            }
            #expect(try plain.read { try $0.count(for: plan) } == expected.count, "\(plan)")
            // Without indexes the rows are only asked for where an index was used.
            guard lines[0].hasPrefix("index") || lines[0] == "union" else { continue }
            let found = try plain.read { try $0.items(of: UnindexedSample.self, for: plan) }
            #expect(found.map(\.sample) == expected, "\(plan)")
        }
    }

    @Test func `random plans are of every kind`() throws {
        var random = Seed.ofProcess()
        let driver = try SeamDriver(MemoryAdapter(), storing: Sample.self)
        var counts: [String: Int] = [:]
        for _ in 0..<4000 {
            let plan = try RandomPlan(using: &random).plan(using: &random)
            for line in try driver.read({ try $0.explain(plan) }) {
                for kind in Self.kinds where line.contains(kind) { counts[kind, default: 0] += 1 }
            }
        }

        #expect(Self.kinds.filter { counts[$0, default: 0] == 0 } == [], "\(counts)")
    }

    private static let kinds = [
        "nothing", "scan", "by id", "range of ids", "union", "filter", "sort, top", "backwards", "== nil",
        "!= nil", " in ", "hasPrefix", " > ", " >= ", " < ", " <= ", "== ? and", "Sample(rating)",
        "and id", "Sample(title, name)", "Sample(small, flag, count)", "Sample(token)",
    ]

    @Test func `plans see the changes of their own transaction`() throws {
        var random = Seed.ofProcess()
        var items: [Int64: Sample] = [:]
        let driver = try SeamDriver(MemoryAdapter(), storing: Sample.self)
        for _ in 0..<30 {
            try driver.write { writer in
                for _ in 0..<40 { try change(&items, in: writer, using: &random) }
                let model = try PlanModel(items.values)
                for _ in 0..<10 {
                    let plan = try RandomPlan(using: &random).plan(using: &random)
                    let expected = model.items(for: plan)
                    let items = try writer.items(of: Sample.self, for: plan)
                    let count = try writer.count(for: plan)
                    #expect(items == expected, "\(plan)")
                    #expect(count == expected.count, "\(plan)")
                }
            }
        }
    }

    @Test func `columns come in the order the plan names them`() throws {
        var random = Seed.ofProcess()
        let item = Sample.random(7, using: &random)
        let driver = try SeamDriver(MemoryAdapter(), storing: Sample.self)
        try driver.write { try $0.apply(.insert, item) }
        let orders: [[RequestPlan.SortTerm]] = [[], [.init(column: 3, isAscending: false)]]

        for order in orders {
            let plan = RequestPlan(
                entity: 0, schema: Sample.schema, columns: .some([5, 0, 3, 0]), order: order)
            let numbers = try driver.read { reader in
                let cursor = try reader.rows(for: plan)
                var cells = [Cell](repeating: .null, count: 4)
                #expect(try cursor.next(into: &cells))
                return [cells[0].integer, cells[1].integer, cells[3].integer]
            }
            #expect(numbers == [Int64(item.count), 7, 7])
        }
    }

    @Test(arguments: [false, true])
    func `columns that an index has are those of the rows`(isWriting: Bool) throws {
        var random = Seed.ofProcess()
        let items = (0..<120).map { Sample.random(Int64($0 * 3 - 120), using: &random) }
        let driver = try SeamDriver(MemoryAdapter(), storing: Sample.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }
        let model = try PlanModel(items)
        let compare = { (reader: any StorageReading) throws in
            for _ in 0..<1500 {
                var plan = try RandomPlan(using: &random).plan(using: &random)
                let columns = [0, 2, 3, 5, 6, 7, 8, 11].shuffled(using: &random)
                plan.columns = .some(Array(columns.prefix(.random(in: 1...3, using: &random))))
                #expect(try Self.values(of: plan, reader) == Self.values(of: plan, model), "\(plan)")
            }
        }
        if isWriting { try driver.write(compare) } else { try driver.read(compare) }
    }

    private static func values(of plan: RequestPlan, _ reader: any StorageReading) throws -> [[Constant]] {
        let columns = plan.columns.numbers(of: plan.schema)
        let cursor = try reader.rows(for: plan)
        defer { cursor.close() }
        var cells = [Cell](repeating: .null, count: columns.count)
        var rows: [[Constant]] = []
        while try cursor.next(into: &cells) {
            rows.append(zip(cells, columns).map { Constant($0, storage: plan.schema.storage(ofColumn: $1)) })
        }
        return rows
    }

    private static func values(of plan: RequestPlan, _ model: PlanModel<Sample>) throws -> [[Constant]] {
        let arena = RowArena()
        return try model.items(for: plan).map { item in
            let cells = try RowMutation.inserting(item, entity: 0, in: arena).cells
            return plan.columns.numbers(of: plan.schema).map { column in
                Constant(cells[column], storage: plan.schema.storage(ofColumn: column))
            }
        }
    }

    private func change(
        _ items: inout [Int64: Sample], in writer: any StorageWriting, using random: inout Seed
    ) throws {
        let id = Int64.random(in: 0..<200, using: &random)
        let item = Sample.random(id, using: &random)
        switch (items[id], Int.random(in: 0...2, using: &random)) {
        case (nil, _):
            try writer.apply(.insert, item)
            items[id] = item
        case (.some, 0):
            #expect(try writer.delete(.integer(id)) == 1)
            items[id] = nil
        case (.some(var old), _):
            old.name = item.name
            old.count = item.count
            old.title = item.title
            #expect(try writer.apply(.update, old, columns: [1, 2, 5]) == 1)
            items[id] = old
        }
    }
}

/// A plan with every kind of condition, order and window.
private struct RandomPlan {
    private let filter: FilterNode
    private let order: [RequestPlan.SortTerm]

    init(using random: inout Seed) {
        let orderable = Sample.schema.attributes.indices.filter {
            Sample.schema.attributes[$0].type.isOrdered
        }
        if Bool.random(using: &random) {
            order = Self.indexOrder(using: &random)
            let leavesOutNil = Int.random(in: 0..<6, using: &random) == 0
            filter =
                leavesOutNil
                ? .compare(column: order.first?.column ?? 0, .notEqual, .null)
                : Self.filter(depth: 3, using: &random)
            return
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            filter = Self.identifiers(using: &random)
            order = Bool.random(using: &random) ? [] : [.init(column: 0, isAscending: false)]
            return
        }
        filter = Self.filter(depth: 3, using: &random)
        order = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            RequestPlan.SortTerm(
                column: orderable.randomElement(using: &random) ?? 0, isAscending: .random(using: &random))
        }
    }

    /// The order of an index, or of its columns behind the first, now and then with a direction changed.
    private static func indexOrder(using random: inout Seed) -> [RequestPlan.SortTerm] {
        let names = Sample.schema.indexes.randomElement(using: &random)?.columns ?? []
        let columns = Bool.random(using: &random) ? names[...] : names.dropFirst()
        let isAscending = Bool.random(using: &random)
        return columns.map { column in
            let isChanged = Int.random(in: 0..<10, using: &random) == 0
            return RequestPlan.SortTerm(column: column, isAscending: isAscending != isChanged)
        }
    }

    /// A value for each column of an index, and ends of the identifiers.
    private static func identifiers(using random: inout Seed) -> FilterNode {
        let columns = Sample.schema.indexes.randomElement(using: &random)?.columns ?? []
        var parts = columns.map { column in
            FilterNode.compare(column: column, .equal, value(of: column, using: &random))
        }
        for _ in 0...Int.random(in: 0...1, using: &random) {
            let comparisons: [Comparison] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
            parts.append(
                .compare(
                    column: 0, comparisons.randomElement(using: &random) ?? .less,
                    .integer(.random(in: -310...900, using: &random))))
        }
        return .all(parts)
    }

    func plan(using random: inout Seed) throws -> RequestPlan {
        RequestPlan(
            entity: 0, schema: Sample.schema,
            predicate: try RowPredicate(filter, of: 0, in: StoreSchema(of: Sample.schema)),
            order: order, offset: Bool.random(using: &random) ? 0 : .random(in: 0...20, using: &random),
            limit: [nil, .max, .random(in: 0...30, using: &random)].randomElement(using: &random) ?? nil)
    }

    private static func filter(depth: Int, using random: inout Seed) -> FilterNode {
        switch Int.random(in: 0...(depth == 0 ? 2 : 6), using: &random) {
        case 0: return comparison(using: &random)
        case 1:
            let column = column(using: &random)
            let values = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                value(of: column, using: &random)
            }
            return .isIn(column: column, values)
        case 2:
            let kind = TextTest.Kind.allCases.randomElement(using: &random) ?? .equals
            let needles = ["", "a", "A", "é", "ss", "b", "\0", "a\0", "lon"] + Sample.names.suffix(5)
            let needle = needles.randomElement(using: &random) ?? ""
            let column = Int.random(in: 1...2, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: return .pattern(column, .like, needle + "*?", [])
            case 1: return .pattern(column, .matches, needle + ".*[a-m]+", .caseInsensitive)
            case 2:
                let comparison: Comparison = Bool.random(using: &random) ? .less : .notEqual
                return .calculated(
                    .attribute(AttributePlace(column: 1)), comparison, .attribute(AttributePlace(column: 2)))
            default:
                return .text(
                    column: column,
                    TextTest(
                        kind, needle, ignoresCase: .random(using: &random),
                        ignoresDiacritics: .random(using: &random)))
            }
        case 3: return .not(filter(depth: depth - 1, using: &random))
        case 4: return .any(parts(depth: depth - 1, using: &random))
        case 5: return .all(parts(depth: depth - 1, using: &random))
        default: return .always(Int.random(in: 0...5, using: &random) > 0)
        }
    }

    private static func parts(depth: Int, using random: inout Seed) -> [FilterNode] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in filter(depth: depth, using: &random) }
    }

    /// Often equality of indexed columns, so that indexes are used.
    private static func comparison(using random: inout Seed) -> FilterNode {
        let comparisons: [Comparison] = [
            .equal, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        let column = column(using: &random)
        return .compare(
            column: column, comparisons.randomElement(using: &random) ?? .equal,
            value(of: column, using: &random))
    }

    /// Any column, often one of an index of several.
    private static func column(using random: inout Seed) -> Int {
        Bool.random(using: &random)
            ? Int.random(in: 0...12, using: &random) : [1, 2, 5, 6, 11].randomElement(using: &random) ?? 0
    }

    /// The value of a random item in this column.
    private static func value(of column: Int, using random: inout Seed) -> Constant {
        let item = Sample.random(.random(in: -50...900, using: &random), using: &random)
        var cells = [Cell](repeating: .null, count: 13)
        let arena = RowArena()
        let constant = cells.withUnsafeMutableBufferPointer { cells in
            guard let start = cells.baseAddress else { return Constant.null }
            var row = RowWriter(cells: start, arena: arena, of: Sample.schema)
            try? item.encode(to: &row)
            return Constant(cells[column], storage: Sample.schema.storage(ofColumn: column))
        }
        withExtendedLifetime(arena) {}
        return constant
    }
}
