/// Sends the change set of each commit to all observers, in the order of the commits.
final class ChangeBroadcaster: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<ChangeSet>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Locked(State())
    private let gate: StoreGate

    /// - Parameter gate: Counts the streams.
    init(countedBy gate: StoreGate) { self.gate = gate }

    func subscribe() -> DataStoreChanges {
        let (stream, continuation) = AsyncStream<ChangeSet>.makeStream()
        let number = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            return state.nextNumber
        }
        guard let number else {
            continuation.finish()
            return DataStoreChanges(stream: stream)
        }
        gate.count(streams: 1)
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return DataStoreChanges(stream: stream)
    }

    private func forget(_ number: Int) {
        let isForgotten = state.withLock { $0.listeners.removeValue(forKey: number) != nil }
        if isForgotten { gate.count(streams: -1) }
    }

    func send(_ changes: ChangeSet) {
        if changes.isEmpty { return }
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(changes) }
    }

    /// Allows new sequences again after ``finish()``.
    func start() {
        state.withLock { $0.isFinished = false }
    }

    /// Ends every sequence; new ones end at once.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return Array(state.listeners.values)
        }
        gate.count(streams: -listeners.count)
        for listener in listeners { listener.finish() }
    }
}

/// The changes of every block that begins after the subscription: one ``ChangeSet`` per commit, in order.
///
/// Blocks that run or wait for their commit at the subscription may be missing. Commits of other processes
/// are not included, as their change sets are unknown; ``StoreValues`` follow such commits too.
///
/// *Rule:* ends when the store is torn down. It serves one consumer; get another sequence from the store for
/// each further one. *Cost:* change sets wait in memory until they are consumed.
public struct DataStoreChanges: AsyncSequence, Sendable {
    public typealias Element = ChangeSet
    public typealias Failure = Never

    fileprivate let stream: AsyncStream<ChangeSet>
    private var ignored: Set<WriteOrigin> = []

    fileprivate init(stream: AsyncStream<ChangeSet>) { self.stream = stream }

    /// The same changes without the commits of an origin.
    ///
    ///     for await changes in store.changes.ignoring("editor") { … }
    ///
    /// Several origins are left out by several calls.
    public func ignoring(_ origin: WriteOrigin) -> DataStoreChanges {
        var changes = self
        changes.ignored.insert(origin)
        return changes
    }

    public func makeAsyncIterator() -> Iterator { Iterator(stream.makeAsyncIterator(), ignored) }

    /// Gives one change set after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<ChangeSet>.Iterator
        private let ignored: Set<WriteOrigin>

        fileprivate init(_ iterator: AsyncStream<ChangeSet>.Iterator, _ ignored: Set<WriteOrigin>) {
            self.iterator = iterator
            self.ignored = ignored
        }

        public mutating func next() async -> ChangeSet? {
            while let changes = await iterator.next() {
                if let origin = changes.origin, ignored.contains(origin) { continue }
                return changes
            }
            return nil
        }
    }
}
