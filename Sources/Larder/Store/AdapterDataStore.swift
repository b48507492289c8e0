/// A store that is one engine behind one ``StoreCoordinator``; all of ``DataStore`` comes for free.
///
///     public final class MemoryDataStore: AdapterDataStore {
///         public let coordinator: StoreCoordinator
///     }
public protocol AdapterDataStore: DataStore {
    var coordinator: StoreCoordinator { get }
}

extension AdapterDataStore {
    public var capabilities: AdapterCapabilities { coordinator.adapter.capabilities }

    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { coordinator.errorHandler }
        set { coordinator.errorHandler = newValue }
    }

    public var changes: DataStoreChanges { coordinator.broadcaster.subscribe() }

    public func setup() throws(DataStoreError) { try coordinator.setup() }

    public func tearDown() throws(DataStoreError) { try coordinator.tearDown() }

    public func destroy() throws(DataStoreError) { try coordinator.destroy() }

    // Inlined, so that an adapter's own class hands its coordinator on without counting a reference.
    @inlinable
    public func runRead(_ block: (DataStoreReadAccessor) throws -> Void) throws {
        try coordinator.read(block)
    }

    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    @inlinable
    public func runWrite(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws {
        try coordinator.write(block)
    }

    public func enqueueWrite(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void,
        completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        coordinator.enqueue(block, completion: completion)
    }

    public func enqueueWrite(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) async throws {
        try await coordinator.enqueue(block)
    }

    @available(*, noasync, message: "Await flush() instead.")
    public func flush() throws(DataStoreError) { try coordinator.flush() }

    public func flush() async throws { try await coordinator.flush() }
}
