import Larder
import LarderTesting
import Testing

@testable import LarderKernel
@testable import LarderObservation

/// Observations whose handler runs where the app says, if it does.
@Suite(.timeLimit(.minutes(10)))
struct ScheduledObservationTests {
    private typealias Work = @Sendable () -> Void

    private func makeStore() throws -> TemporaryStore {
        let store = try TemporaryStore(storing: [RankedNote.self])
        try store.writeSync { try $0.insert(contentsOf: (0..<3).map { RankedNote($0) }) }
        return store
    }

    @Test func `a schedule that drops its work ends the observation`() async throws {
        let store = try makeStore()
        let heard = Locked<[Int]>([])

        let observation = store.values(ofCount: RankedNote.all).observe(by: { _ in }) { count in
            heard.withLock { $0.append(count) }
        }
        await observation.waitUntilOver()

        #expect(store.coordinator.observations.count == 0)
        #expect(heard.withLock { $0 } == [])
    }

    @Test func `a cancellation ends the wait for work that never runs`() async throws {
        let store = try makeStore()
        let heard = Locked<[Int]>([])
        let (scheduled, kept) = (AsyncStream<Work>.makeStream(), Locked<[Work]>([]))

        let observation = store.values(ofCount: RankedNote.all).observe(by: { work in
            kept.withLock { $0.append(work) }
            scheduled.continuation.yield(work)
        }) { count in heard.withLock { $0.append(count) } }
        var works = scheduled.stream.makeAsyncIterator()
        let first = try #require(await works.next())
        first()
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        let second = try #require(await works.next())
        observation.cancel()
        await observation.waitUntilOver()
        second()

        #expect(store.coordinator.observations.count == 0)
        #expect(heard.withLock { $0 } == [3])
    }

    @Test func `a cancellation while a value is read keeps it from the handler`() async throws {
        let store = try makeStore()
        let heard = Locked<[Int]>([])
        let observation = Locked<StoreObservation?>(nil)
        let firstIsHeard = AsyncStream<Void>.makeStream()

        let values = store.values { accessor in
            let count = try accessor.countItems(for: RankedNote.all)
            if count == 4 { observation.withLock { $0 }?.cancel() }
            return count
        }
        let made = values.observe(by: { $0() }) { count in
            heard.withLock { $0.append(count) }
            firstIsHeard.continuation.finish()
        }
        observation.withLock { $0 = made }
        for await _ in firstIsHeard.stream {}
        try await store.writeAsync { _ = try $0.insert(RankedNote(3)) }
        await made.waitUntilOver()
        observation.withLock { $0 = nil }

        #expect(heard.withLock { $0 } == [3])
        #expect(store.coordinator.observations.count == 0)
    }

    @Test func `a schedule runs the handler of the error too`() async throws {
        let store = try makeStore()
        let isScheduled = Locked(false)
        let heard = Locked<[Bool]>([])

        let observation = store.values(of: RankedNote.all.limit(-1)).observe(
            by: { work in
                isScheduled.withLock { $0 = true }
                work()
                isScheduled.withLock { $0 = false }
            },
            onError: { _ in
                let isInSchedule = isScheduled.withLock { $0 }
                heard.withLock { $0.append(isInSchedule) }
            }
        ) { _ in }
        await observation.waitUntilOver()

        #expect(heard.withLock { $0 } == [true])
    }

    @Test @MainActor func `the handler of an error is on the main actor, as the other one is`() async throws {
        let store = try makeStore()
        let heard = Heard()

        let observation = store.values(of: RankedNote.all.limit(-1)).observe(
            onError: { heard.codes.append(($0 as? DataStoreError)?.code) }
        ) { _ in }
        await observation.waitUntilOver()

        #expect(heard.codes == [.invalidRequest])
    }

    @Test @MainActor func `change sets come to the main actor, or to a schedule`() async throws {
        let store = try makeStore()
        let (shown, heard) = (AsyncStream<[Int64]>.makeStream(), AsyncStream<[Int64]>.makeStream())
        let heardByMain = Heard()

        let onMainActor = store.changes.observe { changes in
            heardByMain.ids += changes.inserted(RankedNote.self)
            shown.continuation.yield(heardByMain.ids)
        }
        let scheduled = store.changes.ignoring("mine").observe(by: { $0() }) { changes in
            heard.continuation.yield(changes.inserted(RankedNote.self))
        }
        try await store.writeAsync(origin: "mine") { _ = try $0.insert(RankedNote(3)) }
        try await store.writeAsync { _ = try $0.insert(RankedNote(4)) }

        var (first, second) = (shown.stream.makeAsyncIterator(), heard.stream.makeAsyncIterator())
        #expect(await first.next() == [3])
        #expect(await first.next() == [3, 4])
        #expect(await second.next() == [4])
        onMainActor.cancel()
        try store.tearDown()
        await scheduled.waitUntilOver()
    }

    /// Compiles only in a closure on the main actor.
    @MainActor private final class Heard {
        var codes: [DataStoreError.Code?] = []
        var ids: [Int64] = []
    }
}
