import Larder
import LarderMemory
import Testing

@testable import LarderKernel

@Suite struct `What the deadlock watch takes for a circle` {
    private let watch = DeadlockWatch()
    private let first = ThreadBlocks.current.thread
    private let second = ThreadIdentity(address: 2)

    /// The turn is handed over before the thread that has waited for it can say that it waits no more.
    @Test func `a thread that has got its turn is waited for, not stuck`() throws {
        let queue = WriterQueue()
        try queue.acquire()
        try watch.beginWaiting(first, for: .turn(queue))

        try watch.beginWaiting(second, for: .turn(queue))

        watch.endWaiting(first)
        watch.endWaiting(second)
        queue.release()
    }

    @Test func `a thread that has got its place among the readers is waited for, not stuck`() throws {
        let gate = StoreGate()
        let store = StoreCoordinator(adapter: MemoryAdapter(), storing: [])
        gate.open(try StoreSchema(storing: []), maximumReaders: 1)
        let context = try gate.enter(store, on: .current, for: .reading)
        try watch.beginWaiting(first, for: .place(gate, held: 0))

        try watch.beginWaiting(second, for: .place(gate, held: 0))

        watch.endWaiting(first)
        watch.endWaiting(second)
        gate.leave(context)
    }

    @Test func `a thread that has the only place and waits for a second one is refused`() throws {
        let gate = StoreGate()
        let store = StoreCoordinator(adapter: MemoryAdapter(), storing: [])
        gate.open(try StoreSchema(storing: []), maximumReaders: 1)
        let context = try gate.enter(store, on: .current, for: .reading)

        #expect(throws: ThreadRefusal.place) { try watch.beginWaiting(first, for: .place(gate, held: 1)) }

        gate.leave(context)
    }

    @Test func `a thread does not wait for its own turn`() throws {
        let queue = WriterQueue()
        try queue.acquire()

        #expect(throws: ThreadRefusal.ownTurn) { try queue.acquire() }

        queue.release()
        try queue.acquire()
        queue.release()
        #expect(!ThreadBlocks.current.isAwaited)
    }

    @Test func `a thread does not wait for its own life cycle`() throws {
        let lock = LifeCycleLock()
        try lock.acquire()

        #expect(throws: ThreadRefusal.ownLifeCycle) { try lock.acquire() }

        lock.release()
        #expect(!ThreadBlocks.current.isAwaited)
    }

    @Test func `a thread that answers writes takes a free turn, and does not wait for one`() throws {
        let queue = WriterQueue()
        var refusals: [ThreadRefusal] = []
        try queue.acquire()

        queue.release {
            for _ in 0..<2 {
                do throws(ThreadRefusal) { try queue.acquire() } catch { refusals.append(error) }
            }
            queue.release()
            #expect(ThreadBlocks.current.isAwaited)
        }

        #expect(refusals == [.turn])
        #expect(!ThreadBlocks.current.isAwaited)
        try queue.acquire()
        queue.release()
    }

    @Test func `a thread passes on many turns in the order in which it got them`() throws {
        let queues = (0..<20).map { _ in WriterQueue() }
        for queue in queues { try queue.acquire() }

        for queue in queues {
            #expect(throws: ThreadRefusal.ownTurn) { try queue.acquire() }
            queue.release()
            try queue.acquire()
            queue.release()
        }

        #expect(!ThreadBlocks.current.isAwaited)
    }

    @Test func `a thread that waits for itself through another is refused, and waits no more`() throws {
        let queue = WriterQueue()
        let gate = StoreGate()
        let store = StoreCoordinator(adapter: MemoryAdapter(), storing: [])
        gate.open(try StoreSchema(storing: []), maximumReaders: 1)
        try queue.acquire()
        let context = try gate.enter(store, on: .current, for: .reading)
        context.gatePlace.thread = second
        try watch.beginWaiting(second, for: .turn(queue))

        for _ in 0..<2 {
            #expect(throws: ThreadRefusal.place) {
                try watch.beginWaiting(first, for: .place(gate, held: 0))
            }
            #expect(throws: ThreadRefusal.end) { try watch.beginWaiting(first, for: .end(gate)) }
        }

        watch.endWaiting(second)
        try watch.beginWaiting(first, for: .end(gate))
        watch.endWaiting(first)
        gate.leave(context)
        queue.release()
    }
}
