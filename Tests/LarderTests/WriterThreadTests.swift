import Larder
import LarderMemory
import LarderTesting
import Testing

@testable import LarderKernel

/// The threads of pending writes, and what happens where the operating system gives none.
struct WriterThreadTests {
    private typealias Body = @Sendable () -> Void

    /// Starts threads while it may, and tells when one has ended.
    private final class Starter: Sendable {
        let isAllowed = Locked(true)
        let ended = Locked<[CheckedContinuation<Void, Never>]>([])

        func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            guard isAllowed.withLock({ $0 }) else { return false }
            return OSThread.start { [self] in
                body()
                for waiting in ended.withLock({ $0 }) { waiting.resume() }
            }
        }

        /// Waits until the thread has ended that an action ends.
        func waitForEnd(after action: () -> Void) async {
            await withCheckedContinuation { continuation in
                ended.withLock { $0.append(continuation) }
                action()
            }
        }
    }

    @Test func `a write without a thread fails, and the turn goes on`() async throws {
        let starter = Starter()
        let queue = WriterQueue(on: SerialThread { starter.start($0) })
        let store = StoreCoordinator(adapter: MemoryAdapter(), storing: [])
        try hold(queue)
        let answers = Locked<[String]>([])
        let answered = AsyncStream<Void>.makeStream()
        for _ in 0..<2 {
            try queue.enqueue(
                PendingWrite(
                    .wait, in: store,
                    telling: .completion { error in
                        answers.withLock { $0.append((error as? DataStoreError)?.code.rawValue ?? "none") }
                        answered.continuation.yield()
                    }))
        }
        // As when the store was closed after the writes had been accepted.
        await starter.waitForEnd { queue.stop() }
        starter.isAllowed.withLock { $0 = false }

        // On the thread that has the turn.
        release(queue)
        var iterator = answered.stream.makeAsyncIterator()
        for _ in 0..<2 { await iterator.next() }

        #expect(answers.withLock { $0 } == ["inputOutput", "inputOutput"])
        #expect(throws: ThreadRefusal.noThread) {
            try queue.enqueue(PendingWrite(.wait, in: store, telling: .store))
        }
        try hold(queue)
        release(queue)
    }

    /// Takes the turn for no thread that lives, as a task may go on on another one.
    private func hold(_ queue: WriterQueue) throws {
        try queue.acquire()
        ThreadBlocks.current.remove(queue)
    }

    private func release(_ queue: WriterQueue) {
        ThreadBlocks.current.push(queue, refusing: .ownTurn)
        queue.release()
    }

    /// More than the 512 KiB and 128 KiB that some systems give.
    @Test func `threads have room for blocks that recurse`() async {
        let depth = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
            let isStarted = OSThread.start { continuation.resume(returning: Self.recurse(4_000)) }
            if !isStarted { continuation.resume(returning: 0) }
        }

        #expect(depth == 4_000)
    }

    @inline(never)
    private static func recurse(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 1)
            return depth == 0 ? 0 : recurse(depth - 1) + Int(bytes[511])
        }
    }

    /// A transaction that cannot begin would be another error.
    @Test func `a write that is canceled while it waits begins no transaction`() async throws {
        let store = try TemporaryStore(storing: [RankedNote.self])
        store.faults.failAlways(.beginWriting, with: .simulated(.busy))

        let recording = await store.record {
            let writing = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.writeAsync { _ = try $0.insert(RankedNote(1)) }
            }
            await #expect(throws: CancellationError.self) { try await writing.value }
        }

        #expect(recording.count(of: .beginWriting) == 0)
        #expect(try store.read { try $0.countItems(for: RankedNote.all) } == 0)
    }
}
