public import LarderDiagnostics

extension DataStore {
    /// The events of the store from now on: it is opened and closed, has another schema or has moved.
    ///
    /// A change of the schema that `setup()` makes is `.migrated`; making a new store is not.
    ///
    ///     Task { for await event in store.events { panel.show(event) } }
    ///
    /// The next block to run reports a schema change or move by another process, once until the store is
    /// opened again. An observation reads by itself after a commit of another process, and so finds them
    /// soon.
    ///
    /// *Rule:* continues when the store is closed and opened again, and ends with the last reference to the
    /// store. It serves one consumer. *Cost:* events wait in memory until they are consumed.
    public var events: AsyncStream<StoreEvent> { coordinator.events.subscribe() }
}

/// Sends the events of a store to those who listen.
final class StoreEvents: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<StoreEvent>.Continuation] = [:]
        var nextNumber = 0
        /// The events of failed blocks that were sent since the store was opened.
        var sentFailures: Set<StoreEvent> = []
    }

    private let state = Locked(State())

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    func subscribe() -> AsyncStream<StoreEvent> {
        let (stream, continuation) = AsyncStream<StoreEvent>.makeStream()
        let number = state.withLock { state in
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            return state.nextNumber
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ event: StoreEvent) {
        let listeners = state.withLock { state in
            if event == .opened { state.sentFailures.removeAll() }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(event) }
    }

    /// Sends the event that an error shows, unless it was sent since the store was opened.
    func note(_ error: any Error) {
        guard let event = StoreEvent(shownBy: error) else { return }
        let isNew = state.withLock { $0.sentFailures.insert(event).inserted }
        if isNew { send(event) }
    }
}

extension StoreEvent {
    fileprivate init?(shownBy error: any Error) {
        switch (error as? DataStoreError)?.code {
        case .schemaChanged?: self = .schemaChanged
        case .storeMoved?, .storeFileMoved?: self = .moved
        default: return nil
        }
    }
}
