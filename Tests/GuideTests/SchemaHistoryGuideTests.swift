import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTesting
import LarderTransfer
import Testing

@testable import class AdapterTestSupport.TemporaryFolder

/// The code of the section on versions of the schema in the migration guide.
struct SchemaHistoryGuideTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.url.appendingPathComponent("dishes") }

    init() throws {
        folder = try TemporaryFolder()
        // As an app without a history has left it.
        let store = SQLiteDataStore(at: file, storing: [CookBook1.Dish.self])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(CookBook1.Dish(title: "Stew", minutes: 150))
            try accessor.insert(CookBook1.Dish(title: "Toast ", minutes: 3))
        }
        try store.tearDown()
    }

    @Test func `a store of the first version is opened by its history`() throws {
        let store = SQLiteDataStore(at: file, storing: CookBook.history)
        try store.setup()

        let dishes = try store.read { try $0.items(for: Dish.all.sorted(by: \.name)) }
        #expect(dishes.map(\.name) == ["Stew", "Toast "])
        #expect(dishes.map(\.hours) == [2.5, 0.05])
        #expect(dishes.map(\.note) == [nil, nil])
    }

    @Test func `the forecast names the steps`() throws {
        let forecast = try CookBook.history.forecast(for: .sqlite(at: file))
        print(forecast.steps)  // [1 → 2 inferred, 2 rows, 2 → 3 mapped, 2 rows]

        #expect(
            forecast.steps.map(\.description) == ["1 → 2 inferred, 2 rows", "2 → 3 mapped, 2 rows"])
    }

    @Test func `a store is opened off the caller's actor`() async throws {
        let store = SQLiteDataStore(at: file, storing: CookBook.history)
        try await store.setupAsync()

        #expect(
            try store.read { try $0.items(for: Dish.all.sorted(by: \.name)) }.map(\.hours) == [2.5, 0.05])
    }

    @Test func `a store is upgraded and not opened`() async throws {
        let steps = try await CookBook.history.upgradeIfNeeded(.sqlite(at: file))

        #expect(steps.map(\.description) == ["1 → 2 inferred, 2 rows", "2 → 3 mapped, 2 rows"])
        #expect(try CookBook.history.requiredMigrations(for: .sqlite(at: file)) == [])
    }

    @Test func `a store is upgraded on the way to another engine`() throws {
        let (old, new, history) = (file, folder.url.appendingPathComponent("new"), CookBook.history)

        _ = try StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new)).run()
        try history.upgradeIfNeeded(.lmdb(at: new))

        let store = LMDBDataStore(at: new, storing: history)
        try store.setup()
        #expect(
            try store.read { try $0.items(for: Dish.all.sorted(by: \.name)) }.map(\.hours) == [2.5, 0.05])
        #expect(try StoreAddress.sqlite(at: old).storedSchema()?.version == nil)
    }

    @Test func `the shapes are locked`() throws {
        try expectSchema(
            CookBook.history,
            matchesLock: """
                1: a3589c936df0f03ce70498c955935a84
                2: 6320c20de68a0cbb25e091f76431858c
                3: cfd79a8bc2f3ff228f37175339a28737
                """)
    }

    @Test func `an old store is opened by the history in a test of the app`() throws {
        let old = try TemporaryStore(storing: [CookBook1.Dish.self])
        try old.writeSync { _ = try $0.insert(CookBook1.Dish(title: "Stew", minutes: 150)) }

        let today = try old.reopened(storing: CookBook.history)
        let stew = try today.read { try $0.firstItem(for: Dish.all) }
        #expect(stew?.hours == 2.5)
    }

    @Test func `a tree of CoreStore`() throws {
        let versions = ["V1", "V2", "V3", "V4"].map { SchemaVersion($0, storing: [Dish.self]) }
        let tree = SchemaHistory(
            versions, chain: ["V1": "V3", "V2": "V4", "V3": "V4"], steps: [SchemaStep(from: "V1", to: "V3")])

        #expect(try tree.way(from: "V1", to: "V4").map(\.description) == ["V1 → V3", "V3 → V4"])
        #expect(try tree.way(from: "V2", to: "V4").map(\.description) == ["V2 → V4"])
    }

    @Test func `a migration of values alone, as with GRDB`() throws {
        let trimmed = SchemaHistory {
            SchemaVersion("v3", storing: [Dish.self])
            SchemaVersion("v4", storing: [Dish.self])
            SchemaStep(from: "v3", to: "v4").after { accessor in
                try accessor.rows.forEachRow(of: "Dish") { row in
                    let name = try row["name", as: String.self].trimmingCharacters(in: .whitespaces)
                    try accessor.update("Dish", at: row.id) { try $0.set("name", to: name) }
                }
            }
        }
        let other = folder.url.appendingPathComponent("values")
        let old = SQLiteDataStore(at: other, storing: SchemaHistory([trimmed.versions[0]]))
        try old.setup()
        try old.writeSync { _ = try $0.insert(Dish(name: " Pie ", hours: 1)) }
        try old.tearDown()

        let store = SQLiteDataStore(at: other, storing: trimmed)
        try store.setup()

        #expect(try store.read { try $0.items(for: Dish.all) }.map(\.name) == ["Pie"])
    }
}
