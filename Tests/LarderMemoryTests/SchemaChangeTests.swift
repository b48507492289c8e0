import Foundation
import Larder
import LarderKeyValue
import LarderMemory
import Testing

@testable import LarderKernel

@Suite struct SchemaChangeTests {
    private let storage = MemoryStorage()

    @Test func `attributes are added, dropped, renamed and widened in all rows`() throws {
        let items = (1...700).map { number in
            VersionedItem<First>(
                Int64(number), .text("name \(number)"), .integer(Int64(number % 100)), .text("old"),
                .real(1.5))
        }
        try fill(items)

        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Second>.self)

        let expected = (1...700).map { number in
            VersionedItem<Second>(
                Int64(number), .integer(7), .integer(Int64(number % 100)), .text("name \(number)"), .null,
                .real(1.5))
        }
        #expect(try read(driver, RequestPlan(entity: 0, schema: Second.schema)) == expected)
        #expect(storage.checkInvariants() == [])
        let byTitle = RequestPlan(
            entity: 0, schema: Second.schema,
            predicate: .compare(column: 3, .equal, .text("name 42")))
        #expect(try driver.read { try $0.explain(byTitle) } == ["index Item(title) where title == ?"])
        #expect(try read(driver, byTitle) == [expected[41]])
    }

    @Test func `a changed store opens again without change`() throws {
        try fill([VersionedItem<First>(1, .text("a"), .integer(1), .text("b"), .real(2))])
        let second = MemoryAdapter(in: storage)
        _ = try SeamDriver(second, storing: VersionedItem<Second>.self)
        try second.close()
        let bytes = storage.checkInvariants()

        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Second>.self)

        #expect(bytes == [])
        let plan = RequestPlan(entity: 0, schema: Second.schema)
        #expect(try driver.read { try $0.count(for: plan) } == 1)
    }

    @Test func `indexes come and go without rows being written`() throws {
        try fill(
            (0..<50).map { number in
                VersionedItem<First>(
                    Int64(number), .text("n\(number % 5)"), .integer(1), .text("x"), .real(0))
            })

        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Indexed>.self)

        let plan = RequestPlan(
            entity: 0, schema: Indexed.schema,
            predicate: .all([
                .compare(column: 1, .equal, .text("n3")), .compare(column: 2, .equal, .integer(1)),
            ]))
        #expect(
            try driver.read { try $0.explain(plan) } == [
                "index Item(name, size) where name == ? and size == ?"
            ])
        let found: [VersionedItem<Indexed>] = try read(driver, plan)
        #expect(found.map(\.id) == [3, 8, 13, 18, 23, 28, 33, 38, 43, 48])
    }

    @Test func `an attribute with duplicates cannot become unique`() throws {
        let long = String(repeating: "x", count: 600)
        try fill([
            VersionedItem<First>(1, .text(long + "1"), .integer(1), .text(""), .real(0)),
            VersionedItem<First>(2, .text(long + "2"), .integer(1), .text(""), .real(0)),
            VersionedItem<First>(3, .text(long + "1"), .integer(1), .text(""), .real(0)),
        ])

        let error = #expect(throws: DataStoreError.self) {
            _ = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Unique>.self)
        }

        #expect(error?.code == .uniqueViolation)
        let shown = String(repeating: "x", count: 40) + "…"
        #expect(
            error?.message
                == "The items 1 and 3 of Item have the same name \"\(shown)\", which has to be unique.")
        #expect(error?.identifier == .integer(1))
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<First>.self)
        let plan = RequestPlan(entity: 0, schema: First.schema)
        #expect(try driver.read { try $0.count(for: plan) } == 3)
    }

    @Test func `values that differ only behind the cut can become unique`() throws {
        let long = String(repeating: "x", count: 600)
        try fill([
            VersionedItem<First>(1, .text(long + "1"), .integer(1), .text(""), .real(0)),
            VersionedItem<First>(2, .text(long + "2"), .integer(1), .text(""), .real(0)),
        ])

        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Unique>.self)

        let plan = RequestPlan(
            entity: 0, schema: Unique.schema, predicate: .compare(column: 1, .equal, .text(long + "2")))
        #expect(try driver.read { try $0.explain(plan) } == ["index Item(name) where name == ?", "filter"])
        let found = try driver.read { try $0.items(of: VersionedItem<Unique>.self, for: plan) }
        #expect(found.map(\.id) == [2])
    }

    @Test func `what cannot be changed is refused and leaves the store as it was`() throws {
        try fill([VersionedItem<First>(1, .text("a"), .integer(1), .text("b"), .real(2))])

        let error = #expect(throws: DataStoreError.self) {
            _ = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<Incompatible>.self)
        }

        #expect(error?.code == .schemaMismatch)
        let driver = try SeamDriver(MemoryAdapter(in: storage), storing: VersionedItem<First>.self)
        #expect(try driver.read { try $0.count(for: RequestPlan(entity: 0, schema: First.schema)) } == 1)
    }

    @Test func `a type the app no longer names keeps its rows`() throws {
        try fill([VersionedItem<First>(1, .text("a"), .integer(1), .text("b"), .real(2))])
        let other = MemoryAdapter(in: storage)
        _ = try SeamDriver(other, storing: Named.self)
        try other.close()

        let driver = try SeamDriver(
            MemoryAdapter(in: storage), storing: Named.self, VersionedItem<First>.self)

        let plan = RequestPlan(entity: 1, schema: First.schema)
        let found = try driver.read { try $0.items(of: VersionedItem<First>.self, for: plan) }
        #expect(found.map(\.id) == [1])
    }

    private func fill(_ items: [VersionedItem<First>]) throws {
        let adapter = MemoryAdapter(in: storage)
        let driver = try SeamDriver(adapter, storing: VersionedItem<First>.self)
        try driver.write { writer in
            for item in items { try writer.apply(.insert, item) }
        }
        try adapter.close()
    }

    private func read<Version>(
        _ driver: SeamDriver, _ plan: RequestPlan
    ) throws -> [VersionedItem<Version>] {
        try driver.read { try $0.items(of: VersionedItem<Version>.self, for: plan) }
    }
}

private enum First: SchemaVersion {
    static let schema = EntitySchema(
        "Item",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("size", Int8.self),
            .attribute("dropped", String.self), .attribute("weight", Float.self),
        ],
        indexes: [.index("name"), .index("size")])
}

private enum Second: SchemaVersion {
    static let schema = EntitySchema(
        "Item",
        attributes: [
            .attribute("id", Int64.self), .attribute("new", Int.self, default: 7),
            .attribute("size", Int64.self), .attribute("title", String.self, originalName: "name"),
            .attribute("note", String?.self), .attribute("weight", Double?.self),
        ],
        indexes: [.index("title"), .index("size"), .index("note", "new")])
}

private enum Indexed: SchemaVersion {
    static let schema = EntitySchema(
        "Item", attributes: First.schema.attributes, indexes: [.index("size"), .index("name", "size")])
}

private enum Unique: SchemaVersion {
    static let schema = EntitySchema(
        "Item", attributes: First.schema.attributes, indexes: [.unique("name"), .index("size")])
}

private enum Incompatible: SchemaVersion {
    static let schema = EntitySchema(
        "Item",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", Int.self), .attribute("required", Int.self),
        ])
}
