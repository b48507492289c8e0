import Larder
import LarderMemory
import LarderTesting
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderObservation

/// Observed lists: who hears what, in which order, and for how long.
struct StoreListTests {
    private func makeStore() throws -> TemporaryStore {
        let store = try TemporaryStore(storing: [Bystander.self, RankedNote.self])
        try store.writeSync { try $0.insert(contentsOf: (0..<3).map { RankedNote($0) }) }
        return store
    }

    @Test func `the store forgets a list that nobody holds`() async throws {
        let store = try makeStore()
        let child = try store.makeChildDataStore()
        let observations = [store.coordinator.observations, child.coordinator.observations]
        func counts() -> [Int] { observations.map(\.count) }
        do {
            let list = child.list(RankedNote.all, sectionedBy: \.rank)
            var iterators = (0..<3).map { _ in list.makeAsyncIterator() }
            for position in iterators.indices { _ = try await iterators[position].next() }
            #expect(counts() == [3, 3])
            iterators.removeFirst()
            #expect(counts() == [2, 2])
            try list.refetch(RankedNote.where(\.rank > 1))
            #expect(try await iterators[0].next()?.isRefetched == true)
        }
        #expect(counts() == [0, 0])
    }

    @Test func `a refetch is pending until each observer has its list`() async throws {
        let store = try makeStore()
        let list = store.list(RankedNote.all)
        try list.refetch(RankedNote.where(\.rank > 0))
        #expect(!list.isPendingRefetch, "nobody has a list")
        var iterators = (0..<3).map { _ in list.makeAsyncIterator() }
        for position in 0...1 { _ = try await iterators[position].next() }
        #expect(!list.isPendingRefetch)

        try list.refetch(RankedNote.where(\.rank > 0))
        #expect(list.isPendingRefetch)
        #expect(list.ignoring("own").isPendingRefetch, "a refetch of either list is one of both")
        #expect(try await iterators[2].next()?.list.count == 2)
        #expect(try await iterators[1].next()?.isRefetched == true)
        #expect(list.isPendingRefetch)
        #expect(try await iterators[0].next()?.isRefetched == true)
        #expect(!list.isPendingRefetch)

        try list.refetch(RankedNote.all)
        iterators.removeFirst()
        for position in 0...1 { _ = try await iterators[position].next() }
        #expect(!list.isPendingRefetch, "the first one was released")
        try list.refetch(RankedNote.where(\.rank > 1))
        #expect(list.isPendingRefetch)
        try store.tearDown()
        for position in 0...1 { #expect(try await iterators[position].next() == nil) }
        #expect(!list.isPendingRefetch)
    }

    @Test func `a list keeps no store`() async throws {
        weak var released: StoreCoordinator?
        let list: StoreList<RankedNote>
        var iterator: StoreList<RankedNote>.Iterator
        do {
            let store = MemoryDataStore(storing: [RankedNote.self])
            try store.setup()
            released = store.coordinator
            list = store.list(RankedNote.all)
            iterator = list.makeAsyncIterator()
            #expect(try await iterator.next()?.list.isEmpty == true)
        }
        #expect(released == nil)
        #expect(try await iterator.next() == nil)
        var late = list.makeAsyncIterator()
        #expect(try await late.next() == nil)
        try list.refetch(RankedNote.all.limit(1))
    }

    @Test func `a commit that does not touch the list reads nothing`() async throws {
        let store = try makeStore()
        let (changes, heard) = AsyncStream<String>.makeStream()
        let observation = store.list(RankedNote.all)
            .observe(by: { $0() }) { heard.yield($0.change.map { "\($0)" } ?? "first") }
        var texts = changes.makeAsyncIterator()
        #expect(await texts.next() == "first")

        // So many that an observation that heard of them would read between two of them.
        let recording = try await store.record {
            for id in 0..<50 as Range<Int64> {
                try await store.writeAsync { _ = try $0.insert(Bystander(id)) }
            }
        }
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }

        #expect(await texts.next() == "insert 0.3")
        #expect(recording.count(of: .request) == 0)
        withExtendedLifetime(observation) {}
    }

    @Test func `a commit that changes nothing of the list makes no update`() async throws {
        let store = try makeStore()
        var iterator = store.list(RankedNote.where(\.rank < 2)).makeAsyncIterator()
        _ = try await iterator.next()

        // Touches what is tested, but changes nothing of the list.
        try await store.writeAsync { _ = try $0.insert(RankedNote(9)) }
        try await store.writeAsync { _ = try $0.delete(id: 1, of: RankedNote.self) }

        #expect(try await iterator.next()?.change?.description == "delete 0.1")
    }

    @Test @MainActor func `an observer hears each step between will and did`() async throws {
        let store = try makeStore()
        let observer = Recorder()
        let list = store.list(RankedNote.all, sectionedBy: \.rank)
        let observation = list.observe(with: observer)
        #expect(await observer.next(1) == ["load 0 1 2"])

        try await store.writeAsync { accessor in
            try accessor.delete(id: 0, of: RankedNote.self)
            try accessor.insert(RankedNote(7))
            try accessor.update(RankedNote.where(\.id == 1), .set(\.rank, to: 2))
        }
        #expect(
            await observer.next(9) == [
                "will 0 1 2", "delete section 0 at 0", "delete section 1 at 1", "insert section 7 at 1",
                "delete 0 at 0.0", "delete 1 at 1.0", "insert 1 at 0.0", "insert 7 at 1.0", "did 1 2 7",
            ])

        try list.refetch(RankedNote.where(\.rank == 2).sorted(by: \.id, .descending))
        #expect(
            await observer.next(6) == [
                "will refetch 1 2 7", "will 1 2 7", "delete section 7 at 1", "delete 7 at 1.0",
                "move 2 0.1→0.0", "did 2 1",
            ])
        #expect(await observer.next(1) == ["did refetch 2 1"])
        try list.refetch(RankedNote.where(\.rank == 2).sorted(by: \.id, .descending))
        #expect(await observer.next(2) == ["will refetch 2 1", "did refetch 2 1"])
        try list.refetch(list.request, sectionedBy: .by(\.rank) { "rank \($0)" })
        #expect(
            await observer.next(5) == [
                "will refetch 2 1", "will 2 1", "update section rank 2 0→0", "did 2 1", "did refetch 2 1",
            ])
        withExtendedLifetime(observation) {}
    }

    @Test @MainActor func `an item of a section that comes or goes is deleted and inserted, not moved`()
        async throws
    {
        let store = try makeStore()
        let observer = Recorder()
        let observation = store.list(RankedNote.all, sectionedBy: \.rank).observe(with: observer)
        #expect(await observer.next(1) == ["load 0 1 2"])
        func setRank(_ rank: Int64, of id: Int64) async throws {
            try await store.writeAsync {
                _ = try $0.update(RankedNote.where(\.id == id), .set(\.rank, to: rank))
            }
        }

        try await setRank(1, of: 2)
        #expect(
            await observer.next(5) == [
                "will 0 1 2", "delete section 2 at 2", "delete 2 at 2.0", "insert 2 at 1.1", "did 0 1 2",
            ])
        try await setRank(5, of: 2)
        #expect(
            await observer.next(5) == [
                "will 0 1 2", "insert section 5 at 2", "delete 2 at 1.1", "insert 2 at 2.0", "did 0 1 2",
            ])
        try await setRank(3, of: 1)
        #expect(
            await observer.next(6) == [
                "will 0 1 2", "delete section 1 at 1", "insert section 3 at 1", "delete 1 at 1.0",
                "insert 1 at 1.0", "did 0 1 2",
            ])
        try await store.writeAsync { _ = try $0.insert(RankedNote(9)) }
        #expect(
            await observer.next(4) == [
                "will 0 1 2", "insert section 9 at 3", "insert 9 at 3.0", "did 0 1 2 9",
            ])
        // Between sections that stay, it moves, and its update follows.
        try await store.writeAsync { accessor in
            try accessor.insert(contentsOf: [RankedNote(4), RankedNote(6)])
            try accessor.update(RankedNote.where(\.id == 4), .set(\.rank, to: 3))
            try accessor.update(RankedNote.where(\.id == 6), .set(\.rank, to: 5))
        }
        #expect(
            await observer.next(4) == [
                "will 0 1 2 9", "insert 4 at 1.1", "insert 6 at 2.1", "did 0 1 4 2 6 9",
            ])
        try await setRank(5, of: 4)
        #expect(
            await observer.next(6) == [
                "will 0 1 4 2 6 9", "move 4 1.1→2.1", "did 0 1 2 4 6 9", "will 0 1 2 4 6 9",
                "update 4 2.1→2.1",
                "did 0 1 2 4 6 9",
            ])
        withExtendedLifetime(observation) {}
    }

    @Test @MainActor func `an observer is not kept, and hears nothing after its observation`() async throws {
        let store = try makeStore()
        let list = store.list(RankedNote.all)
        weak var released: Recorder?
        var observations: [StoreObservation] = []
        do {
            let observer = Recorder()
            released = observer
            observations.append(list.observe(with: observer))
            #expect(await observer.next(1) == ["load 0 1 2"])
        }
        #expect(released == nil)
        let (counts, heard) = AsyncStream<Int>.makeStream()
        observations.append(list.observe { heard.yield($0.list.count) })
        var iterator = counts.makeAsyncIterator()
        #expect(await iterator.next() == 3)
        observations.removeAll()
        try await store.writeAsync { _ = try $0.insert(RankedNote(8)) }
        let last = list.observe { heard.yield(100 + $0.list.count) }
        #expect(await iterator.next() == 104)
        withExtendedLifetime(last) {}
    }

    @Test func `updates come where the caller says`() async throws {
        let store = try makeStore()
        let (work, scheduled) = AsyncStream<@Sendable () -> Void>.makeStream()
        let (changes, heard) = AsyncStream<String>.makeStream()
        let observation = store.list(RankedNote.all)
            .observe(by: { scheduled.yield($0) }) { heard.yield($0.change.map { "\($0)" } ?? "first") }
        var pending = work.makeAsyncIterator()
        var texts = changes.makeAsyncIterator()
        let first = try #require(await pending.next())
        try await store.writeAsync { _ = try $0.insert(RankedNote(4)) }
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        first()
        #expect(await texts.next() == "first")
        let second = try #require(await pending.next())
        second()
        #expect(await texts.next() == "insert 0.3, insert 0.4")
        withExtendedLifetime(observation) {}
    }

    @Test func `an error is reported, and ends the observation`() async throws {
        let store = try makeStore()
        let (errors, failed) = AsyncStream<DataStoreError.Code?>.makeStream()
        store.errorHandler = { failed.yield(($0 as? DataStoreError)?.code) }
        let observation = store.list(RankedNote.all.limit(-1)).observe { _ in }
        var iterator = errors.makeAsyncIterator()
        #expect(await iterator.next() == .invalidRequest)
        withExtendedLifetime(observation) {}
    }

    @Test @MainActor func `the calls of an observer, carried out by a table view, give the list`() {
        var random = Seed.ofProcess()
        for _ in Repetitions.rounds(500, long: 10_000) {
            let old = ListModel(using: &random)
            let new = random.oneIn(3) ? ListModel(using: &random) : old.edited(using: &random)
            let table = Table(old.rows)

            let change = ListChange(from: old.list, to: new.list)
            ListUpdate(list: new.list, change: change, isRefetched: false, origins: []).send(to: table)

            #expect(table.model.rows == new.rows, "\(old) → \(new), \(random)")
            #expect(table.model.refusedMoves.isEmpty, "\(old) → \(new), \(random)")
        }
    }
}

/// Writes down what it hears.
private final class Recorder: ListObserver {
    private let lines: AsyncStream<String>
    private let heard: AsyncStream<String>.Continuation

    init() { (lines, heard) = AsyncStream.makeStream() }

    func next(_ count: Int) async -> [String] {
        var iterator = lines.makeAsyncIterator()
        var next: [String] = []
        while next.count < count, let line = await iterator.next() { next.append(line) }
        return next
    }

    private func hear(_ line: String, _ list: ItemList<RankedNote>) {
        heard.yield(([line] + list.map { "\($0.id)" }).joined(separator: " "))
    }

    func listDidLoad(_ list: ItemList<RankedNote>) { hear("load", list) }
    func listWillChange(_ list: ItemList<RankedNote>) { hear("will", list) }
    func listDidChange(_ list: ItemList<RankedNote>) { hear("did", list) }
    func listWillRefetch(_ list: ItemList<RankedNote>) { hear("will refetch", list) }
    func listDidRefetch(_ list: ItemList<RankedNote>) { hear("did refetch", list) }

    func list(
        _ change: ListChange<RankedNote>, didDelete section: ListSection<RankedNote>, at number: Int
    ) {
        heard.yield("delete section \(section.name) at \(number)")
    }

    func list(
        _ change: ListChange<RankedNote>, didInsert section: ListSection<RankedNote>, at number: Int
    ) {
        heard.yield("insert section \(section.name) at \(number)")
    }

    func list(
        _ change: ListChange<RankedNote>, didUpdate section: ListSection<RankedNote>, _ move: ListMove<Int>
    ) {
        heard.yield("update section \(section.name) \(move.from)→\(move.to)")
    }

    func list(_ change: ListChange<RankedNote>, didDelete item: RankedNote, at position: ListPosition) {
        heard.yield("delete \(item.id) at \(position)")
    }

    func list(_ change: ListChange<RankedNote>, didInsert item: RankedNote, at position: ListPosition) {
        heard.yield("insert \(item.id) at \(position)")
    }

    func list(_ change: ListChange<RankedNote>, didMove item: RankedNote, _ move: ListMove<ListPosition>) {
        heard.yield("move \(item.id) \(move)")
    }

    func list(_ change: ListChange<RankedNote>, didUpdate item: RankedNote, _ move: ListMove<ListPosition>) {
        heard.yield("update \(item.id) \(move.from)→\(move.to)")
    }
}

/// A table view that gathers what it hears, and carries it out at the end.
private final class Table: ListObserver {
    typealias Item = RankedNote

    private(set) var model: TableModel

    init(_ rows: [[Int64]]) { model = TableModel(rows) }

    func list(
        _ change: ListChange<RankedNote>, didDelete section: ListSection<RankedNote>, at number: Int
    ) {
        model.note(.deleteSection(number))
    }

    func list(
        _ change: ListChange<RankedNote>, didInsert section: ListSection<RankedNote>, at number: Int
    ) {
        model.note(.insertSection(number))
    }

    func list(
        _ change: ListChange<RankedNote>, didMove section: ListSection<RankedNote>, _ move: ListMove<Int>
    ) {
        model.note(.moveSection(move))
    }

    func list(_ change: ListChange<RankedNote>, didDelete item: RankedNote, at position: ListPosition) {
        model.note(.deleteItem(position))
    }

    func list(_ change: ListChange<RankedNote>, didInsert item: RankedNote, at position: ListPosition) {
        model.note(.insertItem(position))
    }

    func list(_ change: ListChange<RankedNote>, didMove item: RankedNote, _ move: ListMove<ListPosition>) {
        model.note(.moveItem(move))
    }

    func list(_ change: ListChange<RankedNote>, didUpdate item: RankedNote, _ move: ListMove<ListPosition>) {
        model.note(.updateItem(move))
    }

    func listDidChange(_ list: ItemList<RankedNote>) {
        model.performUpdates(reading: list.sections.map { $0.map(\.rank) })
    }
}
