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

    public func read<Result>(_ block: (DataStoreReadAccessor) throws -> Result) throws -> Result {
        try coordinator.read(block)
    }

    @concurrent
    public func readAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadAccessor) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try coordinator.read(block)
    }

    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    @discardableResult
    public func writeSync<Result>(
        _ block: (DataStoreReadWriteAccessor) throws -> Result
    ) throws -> Result {
        try coordinator.writeSync(block)
    }

    public func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completion: (@Sendable (Swift.Result<Result, any Error>) -> Void)?
    ) {
        coordinator.writeAsync(block, completion: completion)
    }

    @discardableResult
    public func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> Result {
        try await coordinator.writeAsync(block)
    }

    @available(*, noasync, message: "Await flush() instead.")
    public func flush() throws(DataStoreError) { try coordinator.flush() }

    public func flush() async throws { try await coordinator.flush() }
}
