import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderRouting
import LarderSQLite
import Testing

@testable import AdapterTestSupport

@Suite struct `A store over several parts` {
    private let first = MemoryStorage()
    private let second = MemoryStorage()

    /// A store over the two pieces of memory.
    ///
    /// - Parameters:
    ///   - firstFails: The commit of the first part that fails, with all later calls.
    ///   - secondFails: The same for the second part.
    private func store(firstFails: Int? = nil, secondFails: Int? = nil) -> RoutedDataStore {
        var cooks: any DataStore = MemoryDataStore(storing: [Cook.self], in: first)
        var dishes: any DataStore = MemoryDataStore(storing: [Dish.self], in: second)
        if let firstFails { cooks = DecoratedStore(cooks, atCommit: firstFails) }
        if let secondFails { dishes = DecoratedStore(dishes, atCommit: secondFails) }
        return RoutedDataStore([StorePart("cooks", cooks), StorePart("dishes", dishes)])
    }

    private func opened(firstFails: Int? = nil, secondFails: Int? = nil) throws -> RoutedDataStore {
        let store = store(firstFails: firstFails, secondFails: secondFails)
        try store.setup()
        return store
    }

    private func insertBoth(_ number: Int64, in store: RoutedDataStore) throws {
        try store.writeSync { accessor in
            try accessor.insert(Cook(number, name: "cook \(number)"))
            try accessor.insert(Dish(number, name: "dish \(number)", cook: ToOne(id: number)))
        }
    }

    @Test func `relates items of SQLite and LMDB`() throws {
        let folder = try TemporaryFolder()
        let sqlite = SQLiteDataStore(at: folder.file("cooks"), storing: [Cook.self])
        let lmdb = LMDBDataStore(at: folder.file("dishes"), storing: [Dish.self])
        let store = RoutedDataStore([StorePart("cooks", sqlite), StorePart("dishes", lmdb)])
        try store.setup()
        defer { try? store.destroy() }

        try insertBoth(1, in: store)
        try insertBoth(2, in: store)
        let refused = thrown {
            try store.writeSync { try $0.insert(Dish(3, name: "dish 3", cook: ToOne(id: 9))) }
        }
        let found = try store.read { accessor in
            try accessor.items(for: Dish.where(\.cook.name == "cook 2")).map(\.name)
        }
        try store.writeSync { try $0.delete(id: 1, of: Cook.self) }

        #expect(found == ["dish 2"])
        #expect(refused?.code == .targetNotFound)
        #expect(try store.read { try $0.items(for: Dish.all).map { $0.cook?.id } } == [nil, 2])
    }

    @Test func `has parts that are checked and copied as stores without types`() throws {
        let folder = try TemporaryFolder()
        func makeStore(ofDishes name: String) -> RoutedDataStore {
            let sqlite = SQLiteDataStore(at: folder.file("cooks"), storing: [Cook.self])
            let lmdb = LMDBDataStore(at: folder.file(name), storing: [Dish.self])
            return RoutedDataStore([StorePart("cooks", sqlite), StorePart("dishes", lmdb)])
        }
        let store = makeStore(ofDishes: "dishes")
        try store.setup()
        try insertBoth(1, in: store)
        try store.tearDown()

        let cooks = SQLiteDataStore(
            at: folder.file("cooks"), storing: [], options: SQLiteOptions(isReadOnly: true))
        let dishes = LMDBDataStore(
            at: folder.file("dishes"), storing: [], options: LMDBOptions(isReadOnly: true))
        try cooks.setup()
        try dishes.setup()
        let problems = try cooks.checkIntegrity() + dishes.checkIntegrity()
        try dishes.backup(to: folder.file("copy"))
        try cooks.tearDown()
        try dishes.tearDown()
        let typed = LMDBDataStore(
            at: folder.file("dishes"), storing: [Cook.self, Dish.self], options: LMDBOptions(isReadOnly: true)
        )
        let restored = makeStore(ofDishes: "copy")
        try restored.setup()
        defer { try? restored.destroy() }

        #expect(problems == [])
        #expect(thrown { try typed.setup() }?.code == .schemaMismatch)
        #expect(
            try restored.read { try $0.items(for: Dish.where(\.cook.name == "cook 1")).map(\.name) } == [
                "dish 1"
            ])
    }

    @Test func `stores nothing of a block whose first commit fails`() throws {
        // Setting up commits the identity and the records of both parts.
        let store = try opened(firstFails: 3)

        let error = thrown { try insertBoth(1, in: store) }
        try? store.tearDown()
        let again = try opened()

        #expect(error?.message == FailingAdapter.error.message)
        #expect(try again.cooks() == [])
        #expect(try again.dishes() == [])
    }

    @Test func `finishes at the next opening what a killed process has half committed`() throws {
        let store = try opened(secondFails: 2)

        try insertBoth(1, in: store)
        let error = thrown { try store.cooks() }
        try? store.tearDown()
        let again = try opened()
        try insertBoth(2, in: again)

        #expect(error?.message == FailingAdapter.error.message)
        #expect(try again.cooks() == ["cook 1", "cook 2"])
        #expect(try again.dishes() == ["dish 1", "dish 2"])
    }

    @Test func `repeats changes of every kind and size, without those of an undone savepoint`() throws {
        let photo = Data((0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0) })
        var store = try opened()
        try insertBoth(1, in: store)
        try insertBoth(2, in: store)
        try store.tearDown()
        store = try opened(secondFails: 1)
        struct Undone: Error {}

        try store.writeSync { accessor in
            try accessor.insert(Cook(3, name: "cook 3"))
            try accessor.insert(Dish(3, name: "", photo: photo))
            try accessor.mutableItem(id: 1, of: Dish.self)?.name = "renamed"
            try? accessor.savepoint {
                try accessor.insert(Dish(4, name: "undone"))
                throw Undone()
            }
            try accessor.delete(id: 2, of: Dish.self)
        }
        try? store.tearDown()
        let again = try opened()

        #expect(try again.dishes() == ["renamed", ""])
        #expect(try again.read { try $0.item(id: 3, of: Dish.self)?.photo } == photo)
    }

    /// A store whose parts give their memory away, and count their write transactions.
    private func shared() -> (store: RoutedDataStore, places: [SharedPlace]) {
        RoutedDataStore.shared(cooks: first, dishes: second)
    }

    @Test func `is opened without a lock of a part if nothing is left to be written`() throws {
        let made = try opened()
        try insertBoth(1, in: made)
        try made.tearDown()
        let (store, places) = shared()

        try store.setup()
        let begun = places.map(\.writings)
        try insertBoth(2, in: store)

        #expect(begun == [0, 0])
        #expect(try store.cooks() == ["cook 1", "cook 2"])
        #expect(try store.dishes() == ["dish 1", "dish 2"])
    }

    @Test func `is opened without a lock of a part while a process that changed it has it open`() throws {
        let (other, left) = shared()
        try other.setup()
        try insertBoth(1, in: other)
        for place in left { try place.leave() }
        let (store, places) = shared()

        try store.setup()
        let begun = places.map(\.writings)
        try insertBoth(2, in: store)
        try store.tearDown()
        for place in left { try place.comeBack() }
        let before = left.map(\.writings)
        try other.writeSync { _ = try $0.insert(Cook(3, name: "cook 3")) }
        let after = left.map(\.writings)

        #expect(begun == [0, 0])
        // No part is locked only because another process has changed it.
        #expect(zip(after, before).map { $0 - $1 } == [1, 0])
        #expect(try other.cooks() == ["cook 1", "cook 2", "cook 3"])
        #expect(try other.dishes() == ["dish 1", "dish 2"])
    }

    @Test func `is not opened without a part`() throws {
        try opened().tearDown()
        let lost = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self], in: first)),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self])),
        ])
        let lostFirst = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self])),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self], in: second)),
        ])

        #expect(thrown { try lost.setup() }?.code == .partMissing)
        #expect(thrown { try lostFirst.setup() }?.code == .partMissing)
    }

    @Test func `is destroyed by another call after a kill between two parts`() throws {
        let store = try opened()
        try insertBoth(1, in: store)
        try store.tearDown()
        // As a process that is killed after the deletion of the last part leaves them.
        try MemoryDataStore(storing: [Dish.self], in: second).destroy()

        let error = thrown { try opened() }
        try store.destroy()
        let again = try opened()

        #expect(error?.code == .partMissing)
        #expect(error?.advice.contains("If destroy() was interrupted, call it again.") == true)
        #expect(try again.cooks() == [])
        #expect(try again.dishes() == [])
    }

    @Test func `begins a lost cache anew`() throws {
        let store = try opened()
        try insertBoth(1, in: store)
        try store.tearDown()
        let again = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self], in: first)),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self]), mayBeLost: true),
        ])
        try again.setup()
        try insertBoth(2, in: again)

        #expect(try again.cooks() == ["cook 1", "cook 2"])
        #expect(try again.dishes() == ["dish 2"])
    }

    @Test func `refuses a part of another store`() throws {
        try opened().tearDown()
        let other = MemoryStorage()
        let others = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self])),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self], in: other)),
        ])
        try others.setup()
        try others.tearDown()
        let mixed = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self], in: first)),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self], in: other)),
        ])

        #expect(thrown { try mixed.setup() }?.code == .partMismatch)
    }

    @Test func `refuses a part of another store if it is read-only`() throws {
        let folder = try TemporaryFolder()
        func parts(_ cooks: String, _ dishes: String, isReadOnly: Bool) -> RoutedDataStore {
            let options = SQLiteOptions(isReadOnly: isReadOnly)
            return RoutedDataStore([
                StorePart(
                    "cooks",
                    SQLiteDataStore(at: folder.file(cooks), storing: [Cook.self], options: options)),
                StorePart(
                    "dishes",
                    SQLiteDataStore(at: folder.file(dishes), storing: [Dish.self], options: options)),
            ])
        }
        for name in ["a", "b"] {
            let store = parts("cooks-\(name)", "dishes-\(name)", isReadOnly: false)
            try store.setup()
            try insertBoth(1, in: store)
            try store.tearDown()
        }

        let mixed = thrown { try parts("cooks-a", "dishes-b", isReadOnly: true).setup() }
        let whole = parts("cooks-b", "dishes-b", isReadOnly: true)
        try whole.setup()

        #expect(mixed?.code == .partMismatch)
        #expect(try whole.dishes() == ["dish 1"])
        try whole.tearDown()
    }

    /// A store whose dishes are in the second part, or in the first one.
    private func store(dishesFirst: Bool) -> RoutedDataStore {
        RoutedDataStore([
            StorePart(
                "main",
                MemoryDataStore(storing: dishesFirst ? [Cook.self, Dish.self] : [Cook.self], in: first)),
            StorePart("cache", MemoryDataStore(storing: dishesFirst ? [] : [Dish.self], in: second)),
        ])
    }

    @Test func `is not opened while a type that another part is to keep has rows`() throws {
        let early = store(dishesFirst: true)
        try early.setup()
        try insertBoth(1, in: early)
        try early.tearDown()

        let error = thrown { try store(dishesFirst: false).setup() }
        let again = store(dishesFirst: true)
        try again.setup()
        let kept = try again.dishes()
        try again.writeSync { try $0.delete(id: 1, of: Dish.self) }
        try again.tearDown()
        let late = store(dishesFirst: false)
        try late.setup()
        try insertBoth(2, in: late)

        #expect(error?.code == .schemaMismatch)
        #expect(error?.itemType == "Dish")
        #expect(
            error?.message
                == #"The part "main" has rows of Dish, which the part "cache" is to keep now."#)
        #expect(kept == ["dish 1"])
        #expect(try late.dishes() == ["dish 2"])
        #expect(try late.cooks() == ["cook 1", "cook 2"])
    }

    @Test func `refuses parts that keep one type, or have one name`() {
        let both = RoutedDataStore([
            StorePart("a", MemoryDataStore(storing: [Cook.self])),
            StorePart("b", MemoryDataStore(storing: [Cook.self])),
        ])
        let named = RoutedDataStore([
            StorePart("a", MemoryDataStore(storing: [Cook.self])),
            StorePart("a", MemoryDataStore(storing: [Dish.self])),
        ])

        #expect(thrown { try both.setup() }?.message == "The parts \"a\" and \"b\" both keep Cook.")
        #expect(thrown { try named.setup() }?.message == "Two parts are called \"a\".")
    }
}
