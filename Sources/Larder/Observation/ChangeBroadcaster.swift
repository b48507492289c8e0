/// Sends the change set of each commit to all observers, in the order of the commits.
final class ChangeBroadcaster: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<ChangeSet>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Locked(State())

    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

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
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return DataStoreChanges(stream: stream)
    }

    func send(_ changes: ChangeSet) {
        guard !changes.changes.isEmpty else { return }
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
        for listener in listeners { listener.finish() }
    }
}

/// The changes of a store from the moment of subscription: one ``ChangeSet`` per commit, in order.
///
/// *Rule:* ends when the store is torn down. It serves one consumer; get another sequence from the store for
/// each further one. *Cost:* change sets wait in memory until they are consumed.
public struct DataStoreChanges: AsyncSequence, Sendable {
    public typealias Element = ChangeSet
    public typealias Failure = Never

    fileprivate let stream: AsyncStream<ChangeSet>

    public func makeAsyncIterator() -> AsyncStream<ChangeSet>.Iterator {
        stream.makeAsyncIterator()
    }
}
