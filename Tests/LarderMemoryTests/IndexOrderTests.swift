import Larder
import LarderKeyValue
import LarderMemory
import Testing

@testable import func AdapterTestSupport.code
@testable import LarderKernel

@Suite struct IndexOrderTests {
    private static let long = String(repeating: "x", count: 600)
    private static let byName = [RequestPlan.SortTerm(column: 1, isAscending: false)]
    private let storage = MemoryStorage()

    @Test func `texts cut in the index are in order while other rows are written`() throws {
        // One run of several, and runs of one.
        let names =
            ["a", "b", "c", "d"].map { Self.long + $0 } + ["p", "q", "r"].map { $0 + Self.long }
            + ["w", "y", Self.long]
        let driver = try SeamDriver(
            MemoryAdapter(in: storage), storing: VersionedItem<Texts>.self, Named.self)
        let plan = RequestPlan(entity: 0, schema: Texts.schema, order: Self.byName)

        try driver.write { writer in
            for (id, name) in names.enumerated() {
                try writer.apply(.insert, VersionedItem<Texts>(Int64(id), .text(name)))
            }
            #expect(try writer.explain(plan) == ["index Item(name) backwards"])
            let cursor = try writer.rows(for: plan)
            var cells = [Cell](repeating: .null, count: 2)
            var found: [String] = []
            while try cursor.next(into: &cells) {
                found.append(cells[1].string)
                try writer.apply(
                    .insert, Named(id: "\(found.count)", rank: 0, label: Self.long), entity: 1)
            }
            #expect(found == names.sorted().reversed())
        }
    }

    @Test func `a limit reads no entry behind it`() throws {
        let driver = try driverWithoutRow(of: 3)
        var plan = RequestPlan(entity: 0, schema: Texts.schema, order: Self.byName, limit: 2)
        #expect(
            try driver.read { try $0.items(of: VersionedItem<Texts>.self, for: plan).map(\.id) } == [5, 4])

        plan.limit = 3
        #expect(
            code { try driver.read { _ = try $0.items(of: VersionedItem<Texts>.self, for: plan) } }
                == .damaged)
    }

    @Test func `a count that the index answers reads no row`() throws {
        let driver = try driverWithoutRow(of: 3)
        var plan = RequestPlan(
            entity: 0, schema: Texts.schema, predicate: .compare(column: 1, .greater, .text("name 1")))
        #expect(try driver.read { try $0.count(for: plan) } == 4)

        plan.offset = 1
        plan.limit = 2
        #expect(try driver.read { try $0.count(for: plan) } == 2)

        plan.predicate = .compare(column: 1, .greaterOrEqual, .text("name 5" + Self.long))
        #expect(try driver.read { try $0.count(for: plan) } == 0)
    }

    @Test func `a count that tests rows reads none behind its window`() throws {
        let driver = try driverWithoutRow(of: 3)
        var plan = RequestPlan(
            entity: 0, schema: Texts.schema,
            predicate: .all([
                .compare(column: 1, .greater, .text("name 1")), .compare(column: 0, .notEqual, .integer(9)),
            ]),
            order: Self.byName, limit: 1)
        #expect(try driver.read { try $0.count(for: plan) } == 1)

        plan.limit = 2
        #expect(code { try driver.read { _ = try $0.count(for: plan) } } == .damaged)
    }

    /// Five items, of one of which only the entry of the index is left.
    private func driverWithoutRow(of number: UInt64) throws -> SeamDriver {
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Texts>.self)
        try driver.write { writer in
            for id in 1...5 {
                try writer.apply(.insert, VersionedItem<Texts>(Int64(id), .text("name \(id)")))
            }
        }
        let transaction = try MemoryEngine(in: storage).beginWriting()
        let rows = try #require(try transaction.table(named: "e1", .integer))
        let key = number ^ 1 << 63
        let isDeleted = try withUnsafeBytes(of: key) { try transaction.delete($0, in: rows) }
        #expect(isDeleted)
        try transaction.commit()
        return driver
    }
}

enum Texts: SchemaVersion {
    static let schema = EntitySchema(
        "Item", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
        indexes: [.index("name")])
}
