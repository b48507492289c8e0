import Larder
import LarderKernel
import LarderKeyValue
import LarderMemory
import Testing

@testable import AdapterTestSupport

/// The engine's own judgement of unique values, without the core's before it.
struct UniqueEntryTests {
    private let driver: SeamDriver

    init() throws {
        driver = try SeamDriver(MemoryAdapter(in: MemoryStorage()), storing: Recipe.self)
        try driver.write { writer in
            try writer.apply(.insert, Recipe(1, slug: "a"))
            try writer.apply(.insert, Recipe(2, slug: "b"))
        }
    }

    @Test(arguments: [1, 1500]) func `a commit with one value in two items is refused`(count: Int) throws {
        let error = thrown {
            try driver.write { writer in
                for id in 0..<Int64(count) { try writer.apply(.insert, Recipe(10 + id, slug: "a")) }
            }
        }

        #expect(error?.code == .uniqueViolation)
        #expect(error?.attribute == "slug")
        #expect(try slugs() == ["a", "b"])
        #expect(
            thrown { try driver.write { try $0.apply(.update, Recipe(2, slug: "a")) } }?.code
                == .uniqueViolation)
        #expect(try slugs() == ["a", "b"])
    }

    @Test func `two new items with one value are refused, whatever was written before them`() throws {
        let error = thrown {
            try driver.write { writer in
                for (id, slug) in ["x", "y", "y"].enumerated() {
                    try writer.apply(.insert, Recipe(Int64(10 + id), slug: slug))
                }
            }
        }

        #expect(error?.code == .uniqueViolation)
        #expect(
            error?.message
                == "The items 11 and 12 of Recipe have the same slug \"y\", which has to be unique.")
        #expect(try slugs() == ["a", "b"])
    }

    @Test func `values may be doubled until the commit`() throws {
        try driver.write { writer in
            try writer.apply(.update, Recipe(1, slug: "b"))
            try writer.apply(.update, Recipe(2, slug: "a"))
        }
        #expect(try slugs() == ["b", "a"])

        try driver.write { writer in
            try writer.setSavepoint()
            try writer.apply(.insert, Recipe(3, slug: "a"))
            try writer.rollBackToSavepoint()
            try writer.apply(.insert, Recipe(4, slug: "a"))
            _ = try writer.delete(.integer(2))
        }
        #expect(try slugs() == ["b", "a"])
    }

    @Test func `judging values that all change owners takes a few cursors for each`() throws {
        let engine = CountingEngine()
        let driver = try SeamDriver(KeyValueAdapter(engine), storing: Recipe.self)
        let count: Int64 = 20_000
        try driver.write { writer in
            for id in 0..<count { try writer.apply(.insert, Recipe(id)) }
        }
        engine.putsByCursor.withLock { $0 = [] }

        try driver.write { writer in
            for id in 0..<count {
                let changed = Recipe(id, slug: "recipe-\(count - 1 - id)")
                try writer.apply(.update, changed, columns: [Recipe.Column.slug])
            }
        }

        // One for each entry; one for each of the 1000, 3000 and 7000 that have a twin by then, and of the 10,000 that had
        // one before the commit.
        let expected = 20_000 + 11_000 + 10_000
        #expect(engine.putsByCursor.withLock { $0.count } == expected)
        #expect(try driver.read { try $0.item(Recipe.self, .integer(0))?.slug } == "recipe-19999")
    }

    private func slugs() throws -> [String] {
        try driver.read { reader in
            try reader.items(of: Recipe.self, for: RequestPlan(entity: 0, schema: Recipe.schema)).map(\.slug)
        }
    }
}
