import Larder
import LarderMemory
import LarderTesting
import Observation
import Testing

@testable import LarderKernel
@testable import LarderObservation

/// The observable classes, driven by what an observer is told.
@MainActor
struct ObservedItemsTests {
    private func makeStore() throws -> TemporaryStore {
        let store = try TemporaryStore(storing: [RankedNote.self])
        try store.writeSync { try $0.insert(contentsOf: (0..<3).map { RankedNote($0) }) }
        return store
    }

    /// The value of a property after the next change of it, which an action leads to.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func change<Value>(
        of property: @MainActor () -> Value, by action: () async throws -> Void
    ) async throws -> Value {
        let (changes, change) = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = property()
        } onChange: {
            change.yield()
        }
        try await action()
        for await _ in changes { break }
        return property()
    }

    /// Counts how often observers of a property are told.
    private final class Told: Sendable {
        private let number = Locked(0)
        var count: Int { number.withLock { $0 } }

        @MainActor
        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
        init<Value>(_ property: @MainActor () -> Value) {
            withObservationTracking {
                _ = property()
            } onChange: {
                self.number.withLock { $0 += 1 }
            }
        }
    }

    /// Sets another request when an observer of some items is told of a change.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func whenTold(of notes: ObservedItems<RankedNote>, set request: DataStoreRequest<RankedNote>) {
        withObservationTracking {
            _ = notes.items
        } onChange: {
            MainActor.assumeIsolated { notes.request = request }
        }
    }

    /// Lets the tasks of released observations run to their end.
    private func waitUntil(_ isDone: () -> Bool) async {
        for _ in 0..<100_000 where !isDone() { await Task.yield() }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the items are there at once, and observers are told of each change`() async throws {
        let store = try makeStore()
        let notes = ObservedItems(RankedNote.where(\.rank > 0), in: store)

        #expect(notes.items.map(\.id) == [1, 2])
        #expect(notes.isLoaded && !notes.hasEnded && notes.error == nil)
        let ids = try await change(of: { notes.items.map(\.id) }) {
            try await store.writeAsync { _ = try $0.insert(RankedNote(7)) }
        }
        #expect(ids == [1, 2, 7])
        let ranks = try await change(of: { notes.items.map(\.rank) }) {
            try await store.writeAsync { try $0.update(RankedNote.where(\.id == 1), .set(\.rank, to: 9)) }
        }
        #expect(ranks == [9, 2, 7])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `nothing is read before a property is asked for`() throws {
        let store = try makeStore()
        let observations = store.coordinator.observations
        let all = ObservedItems(RankedNote.all, in: store)
        all.request = RankedNote.where(\.rank == 2)
        #expect(observations.count == 0)

        // It has been told to no one, so this is no change.
        try store.writeSync { try $0.update(RankedNote.all, .set(\.rank, to: 2)) }

        #expect(all.items.count == 3)
        #expect(observations.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `observers are not told of properties that stay the same`() async throws {
        let store = try makeStore()
        let notes = ObservedItems(RankedNote.where(\.rank > 0), in: store)
        let others = [
            Told { notes.isLoaded }, Told { notes.hasEnded }, Told { notes.error == nil },
            Told { notes.request },
        ]
        let items = Told { notes.items }

        let count = try await change(of: { notes.items.count }) {
            // The first two change nothing that is shown.
            try await store.writeAsync { _ = try $0.delete(id: 0, of: RankedNote.self) }
            try await store.writeAsync { _ = try $0.insert(RankedNote(-1)) }
            try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        }

        #expect(count == 3)
        #expect(items.count == 1)
        #expect(others.map(\.count) == [0, 0, 0, 0])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `another request brings its items at once and goes on`() async throws {
        let store = try makeStore()
        let notes = ObservedItems(RankedNote.where(\.rank > 0), in: store)
        #expect(notes.items.map(\.id) == [1, 2])
        let told = Told { notes.items }
        let toldRequest = Told { notes.request }

        notes.request = RankedNote.where(\.rank > 0)
        #expect([told.count, toldRequest.count] == [0, 0])
        notes.request = RankedNote.all.sorted(by: \.rank, .descending)

        #expect([told.count, toldRequest.count] == [1, 1])
        #expect(notes.items.map(\.id) == [2, 1, 0])
        let ids = try await change(of: { notes.items.map(\.id) }) {
            try await store.writeAsync { _ = try $0.insert(RankedNote(5)) }
        }
        #expect(ids == [5, 2, 1, 0])
        await waitUntil { store.coordinator.observations.count == 1 }
        #expect(store.coordinator.observations.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `an observer may set another request while it is told of items`() async throws {
        let store = try makeStore()
        let notes = ObservedItems(RankedNote.all, in: store)
        whenTold(of: notes, set: RankedNote.where(\.rank == 2))

        notes.request = RankedNote.where(\.rank > 0)

        #expect(notes.request == RankedNote.where(\.rank == 2))
        #expect(notes.items.map(\.id) == [2])
        whenTold(of: notes, set: RankedNote.all)
        let ids = try await change(of: { notes.items.map(\.id) }) {
            try await store.writeAsync { try $0.update(RankedNote.where(\.id == 1), .set(\.rank, to: 2)) }
        }
        #expect(ids == [0, 1, 2])
        let more = try await change(of: { notes.items.map(\.id) }) {
            try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        }
        #expect(more == [0, 1, 2, 3])
        await waitUntil { store.coordinator.observations.count == 1 }
        #expect(store.coordinator.observations.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `an error is told, and another request gets over it`() async throws {
        let store = try makeStore()
        let notes = ObservedItems(RankedNote.all, in: store)
        #expect(notes.items.count == 3)
        let told = [Told { notes.error == nil }, Told { notes.hasEnded }, Told { notes.isLoaded }]

        notes.request = RankedNote.all.limit(-1)

        #expect((notes.error as? DataStoreError)?.code == .invalidRequest)
        #expect(notes.hasEnded && !notes.isLoaded)
        #expect(told.map(\.count) == [1, 1, 1])
        #expect(notes.items.count == 3, "the last items stay")
        notes.request = RankedNote.all.limit(1)
        #expect(notes.error == nil && !notes.hasEnded && notes.isLoaded)
        #expect(notes.items.map(\.id) == [0])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `an error while it follows ends it and keeps the last value`() async throws {
        struct TooMany: Error {}
        let store = try makeStore()
        let count = ObservedValue(
            store.values { accessor in
                let count = try accessor.countItems(for: RankedNote.all)
                if count > 3 { throw TooMany() }
                return count
            })
        #expect(count.value == 3)

        let error = try await change(of: { count.error }) {
            try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        }

        #expect(error is TooMany)
        #expect(count.value == 3 && count.hasEnded)
        try await store.writeAsync { _ = try $0.delete(id: 0, of: RankedNote.self) }
        count.reload()
        #expect(count.value == 3 && !count.hasEnded && count.error == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the last items outlive the store, and come back with it`() async throws {
        let store = MemoryDataStore(storing: [RankedNote.self])
        try store.setup()
        try await store.writeAsync { _ = try $0.insert(RankedNote(1)) }
        let notes = ObservedItems(RankedNote.all, in: store)
        #expect(notes.items.map(\.id) == [1])

        let hasEnded = try await change(of: { notes.hasEnded }) { try store.tearDown() }

        #expect(hasEnded && notes.error == nil)
        #expect(notes.items.map(\.id) == [1])
        notes.reload()
        #expect((notes.error as? DataStoreError)?.code == .closed)
        try store.setup()
        notes.reload()
        #expect(!notes.hasEnded && notes.error == nil && notes.isLoaded)
        #expect(notes.items.map(\.id) == [1])
        let next = try await change(of: { notes.items.map(\.id) }) {
            try await store.writeAsync { _ = try $0.insert(RankedNote(2)) }
        }
        #expect(next == [1, 2])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `it ends when it is released, in the store and its parent`() async throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        let observations = [store.coordinator.observations, child.coordinator.observations]
        weak var released: ObservedItems<RankedNote>?
        do {
            let notes = ObservedItems(RankedNote.all, in: child)
            let note = ObservedItem(1, of: RankedNote.self, in: store)
            released = notes
            #expect(notes.items.count == 3)
            #expect(note.item?.rank == 1)
            #expect(observations.map(\.count) == [2, 1])
            let count = try await change(of: { notes.items.count }) {
                try await child.writeAsync { _ = try $0.insert(RankedNote(9)) }
            }
            #expect(count == 4)
        }
        #expect(released == nil)
        await waitUntil { observations.allSatisfy { $0.count == 0 } }
        #expect(observations.map(\.count) == [0, 0])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `the first read may leave the main actor free`() async throws {
        let store = try makeStore()
        let notes = ObservedItems(RankedNote.all, in: store, loading: .inBackground)
        #expect(notes.items.isEmpty && !notes.isLoaded)

        #expect(try await change(of: { notes.isLoaded }) {})
        #expect(notes.items.map(\.id) == [0, 1, 2])
        notes.request = RankedNote.all.limit(2)
        #expect(!notes.isLoaded)
        #expect(notes.items.count == 3, "the last items stay meanwhile")
        #expect(try await change(of: { notes.isLoaded }) {})
        #expect(notes.items.map(\.id) == [0, 1])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a list tells that its refetch is pending`() async throws {
        let store = try makeStore()
        let list = ObservedList(RankedNote.all, in: store, loading: .inBackground)
        #expect(!list.isPendingRefetch, "the first list is no refetch")
        #expect(try await change(of: { list.isLoaded }) {})

        let told = Told { list.isPendingRefetch }
        list.request = RankedNote.where(\.rank > 0)
        #expect(told.count == 1)
        #expect(list.isPendingRefetch)
        #expect(list.list.count == 3, "the list of the earlier request")
        #expect(try await change(of: { list.isPendingRefetch }) {} == false)
        #expect(list.list.count == 2)

        try store.tearDown()
        #expect(try await change(of: { list.hasEnded }) {})
        list.refetch(RankedNote.all, sectionedBy: nil)
        #expect(try await change(of: { list.hasEnded }) {})
        #expect(!list.isPendingRefetch, "the store is closed, and no list will come")

        let onTheSpot = ObservedList(RankedNote.all, in: try makeStore())
        #expect(onTheSpot.list.count == 3)
        onTheSpot.request = RankedNote.where(\.rank > 0)
        #expect(!onTheSpot.isPendingRefetch)
        #expect(onTheSpot.list.count == 2)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `an item is followed with its last change, and so is another one`() async throws {
        let store = try makeStore()
        let note = ObservedItem(1, of: RankedNote.self, in: store)
        #expect(note.item?.rank == 1)
        #expect(note.change?.kind == .found)

        let rank = try await change(of: { note.item?.rank }) {
            try await store.writeAsync { try $0.update(RankedNote.where(\.id == 1), .set(\.rank, to: 5)) }
        }
        #expect(rank == 5)
        #expect(note.change?[\.rank]?.old == 1)
        #expect(note.change?[\.rank]?.new == 5)
        let item = try await change(of: { note.item?.id }) {
            try await store.writeAsync { _ = try $0.delete(id: 1, of: RankedNote.self) }
        }
        #expect(item == nil)
        #expect(note.change?.kind == .deleted)
        #expect(note.change?.old?.rank == 5)

        let told = Told { note.id }
        note.id = 2
        #expect(told.count == 1)
        #expect(note.item?.rank == 2)
        #expect(note.change?.kind == .found)
        let gone = ObservedItem(77, of: RankedNote.self, in: store)
        #expect(gone.item == nil && gone.isLoaded)
        #expect(gone.change?.kind == .notFound)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func `a list is followed with its sections, and goes on with another request`() async throws {
        let store = try makeStore()
        let notes = ObservedList(RankedNote.all, sectionedBy: \.rank, in: store)
        #expect(notes.list.sections.map(\.name) == ["0", "1", "2"])

        let sections = try await change(of: { notes.list.sections.map { $0.map(\.id) } }) {
            try await store.writeAsync { try $0.update(RankedNote.where(\.id == 0), .set(\.rank, to: 2)) }
        }
        #expect(sections == [[1], [0, 2]])
        let told = [Told { notes.list }, Told { notes.request }]
        notes.request = RankedNote.all.sorted(by: \.id, .descending)
        #expect(told.map(\.count) == [1, 1])
        #expect(notes.list.sections.map { $0.map(\.id) } == [[1], [2, 0]])
        notes.refetch(RankedNote.where(\.rank == 2), sectionedBy: nil)
        #expect(notes.list.map(\.id) == [0, 2])
        #expect(notes.list.sections.map(\.name) == [""])
        let ids = try await change(of: { notes.list.ids }) {
            try await store.writeAsync { _ = try $0.delete(id: 0, of: RankedNote.self) }
        }
        #expect(ids == [2])
    }
}
