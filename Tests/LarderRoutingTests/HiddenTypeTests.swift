import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// A process that names fewer types than the parts have, after another one was killed between two commits.
@Suite struct `A commit over several parts of types that a process does not name` {
    private typealias Note = Texts<FirstNote>

    private let first = MemoryStorage()
    private let second = MemoryStorage()

    /// A store with notes, waiters and badges beside the dishes, of whose second part a commit fails.
    private func whole(secondFails: Int = .max) -> RoutedDataStore {
        let dishes = MemoryDataStore(
            storing: [Dish.self, Note.self, Waiter.self, Badge.self], in: second)
        return RoutedDataStore([
            StorePart("cooks", MemoryDataStore(storing: [Cook.self], in: first)),
            StorePart("dishes", DecoratedStore(dishes, atCommit: secondFails)),
        ])
    }

    /// A store without those, whose parts give their memory away.
    private func fewer() -> (store: RoutedDataStore, places: [SharedPlace]) {
        RoutedDataStore.shared(cooks: first, dishes: second)
    }

    /// Inserts a cook and a note.
    private func insert(in store: RoutedDataStore) throws {
        try store.setup()
        try store.writeSync { accessor in
            try accessor.insert(Cook(1, name: "Ada"))
            try accessor.insert(Note(1, "x"))
        }
        try? store.tearDown()
    }

    /// The same, and the second part lacks the note.
    private func insertHalf() throws { try insert(in: whole(secondFails: 1)) }

    private func expectBoth(_ location: SourceLocation = #_sourceLocation) throws {
        let store = whole()
        try store.setup()
        let notes = try store.read { try $0.items(for: Note.all) }
        #expect(try store.cooks() == ["Ada"], sourceLocation: location)
        #expect(notes == [Note(1, "x")], sourceLocation: location)
        try store.tearDown()
    }

    @Test func `is finished whole when it opens the store`() throws {
        try whole().setupAndTearDown()
        try insertHalf()

        let store = fewer().store
        try store.setup()
        let cooks = try store.cooks()
        try store.tearDown()

        #expect(cooks == ["Ada"])
        try expectBoth()
    }

    @Test func `needs no lock of a part to open the store if it is finished`() throws {
        try insert(in: whole())
        let (store, places) = fewer()

        try store.setup()
        let begun = places.map(\.writings)
        try store.tearDown()

        #expect(begun == [0, 0])
        try expectBoth()
    }

    @Test func `is not finished by half while it has the store open`() throws {
        try whole().setupAndTearDown()
        let (store, places) = fewer()
        try store.setup()
        for place in places { try place.leave() }
        try insertHalf()
        for place in places { try place.comeBack() }

        let written = thrown { try store.writeSync { _ = try $0.insert(Cook(2, name: "Bea")) } }
        let read = thrown { try store.cooks() }
        try store.tearDown()
        try store.setup()
        let cooks = try store.cooks()
        try store.tearDown()

        #expect(written?.code == .schemaMismatch)
        #expect(
            written?.message
                == "A commit over several parts was not finished, and changes Note, which the store does not name."
        )
        #expect(read?.code == .schemaMismatch)
        #expect(cooks == ["Ada"])
        try expectBoth()
    }
}

extension RoutedDataStore {
    fileprivate func setupAndTearDown() throws {
        try setup()
        try tearDown()
    }
}
