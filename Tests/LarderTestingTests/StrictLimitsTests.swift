import CSQLite
import Foundation
import Larder
import LarderLMDB
import LarderSQLite
import LarderTesting
import Testing

@testable import func AdapterTestSupport.code

@Suite struct `Strict limits` {
    private func makeStore(itemBytes: Int? = nil, storeBytes: Int? = nil) throws -> TemporaryStore {
        let limits = StrictLimits("a test", itemBytes: itemBytes, storeBytes: storeBytes)
        return try TemporaryStore(.memory(strictLimits: limits), storing: [Meal.self])
    }

    private static let url = URL(fileURLWithPath: "/not-opened/store")

    private static func ownReaders(_ options: SQLiteOptions) -> Int {
        SQLiteDataStore(at: url, storing: [Meal.self], options: options).coordinator.adapter.maximumReaders
    }

    private static func ownReaders(_ options: LMDBOptions) -> Int {
        LMDBDataStore(at: url, storing: [Meal.self], options: options).coordinator.adapter.maximumReaders
    }

    @Test(arguments: [
        (TestEngine.memory(strictLimits: .sqlite), ownReaders(SQLiteOptions())),
        (.memory(strictLimits: .sqlite), ownReaders(SQLiteOptions(LMDBOptions().file))),
        (.memory(strictLimits: .lmdb), ownReaders(LMDBOptions())),
        (.memory(strictLimits: .lmdb), ownReaders(LMDBOptions(SQLiteOptions().file))), (.memory, .max),
    ])
    func `have the readers of the engine's own options`(engine: TestEngine, readers: Int) throws {
        try withTemporaryStore(engine, storing: [Meal.self]) { store in
            #expect(store.coordinator.adapter.maximumReaders == readers)
        }
    }

    @Test func `have SQLite's own limit of an item`() throws {
        var connection: OpaquePointer?
        #expect(sqlite3_open(":memory:", &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }

        #expect(StrictLimits.sqlite.itemBytes == Int(sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1)))
    }

    @Test func `name the engine that they are of`() {
        #expect("\(TestEngine.memory(strictLimits: .lmdb))" == "memory with the limits of LMDB")
    }

    @Test(arguments: [1, 2])
    func `let further readers wait`(maximum: Int) throws {
        let limits = StrictLimits("a test", maximumReaders: maximum)
        let store = try TemporaryStore(.memory(strictLimits: limits), storing: [Meal.self])
        let other = try TemporaryStore(storing: [Meal.self])
        let (hasWriter, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let codes = Locked<[DataStoreError.Code?]>([])
        // Each thread waits for the other, if the store has one place: one of them is refused.
        try store.read { _ in
            Thread.detachNewThread {
                let result = code {
                    try other.writeSync { _ in
                        hasWriter.signal()
                        try store.read { _ in }
                    }
                }
                codes.withLock { $0.append(result) }
                hasEnded.signal()
            }
            hasWriter.wait()
            let result = code { try other.writeSync { _ in } }
            codes.withLock { $0.append(result) }
        }
        hasEnded.wait()

        let refused = codes.withLock { $0.compactMap { $0 } }
        #expect(refused == (maximum == 1 ? [.wouldDeadlock] : []))
    }

    @Test func `refuse an item with too much text, and nothing of its block is stored`() throws {
        let store = try makeStore(itemBytes: 100)
        try store.insert(
            Meal(1, name: String(repeating: "x", count: 60), note: String(repeating: "y", count: 40)))

        #expect(
            code {
                try store.insert(
                    Meal(2, name: "small"),
                    Meal(3, name: String(repeating: "y", count: 60), note: String(repeating: "z", count: 41)))
            } == .valueTooLarge)
        #expect(
            code {
                try store.writeSync { accessor in
                    try accessor.insert(Meal(4, name: "other"))
                    try accessor.mutableItem(id: 1, of: Meal.self)?.note = String(repeating: "y", count: 41)
                }
            } == .valueTooLarge)

        #expect(try store.meals().map(\.id) == [1])
        try store.writeSync { accessor in
            let meal = try accessor.mutableItem(id: 1, of: Meal.self)
            meal?.note = nil
            meal?.name = String(repeating: "x", count: 100)
        }
    }

    /// The bytes of a meal with a name of 4 bytes: its identifier, price and name.
    private static let mealBytes = 8 + 8 + 4

    private func meal(_ id: Int64) -> Meal { Meal(id, name: "name".prefix(3) + "\(id)") }

    @Test func `refuse what makes a store too large, and deleting makes room`() throws {
        let store = try makeStore(storeBytes: 3 * Self.mealBytes)
        try store.insert(meal(1), meal(2))
        #expect(code { try store.insert(meal(3), meal(4)) } == .storeFull)
        #expect(try store.meals() == [meal(1), meal(2)])
        try store.insert(meal(3))
        #expect(code { try store.insert(meal(4)) } == .storeFull)
        #expect(
            code { try store.writeSync { try $0.mutableItem(id: 1, of: Meal.self)?.note = "a" } }
                == .storeFull)

        try store.writeSync { try $0.delete(id: 1, of: Meal.self) }
        try store.insert(meal(4))
        #expect(code { try store.insert(meal(5)) } == .storeFull)
        try store.writeSync { accessor in
            _ = try accessor.deleteAllItems(of: Meal.self)
            try accessor.insert(contentsOf: [meal(5), meal(6), meal(7)])
        }

        #expect(try store.meals() == [meal(5), meal(6), meal(7)])
        #expect(code { try store.insert(meal(8)) } == .storeFull)
    }

    @Test func `count what is kept, not what was rolled back or refused`() throws {
        struct OwnError: Error {}
        let store = try makeStore(storeBytes: 2 * Self.mealBytes)
        try store.insert(meal(1))
        for _ in 0..<3 {
            #expect(throws: OwnError.self) {
                try store.writeSync { accessor in
                    try accessor.insert(meal(2))
                    throw OwnError()
                }
            }
            #expect(code { try store.insert(meal(1)) } == .duplicateIdentifier)
        }
        try store.writeSync { accessor in
            // A block that has read is undone by its savepoint, not by beginning again.
            _ = try accessor.countItems(for: Meal.all)
            do {
                try accessor.savepoint {
                    try accessor.insert(contentsOf: [meal(2)])
                    throw OwnError()
                }
            } catch is OwnError {}
            try accessor.insert(meal(3))
        }

        #expect(try store.meals() == [meal(1), meal(3)])
    }

    @Test func `count what a store holds when it is opened again`() throws {
        let store = try makeStore(storeBytes: 2 * Self.mealBytes)
        try store.insert(meal(1), meal(2))
        try store.tearDown()
        try store.setup()

        #expect(code { try store.insert(meal(3)) } == .storeFull)
    }
}
