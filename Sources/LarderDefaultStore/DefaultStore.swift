public import Larder

/// The store of the task, or else of the process, which calls without a store use.
///
///     DefaultStore.set(store)                              // once, when the app starts
///
///     try DefaultStore.writeSync { try $0.insert(recipe) }
///     let all = try Recipe.all.items()
///
/// Tests give each task a store of its own by ``withStore(_:_:)``, and run side by side.
///
/// *Rule:* from any thread. A task inherits the store of the task that makes it; a detached task, a queue and the block of
/// a write do not. In a block, use its accessor. *Cost:* a look-up of a task-local value, and a lock if there is none.
public enum DefaultStore {
    @TaskLocal private static var storeOfTask: (any DataStore)?
    private static let storeOfProcess = Locked<(any DataStore)?>(nil)

    /// Makes a store the default of the process; nil for none.
    ///
    /// *Rule:* the app sets it up and tears it down, as any other. The store is kept until another takes its place.
    public static func set(_ store: (any DataStore)?) {
        storeOfProcess.exchange(store)
    }

    /// The default store, for calls that are not offered here.
    ///
    ///     let recipes = try DefaultStore.store.values(of: request)
    ///
    /// - Throws: `.notSetUp` if there is none.
    public static var store: any DataStore {
        get throws(DataStoreError) {
            if let store = storeOfTask ?? storeOfProcess.withLock({ $0 }) { return store }
            throw DataStoreError(
                .notSetUp, "A call without a store was made, and there is no default store.",
                advice: """
                    Call DefaultStore.set(_:) when the app starts, or make the call inside DefaultStore.withStore(_:_:).
                    """)
        }
    }

    /// Runs a body whose default store is another one.
    ///
    ///     let count = try DefaultStore.withStore(store) { try Recipe.all.countItems() }
    ///
    /// - Throws: The body's own error.
    public static func withStore<Result>(
        _ store: any DataStore, _ body: () throws -> Result
    ) rethrows -> Result {
        try $storeOfTask.withValue(store, operation: body)
    }

    /// Awaits a body whose default store is another one, for the tasks that the body makes too.
    ///
    /// - Throws: The body's own error.
    public static func withStore<Result>(
        _ store: any DataStore, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $storeOfTask.withValue(store, operation: body, isolation: isolation)
    }
}

// MARK: Blocks

extension DefaultStore {
    /// Runs a block on one snapshot of the default store and returns its value.
    ///
    /// - Throws: As ``DataStore/read(_:)``; `.notSetUp` if there is no default store.
    public static func read<Result>(_ block: (DataStoreReadAccessor) throws -> Result) throws -> Result {
        try store.read(block)
    }

    /// Runs a block on one snapshot of the default store without occupying the caller's actor.
    ///
    /// - Throws: As ``DataStore/readAsync(_:)``; `.notSetUp` if there is no default store.
    public static func readAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadAccessor) throws -> Result
    ) async throws -> Result {
        try await store.readAsync(block)
    }

    /// Runs a block that may change the default store, commits, and returns its value.
    ///
    /// - Throws: As ``DataStore/writeSync(origin:_:)``; `.notSetUp` if there is no default store.
    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    @discardableResult
    public static func writeSync<Result>(
        origin: WriteOrigin? = nil, _ block: (DataStoreReadWriteAccessor) throws -> Result
    ) throws -> Result {
        try store.writeSync(origin: origin, block)
    }

    /// Runs a block that may change the default store off the calling thread; returns its value after the commit.
    ///
    /// - Throws: As ``DataStore/writeAsync(origin:_:)``; `.notSetUp` if there is no default store.
    @discardableResult
    public static func writeAsync<Result: Sendable>(
        origin: WriteOrigin? = nil, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> Result {
        try await store.writeAsync(origin: origin, block)
    }

    /// Runs a block that ends in a handle off the calling thread; returns after the commit, without the handle.
    ///
    ///     try await DefaultStore.writeAsync { try $0.insert(recipe) }
    ///
    /// - Throws: As ``DataStore/writeAsync(origin:_:)``; `.notSetUp` if there is no default store.
    public static func writeAsync<Item: DataStoreItem>(
        origin: WriteOrigin? = nil,
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Mutable<Item>
    ) async throws {
        try await store.writeAsync(origin: origin, block)
    }

    /// Runs a block that may change the default store off the calling thread; calls back once, after the commit.
    ///
    /// *Rule:* the completion gets `.notSetUp`, before the call returns, if there is no default store.
    public static func writeAsync<Result: Sendable>(
        origin: WriteOrigin? = nil,
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        do {
            try store.writeAsync(origin: origin, block, completion: completion)
        } catch {
            completion(.failure(error))
        }
    }
}

// MARK: Requests

extension DataStoreRequest {
    /// The items of the request in the default store.
    ///
    ///     let good = try Recipe.where(\.rating > 4).items()
    ///
    /// - Throws: As a request in a block; `.notSetUp` if there is no default store.
    public func items() throws -> [Item] {
        try DefaultStore.read { try $0.items(for: self) }
    }

    /// The first item of the request in the default store; nil if there is none.
    ///
    /// - Throws: As ``items()``.
    public func firstItem() throws -> Item? {
        try DefaultStore.read { try $0.firstItem(for: self) }
    }

    /// The number of items of the request in the default store.
    ///
    /// - Throws: As ``items()``.
    public func countItems() throws -> Int {
        try DefaultStore.read { try $0.countItems(for: self) }
    }
}
