import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// A store that stays open while the server of a part is replaced by one that lacks the last commit.
@Suite struct LostCommitTests {
    private let isLost = Locked(false)
    private let isAway = Locked(false)

    private func opened(losingIn name: String) throws -> RoutedDataStore {
        let cooks = MemoryDataStore(storing: [Cook.self])
        let dishes = MemoryDataStore(storing: [Dish.self])
        let store = RoutedDataStore([
            StorePart("cooks", name == "cooks" ? losing(cooks) : cooks),
            StorePart("dishes", name == "dishes" ? losing(dishes) : dishes),
        ])
        try store.setup()
        return store
    }

    private func losing(_ store: any DataStore) -> any DataStore {
        DecoratedStore(store) { LosingAdapter($0, isLost, isAway) }
    }

    private func insertBoth(_ number: Int64, in store: RoutedDataStore, isLost: Bool = false) throws {
        self.isLost.withLock { $0 = isLost }
        try store.writeSync { accessor in
            try accessor.insert(Cook(number, name: "cook \(number)"))
            try accessor.insert(Dish(number, name: "dish \(number)"))
        }
    }

    @Test func `a read block repeats a commit that a later part has lost`() throws {
        let store = try opened(losingIn: "dishes")
        try insertBoth(1, in: store)
        try insertBoth(2, in: store, isLost: true)

        let dishes = try store.dishes()
        try insertBoth(3, in: store)

        #expect(dishes == ["dish 1", "dish 2"])
        #expect(try store.cooks() == ["cook 1", "cook 2", "cook 3"])
        #expect(try store.dishes() == ["dish 1", "dish 2", "dish 3"])
    }

    @Test func `a write block does not replace the journal of a commit that a later part has lost`() throws {
        let store = try opened(losingIn: "dishes")
        try insertBoth(1, in: store)
        try insertBoth(2, in: store, isLost: true)

        let error = thrown { try insertBoth(3, in: store) }
        try insertBoth(4, in: store)

        #expect(error?.code == .busy)
        #expect(try store.cooks() == ["cook 1", "cook 2", "cook 4"])
        #expect(try store.dishes() == ["dish 1", "dish 2", "dish 4"])
    }

    @Test func `a write block of one part does not change a part that has lost a commit`() throws {
        let store = try opened(losingIn: "dishes")
        try insertBoth(1, in: store)
        isLost.withLock { $0 = true }
        try store.writeSync { accessor in
            try accessor.insert(Cook(2, name: "cook 2"))
            _ = try accessor.upsert(Dish(1, name: "A"))
        }

        let error = thrown { try store.writeSync { _ = try $0.upsert(Dish(1, name: "B")) } }
        let repeated = try store.dishes()
        try store.writeSync { _ = try $0.upsert(Dish(1, name: "C")) }

        #expect(error?.code == .busy)
        #expect(repeated == ["A"])
        #expect(try store.cooks() == ["cook 1", "cook 2"])
        #expect(try store.dishes() == ["C"])
    }

    @Test(arguments: [false, true])
    func `a write block of other parts does not replace the journal that a part needs`(
        reads: Bool
    ) throws {
        typealias Note = Texts<FirstNote>
        let store = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self])),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self])),
            StorePart("notes", losing(MemoryDataStore(storing: [Note.self]))),
        ])
        try store.setup()
        for number in [1, 2] as [Int64] {
            isLost.withLock { $0 = number == 2 }
            try store.writeSync { accessor in
                try accessor.insert(Cook(number, name: "cook \(number)"))
                try accessor.insert(Note(number, "note \(number)"))
            }
        }
        func insertOthers(_ number: Int64) throws {
            try store.writeSync { accessor in
                try accessor.insert(Cook(number, name: "cook \(number)"))
                try accessor.insert(Dish(number, name: "dish \(number)"))
                if reads { _ = try? accessor.items(for: Note.all) }
            }
        }

        let error = thrown { try insertOthers(3) }
        try insertOthers(4)

        #expect(error?.code == .busy)
        #expect(try store.cooks() == ["cook 1", "cook 2", "cook 4"])
        #expect(try store.dishes() == ["dish 4"])
        let notes = try store.read { try $0.items(for: Note.all) }
        #expect(notes == [Note(1, "note 1"), Note(2, "note 2")])
    }

    @Test(arguments: [false, true])
    func `a write block of other parts throws the error of a part of the last commit that is away`(
        wasInLast: Bool
    ) throws {
        typealias Note = Texts<FirstNote>
        let store = RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self])),
            StorePart("dishes", MemoryDataStore(storing: [Dish.self])),
            StorePart("notes", losing(MemoryDataStore(storing: [Note.self]))),
        ])
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(Cook(1, name: "cook 1"))
            if wasInLast { try accessor.insert(Note(1, "note 1")) }
        }

        isAway.withLock { $0 = true }
        let error = thrown { try insertBoth(2, in: store) }
        isAway.withLock { $0 = false }
        try insertBoth(3, in: store)

        #expect(error?.code == (wasInLast ? .connectionLost : nil))
        #expect(try store.cooks() == (wasInLast ? ["cook 1", "cook 3"] : ["cook 1", "cook 2", "cook 3"]))
        #expect(try store.dishes() == (wasInLast ? ["dish 3"] : ["dish 2", "dish 3"]))
    }

    @Test(arguments: [0, 1] as [Int64])
    func `a commit that the first part has lost is found, and its number is not given again`(
        before: Int64
    ) throws {
        let store = try opened(losingIn: "cooks")
        if before > 0 { try insertBoth(before, in: store) }
        try insertBoth(2, in: store, isLost: true)

        let written = thrown { try insertBoth(3, in: store) }
        let read = thrown { try store.dishes() }

        #expect(written?.code == .partMismatch)
        #expect(read?.code == .partMismatch)
    }

    @Test func `a read block finds a commit that the first part has lost`() throws {
        let store = try opened(losingIn: "cooks")
        try insertBoth(1, in: store, isLost: true)

        #expect(thrown { try store.cooks() }?.code == .partMismatch)
    }

    @Test func `a read block that has waited for a locked part does not wait for it again`() throws {
        let refusals = Locked<Int?>(nil)
        let cooks = MemoryDataStore(storing: [Cook.self])
        let store = RoutedDataStore([
            StorePart("cooks", DecoratedStore(cooks) { RefusingAdapter($0, refusals) }),
            StorePart("dishes", losing(MemoryDataStore(storing: [Dish.self]))),
        ])
        try store.setup()
        try insertBoth(1, in: store, isLost: true)
        refusals.withLock { $0 = 0 }

        let error = thrown { try store.dishes() }
        let count = refusals.withLock { $0 }

        #expect(error?.code == .busy)
        #expect(count == 1)
    }
}

/// An adapter that another process keeps locked.
private final class RefusingAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let refusals: Locked<Int?>

    /// - Parameter refusals: The number of the blocks that were refused; nil while none is.
    init(_ adapter: any StorageAdapter, _ refusals: Locked<Int?>) {
        wrappedAdapter = adapter
        self.refusals = refusals
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        let isLocked = refusals.withLock { count -> Bool in
            count = count.map { $0 + 1 }
            return count != nil
        }
        if isLocked { throw DataStoreError(.busy, "Another process writes to the part.") }
        return try wrappedAdapter.beginWriting()
    }
}

/// An adapter whose server forgets a commit that it has reported.
private final class LosingAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let isLost: Locked<Bool>
    private let isAway: Locked<Bool>

    /// - Parameters:
    ///   - isLost: True if the next commit is lost.
    ///   - isAway: True if the part cannot be reached.
    init(_ adapter: any StorageAdapter, _ isLost: Locked<Bool>, _ isAway: Locked<Bool>) {
        wrappedAdapter = adapter
        self.isLost = isLost
        self.isAway = isAway
    }

    func decorated(_ reading: any StorageReading) throws(DataStoreError) -> any StorageReading {
        if !isAway.withLock({ $0 }) { return reading }
        reading.end()
        throw DataStoreError(.connectionLost, "The server is away.")
    }

    func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
        LosingWriting(writing, isLost)
    }
}

private final class LosingWriting: WritingDecorator {
    let wrappedWriting: any StorageWriting
    private let isLost: Locked<Bool>

    init(_ writing: any StorageWriting, _ isLost: Locked<Bool>) {
        wrappedWriting = writing
        self.isLost = isLost
    }

    func commit() throws(DataStoreError) {
        if isLost.exchange(false) { return end() }
        try wrappedWriting.commit()
    }
}
