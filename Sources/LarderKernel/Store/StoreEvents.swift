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
    public var events: AsyncStream<StoreEvent> { coordinator.events.listeners.subscribe() }
}

/// Sends the events of a store to those who listen.
final class StoreEvents: Sendable {
    let listeners = StreamListeners<StoreEvent>()
    /// The events of failed blocks that were sent since the store was opened.
    private let sentFailures = Locked<Set<StoreEvent>>([])

    func send(_ event: StoreEvent) {
        if event == .opened { sentFailures.withLock { $0.removeAll() } }
        listeners.send(event)
    }

    /// Sends the event that an error shows, unless it was sent since the store was opened.
    func note(_ error: any Error) {
        guard let event = StoreEvent(shownBy: error) else { return }
        if sentFailures.withLock({ $0.insert(event).inserted }) { send(event) }
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
