import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite
import LarderTesting
import Testing

@Suite struct `A temporary store` {
    private struct OwnError: Error {}

    @Test(arguments: TestEngine.all)
    func `is empty, works, and is gone at the end`(engine: TestEngine) throws {
        let folder = try withTemporaryStore(engine, storing: [Meal.self]) { store in
            #expect(try store.meals().isEmpty)
            try store.insert(Meal(1))
            #expect(try store.meals() == [Meal(1)])
            #expect(FileManager.default.fileExists(atPath: store.folder.path))
            return store.folder
        }

        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(arguments: TestEngine.all)
    func `is gone too when the body throws, whose error it is`(engine: TestEngine) throws {
        var folder: URL?
        #expect(throws: OwnError.self) {
            try withTemporaryStore(engine, storing: [Meal.self]) { store in
                folder = store.folder
                store.writeAsync { try $0.insert(Meal(1)) }
                throw OwnError()
            }
        }

        #expect(!FileManager.default.fileExists(atPath: try #require(folder).path))
    }

    @Test(arguments: TestEngine.all)
    func `is gone when nothing refers to it any more`(engine: TestEngine) throws {
        var store: TemporaryStore? = try TemporaryStore(engine, storing: [Meal.self])
        try store?.insert(Meal(1))
        let folder = try #require(store).folder
        store = nil

        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(arguments: TestEngine.all)
    @MainActor func `serves an asynchronous body on the caller's actor`(engine: TestEngine) async throws {
        let folder = try await withTemporaryStore(engine, storing: [Meal.self]) { store in
            MainActor.assertIsolated()
            try await store.writeAsync { try $0.insert(Meal(1)) }
            #expect(try store.meals() == [Meal(1)])
            return store.folder
        }
        var failed: URL?
        await #expect(throws: OwnError.self) {
            try await withTemporaryStore(engine, storing: [Meal.self]) { store in
                failed = store.folder
                try await store.flush()
                throw OwnError()
            }
        }

        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(!FileManager.default.fileExists(atPath: try #require(failed).path))
    }

    @Test(arguments: TestEngine.all)
    func `keeps its data when it is closed and opened again`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            try store.insert(Meal(1))
            try store.tearDown()
            try store.setup()

            #expect(try store.meals() == [Meal(1)])
        }
    }

    /// A meal of a later version of the app.
    private struct PricelessMeal: DataStoreItem {
        let id: Int64
        let name: String

        struct Attributes: Sendable {}
        static let attributes = Attributes()
        static let schema = EntitySchema(
            "Meal", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])

        init(row: borrowing RowReader) throws(DataStoreError) {
            id = try row.value(at: 0)
            name = try row.value(at: 1)
        }

        func encode(to row: inout RowWriter) throws(DataStoreError) {
            try row.set(id, at: 0)
            try row.set(name, at: 1)
        }
    }

    @Test(arguments: TestEngine.all)
    func `is reopened with other item types over the same data`(engine: TestEngine) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            try store.insert(Meal(1), Meal(2))
            store.faults.fail(.commit, number: 2)

            let later = try store.reopened(storing: [PricelessMeal.self])

            #expect(
                try later.read { try $0.items(for: PricelessMeal.all).map(\.name) } == ["meal 1", "meal 2"])
            #expect(later.faults === store.faults)
            #expect(later.folder == store.folder)
            let late = #expect(throws: DataStoreError.self) { try store.meals() }
            #expect(late?.code == .closed)
            try later.tearDown()
        }
    }

    @Test func `shares nothing with another`() throws {
        for engine in TestEngine.all {
            let first = try TemporaryStore(engine, storing: [Meal.self])
            let second = try TemporaryStore(engine, storing: [Meal.self])
            try first.insert(Meal(1))
            first.faults.failNextWrite()

            try second.insert(Meal(2))

            #expect(try first.meals() == [Meal(1)])
            #expect(try second.meals() == [Meal(2)])
        }
    }

    @Test(arguments: TestEngine.all)
    func `makes children, also when reopened or made by the app`(engine: TestEngine) throws {
        let store = try TemporaryStore(engine, storing: [Meal.self])
        let stores = [
            store, try TemporaryStore { SQLiteDataStore(at: $0, storing: [Meal.self]) },
            try TemporaryStore(engine, storing: [Meal.self]).reopened(storing: [Meal.self]),
        ]

        for store in stores {
            let child = try store.makeChildDataStore()
            try child.writeSync { try $0.insert(Meal(1)) }
            #expect(try store.meals().isEmpty)
            // The merge is a write of the store, with its faults.
            store.faults.failNextWrite(with: .simulated(.storeFull))
            let error = #expect(throws: DataStoreError.self) { try store.merge(child) }
            #expect(error?.code == .storeFull)
            #expect(child.hasChanges)
            try store.merge(child)
            #expect(try store.meals() == [Meal(1)])
        }
    }

    /// The store types an app may have, made by the app's own code.
    private static let makers: [@Sendable (URL) -> any DataStore] = [
        { _ in MemoryDataStore(storing: [Meal.self], storeOptions: quiet) },
        { SQLiteDataStore(at: $0, storing: [Meal.self], storeOptions: quiet) },
        { LMDBDataStore(at: $0, storing: [Meal.self], storeOptions: quiet) },
        { OwnStore(SQLiteDataStore(at: $0, storing: [Meal.self], storeOptions: quiet)) },
    ]

    private static var quiet: DataStoreOptions {
        var options = DataStoreOptions()
        options.assertsOnMisuse = false
        return options
    }

    private final class OwnStore: DataStore {
        let wrapped: any DataStore
        var coordinator: StoreCoordinator { wrapped.coordinator }

        init(_ store: any DataStore) { wrapped = store }
    }

    @Test(arguments: makers.indices)
    func `is one of any type that the app makes, with its options`(maker: Int) throws {
        let store = try TemporaryStore { Self.makers[maker]($0) }
        try store.insert(Meal(1))
        store.faults.failNextWrite(with: .simulated(.busy))
        let recording = try store.record {
            let error = #expect(throws: DataStoreError.self) { try store.insert(Meal(2)) }
            let meals = try store.meals()
            #expect(error?.code == .busy)
            #expect(meals == [Meal(1)])
        }

        #expect(recording.requests.map(\.description).last == "Meal order id ascending")
        let kept = try store.writeSync { try $0.firstMutableItem(for: Meal.all) }
        kept?.name = "too late"  // would stop a debug build with other options
        #expect(try store.meals() == [Meal(1)])
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        #expect(names.contains("store") == (maker > 0))
    }
}
