import Larder
import LarderMemory
import LarderRouting
import LarderSQLite
import Testing

@testable import AdapterTestSupport

@Suite struct `A store over several parts that other processes use` {
    private let first = MemoryStorage()
    private let second = MemoryStorage()

    private func stored(
        _ cooks: any DataStore, _ dishes: any DataStore, mayBeLost: Bool = false,
        _ options: DataStoreOptions = DataStoreOptions()
    ) -> RoutedDataStore {
        RoutedDataStore(
            [StorePart("cooks", cooks), StorePart("dishes", dishes, mayBeLost: mayBeLost)],
            storeOptions: options)
    }

    private func inMemory() -> (cooks: any DataStore, dishes: any DataStore) {
        (
            MemoryDataStore(storing: [Cook.self], in: first),
            MemoryDataStore(storing: [Dish.self], in: second)
        )
    }

    private func insertBoth(_ numbers: [Int64], in store: RoutedDataStore) throws {
        for number in numbers {
            try store.writeSync { accessor in
                try accessor.insert(Cook(number, name: "cook \(number)"))
                try accessor.insert(Dish(number, name: "dish \(number)"))
            }
        }
    }

    /// Leaves a store with one cook and one dish.
    private func makeStore() throws {
        let parts = inMemory()
        let store = stored(parts.cooks, parts.dishes)
        try store.setup()
        try insertBoth([1], in: store)
        try store.tearDown()
    }

    /// A store that makes itself anew, and whose parts can be moved.
    private func recreating(
        _ moves: PartMoves,
        whenLocked: @escaping @Sendable (_ call: Int) throws(DataStoreError) -> Void = { _ in }
    ) -> RoutedDataStore {
        var options = DataStoreOptions()
        options.recovery = .recreate(keepingBackup: { _ in })
        let parts = inMemory()
        return stored(
            DecoratedStore(parts.cooks) { MovableAdapter($0, "cooks", moves, whenLocked: whenLocked) },
            DecoratedStore(parts.dishes) { MovableAdapter($0, "dishes", moves, whenLocked: whenLocked) },
            options)
    }

    @Test func `is not set aside if another process was faster`() throws {
        try makeStore()
        let moves = PartMoves(damaged: "dishes")
        let store = recreating(moves) { _ in moves.damaged.withLock { $0 = nil } }

        try store.setup()

        #expect(moves.moved.withLock { $0 } == [])
        #expect(try store.cooks() == ["cook 1"])
        #expect(try store.dishes() == ["dish 1"])
    }

    @Test(arguments: [("cooks", "dishes"), ("dishes", "cooks")])
    func `is set aside whole after a kill between two parts`(damaged: String, other: String) throws {
        try makeStore()
        let moves = PartMoves(damaged: damaged)
        let killed = recreating(moves) { call throws(DataStoreError) in
            if call == 2 { throw FailingAdapter.error }
        }

        let error = thrown { try killed.setup() }
        let left = moves.moved.withLock { $0 }
        let store = recreating(moves)
        try store.setup()

        #expect(error?.message == FailingAdapter.error.message)
        #expect(left == [other])
        #expect(moves.moved.withLock { $0 } == [other, damaged])
        #expect(try store.cooks() == [])
        #expect(try store.dishes() == [])
    }

    @Test(arguments: [false, true])
    func `is opened if another process makes it meanwhile`(whenAsked: Bool) throws {
        let (parts, own) = (inMemory(), inMemory())
        let other = stored(parts.cooks, parts.dishes)
        let making = Locked<(@Sendable () throws -> Void)?>({
            try other.setup()
            try other.writeSync { _ = try $0.insert(Cook(1, name: "cook 1")) }
            try other.tearDown()
        })
        let cooks = DecoratedStore(own.cooks) { OvertakenAdapter($0, by: making, whenAsked: whenAsked) }
        let store = stored(cooks, own.dishes)

        try store.setup()
        try insertBoth([2], in: store)

        #expect(try store.cooks() == ["cook 1", "cook 2"])
        #expect(try store.dishes() == ["dish 2"])
    }

    @Test func `waits for a part that lags behind`() throws {
        let late = Locked(0)
        let parts = inMemory()
        let store = stored(parts.cooks, DecoratedStore(parts.dishes) { LateAdapter($0, late) })
        try store.setup()
        try insertBoth([1], in: store)
        late.withLock { $0 = 8 }

        let began = ContinuousClock.now
        let dishes = try store.dishes()
        let waited = ContinuousClock.now - began

        #expect(dishes == ["dish 1"])
        #expect(late.withLock { $0 } == 0)
        // 1, 2, 4 and so on to 64 ms.
        #expect(waited >= .milliseconds(127))
    }

    /// - Parameters:
    ///   - count: The number of snapshots that are late; the first eight are taken within 63 ms.
    ///   - locks: The number of times that the reader asks for the lock, which another process holds: once at most.
    @Test(arguments: [(7, 0), (9, 1)])
    func `is read while another process writes for a long time`(late count: Int, locks: Int) throws {
        let late = Locked(0)
        let asked = Locked<Int?>(nil)
        let parts = inMemory()
        let store = stored(
            DecoratedStore(parts.cooks) { LockedAdapter($0, asked) },
            DecoratedStore(parts.dishes) { LateAdapter($0, late) })
        try store.setup()
        try insertBoth([1], in: store)
        late.withLock { $0 = count }
        asked.withLock { $0 = 0 }

        let dishes = try store.dishes()

        #expect(dishes == ["dish 1"])
        #expect(asked.withLock { $0 } == locks)
    }

    @Test func `begins its snapshots in the order in which a writer locks the parts`() throws {
        let asked = Locked<[String]>([])
        let parts = inMemory()
        let store = stored(
            DecoratedStore(parts.cooks) { AskedAdapter($0, "cooks", asked) },
            DecoratedStore(parts.dishes) { AskedAdapter($0, "dishes", asked) })
        try store.setup()
        asked.withLock { $0 = [] }

        let cooks = try store.cooks()

        #expect(cooks == [])
        #expect(asked.withLock { $0 } == ["cooks", "dishes"])
    }

    @Test func `empties a cache that lacks several blocks of another process`() throws {
        let folder = try TemporaryFolder()
        // One open store at a time: a file is opened once in a process.
        func process(_ cache: MemoryStorage) -> RoutedDataStore {
            stored(
                SQLiteDataStore(at: folder.file("cooks"), storing: [Cook.self]),
                MemoryDataStore(storing: [Dish.self], in: cache), mayBeLost: true)
        }
        var store = process(first)
        try store.setup()
        try insertBoth([1], in: store)
        try store.tearDown()
        store = process(second)
        try store.setup()
        try insertBoth([2, 3], in: store)
        try store.tearDown()

        store = process(first)
        try store.setup()
        let dishes = try store.dishes()
        try insertBoth([4], in: store)

        #expect(dishes == [])
        #expect(try store.cooks() == ["cook 1", "cook 2", "cook 3", "cook 4"])
        #expect(try store.dishes() == ["dish 4"])
        try store.tearDown()
    }

    @Test(arguments: ["x", "y"], [false, true])
    func `empties a cache if another process gives a unique value of its items to another one`(
        slug: String, isOnDisk: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let (pie, tart) = (Recipe(1, "Pie", slug: "x"), Recipe(2, "Tart", slug: slug))
        let cake = Recipe(3, "Cake", slug: "z")
        // One open store at a time: a file is opened once in a process.
        func process(_ cache: MemoryStorage, _ file: String) throws -> RoutedDataStore {
            let recipes: any DataStore =
                isOnDisk
                ? SQLiteDataStore(at: folder.file(file), storing: [Recipe.self])
                : MemoryDataStore(storing: [Recipe.self], in: cache)
            let store = stored(
                SQLiteDataStore(at: folder.file("cooks"), storing: [Cook.self]), recipes, mayBeLost: true)
            try store.setup()
            return store
        }
        var store = try process(first, "first")
        try store.writeSync { _ = try $0.insert(pie) }
        try store.tearDown()
        store = try process(second, "second")
        try store.writeSync { accessor in
            try accessor.insert(Cook(1, name: "cook 1"))
            try accessor.insert(tart)
        }
        try store.tearDown()

        store = try process(first, "first")
        let left = try store.read { try $0.items(for: Recipe.all) }
        try store.writeSync { accessor in
            try accessor.insert(Cook(2, name: "cook 2"))
            try accessor.insert(cake)
        }

        #expect(left == (slug == "x" ? [] : [pie, tart]))
        #expect(try store.cooks() == ["cook 1", "cook 2"])
        #expect(try store.read { try $0.items(for: Recipe.all) } == left + [cake])
        try store.tearDown()
    }

    @Test(arguments: [1, 2] as [Int64])
    func `empties a cache if another process gives the one badge of a waiter to another one`(
        waiter: Int64
    ) throws {
        let folder = try TemporaryFolder()
        // One open store at a time: a file is opened once in a process.
        func process(_ cache: MemoryStorage) throws -> RoutedDataStore {
            let store = stored(
                SQLiteDataStore(at: folder.file("waiters"), storing: [Waiter.self]),
                MemoryDataStore(storing: [Badge.self], in: cache), mayBeLost: true)
            try store.setup()
            return store
        }
        var store = try process(first)
        try store.writeSync { try $0.insert(contentsOf: [Waiter(1), Waiter(2)]) }
        try store.writeSync { _ = try $0.insert(Badge(1, of: 1)) }
        try store.tearDown()
        store = try process(second)
        try store.writeSync { accessor in
            try accessor.insert(Waiter(3))
            try accessor.insert(Badge(2, of: waiter))
        }
        try store.tearDown()

        store = try process(first)
        let left = try store.read { try $0.ids(for: Badge.all) }
        try store.writeSync { accessor in
            try accessor.insert(Waiter(4))
            try accessor.insert(Badge(4, of: 4))
        }

        #expect(left == (waiter == 1 ? [] : [1, 2]))
        #expect(try store.read { try $0.ids(for: Waiter.all) } == [1, 2, 3, 4])
        #expect(try store.read { try $0.ids(for: Badge.all) } == left + [4])
        try store.tearDown()
    }
}

/// What processes that set the same store aside share: the part that is damaged, and those that were moved.
private final class PartMoves: Sendable {
    let damaged: Locked<String?>
    let moved = Locked<[String]>([])
    let calls = Locked(0)

    init(damaged: String) { self.damaged = Locked<String?>(damaged) }
}

/// An adapter in memory that can be damaged and moved.
private final class MovableAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let name: String
    private let moves: PartMoves
    private let whenLocked: @Sendable (_ call: Int) throws(DataStoreError) -> Void

    /// - Parameter whenLocked: Called with the number of the call when a part is locked to be moved.
    init(
        _ adapter: any StorageAdapter, _ name: String, _ moves: PartMoves,
        whenLocked: @escaping @Sendable (_ call: Int) throws(DataStoreError) -> Void
    ) {
        wrappedAdapter = adapter
        self.name = name
        self.moves = moves
        self.whenLocked = whenLocked
    }

    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        if moves.damaged.withLock({ $0 }) == name { throw DataStoreError(.damaged, "The part is damaged.") }
        return try wrappedAdapter.storedSchema()
    }

    func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? {
        let call = moves.calls.withLock { calls in
            calls += 1
            return calls
        }
        try whenLocked(call)
        guard try isNeeded(), try wrappedAdapter.storedSchema() != nil else { return nil }
        try wrappedAdapter.destroy()
        if moves.damaged.withLock({ $0 }) == name { moves.damaged.withLock { $0 = nil } }
        moves.moved.withLock { $0.append(name) }
        return name
    }
}

/// An adapter whose next snapshots lack the row of the part.
private final class LateAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let late: Locked<Int>

    /// - Parameter late: The number of those snapshots.
    init(_ adapter: any StorageAdapter, _ late: Locked<Int>) {
        wrappedAdapter = adapter
        self.late = late
    }

    func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading {
        let isLate = late.withLock { late in
            late -= 1
            return late >= 0
        }
        if isLate { return LateReading(reading) }
        late.withLock { $0 = 0 }
        return reading
    }
}

private final class LateReading: ReadingDecorator {
    let wrappedReading: any StorageReading

    init(_ reading: any StorageReading) { wrappedReading = reading }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool { false }
}

/// An adapter that another process has locked for writing.
private final class LockedAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let asked: Locked<Int?>

    /// - Parameter asked: The number of times that this process has asked for the lock; nil while it gets it.
    init(_ adapter: any StorageAdapter, _ asked: Locked<Int?>) {
        wrappedAdapter = adapter
        self.asked = asked
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        let isLocked = asked.withLock { asked in
            asked = asked.map { $0 + 1 }
            return asked != nil
        }
        if isLocked { throw DataStoreError(.busy, "Another process writes.") }
        return try wrappedAdapter.beginWriting()
    }
}

/// An adapter that notes when a snapshot is asked for a row by its identifier.
private final class AskedAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let name: String
    private let asked: Locked<[String]>

    init(_ adapter: any StorageAdapter, _ name: String, _ asked: Locked<[String]>) {
        wrappedAdapter = adapter
        self.name = name
        self.asked = asked
    }

    func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading {
        AskedReading(reading) { [name, asked] in asked.withLock { $0.append(name) } }
    }
}

private final class AskedReading: ReadingDecorator {
    let wrappedReading: any StorageReading
    private let note: () -> Void

    init(_ reading: any StorageReading, _ note: @escaping () -> Void) {
        wrappedReading = reading
        self.note = note
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        note()
        return try wrappedReading.row(at: identifier, of: entity, into: cells)
    }
}
