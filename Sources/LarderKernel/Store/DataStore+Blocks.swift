// Inlined into the app, as is everything generic in `BlockValues.swift`: there the compiler knows the type of
// a block's value.

extension DataStore {
    /// Runs a block on one snapshot of the store and returns its value.
    ///
    ///     let names = try store.read { try $0.items(for: Recipe.all) }.map(\.name)
    ///
    /// *Rule:* runs on the calling thread, even from async code; the snapshot is taken at the first request.
    /// A read inside a read of the same store shares the outer snapshot. Inside a write block it sees the last commit: use
    /// the block's accessor to see the block's changes. *Cost:* some hundred nanoseconds beside the requests themselves.
    ///
    /// - Throws: The block's own error; `.notSetUp`, `.closed`, `.discarded` for a child; `.wouldDeadlock` if all readers
    ///   wait for this thread; `.schemaChanged`, `.storeFileMoved` and other errors of the engine;
    ///   `.snapshotLost` from a standby or after such an error; on a server `.connectionLost` and `.timedOut`.
    @inlinable
    @inline(__always)
    public func read<Result>(_ block: (DataStoreReadAccessor) throws -> Result) throws -> Result {
        try valueOfRead(in: self, block)
    }

    /// Runs a block on one snapshot without occupying the caller's actor.
    ///
    ///     let names = try await store.readAsync { try $0.items(for: Recipe.all) }.map(\.name)
    ///
    /// *Rule:* a block that has started runs to its end, even if the task is cancelled.
    ///
    /// - Throws: As ``read(_:)``, except for `.wouldDeadlock`; `CancellationError` when the task is cancelled already.
    @concurrent
    public func readAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadAccessor) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try read(block)
    }

    /// Runs a block that may change the store, commits, and returns its value.
    ///
    ///     try store.writeSync { try $0.insert(Recipe(name: "Toast", slug: "toast")) }
    ///
    /// *Rule:* runs on the calling thread and returns after the commit. A throw undoes everything.
    ///
    /// - Parameter origin: Tells observers who writes, here and in the other forms; see ``WriteOrigin``.
    /// - Throws: The block's own error; `.notSetUp`, `.closed`, `.discarded` for a child, `.readOnly`;
    ///   `.nestedTransaction` inside a block of the store, `.wouldDeadlock` if the writer waits for this thread;
    ///   `.uniqueViolation`, `.targetNotFound`, `.storeFull`, `.busy` and others when the changes cannot be stored; on a
    ///   server `.connectionLost`, `.timedOut` and, if the changes may be stored, `.commitUncertain`.
    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    @discardableResult
    @inlinable
    @inline(__always)
    public func writeSync<Result>(
        origin: WriteOrigin? = nil, _ block: (DataStoreReadWriteAccessor) throws -> Result
    ) throws -> Result {
        try valueOfWrite(in: self, WriteTerms(origin: origin), block)
    }

    /// Runs a block that may change the store off the calling thread; calls back once, after the commit.
    ///
    ///     store.writeAsync {
    ///         try $0.deleteItems(for: Recipe.where(\.rating < 1))
    ///     } completion: { result in
    ///         if case .success(let count) = result { print(count) }
    ///     }
    ///
    /// *Rule:* returns at once, unless ``DataStoreOptions/maximumPendingWrites`` are queued; blocks run in the order of
    /// the calls. The completion runs on a thread of the store's own. An error, as `writeSync` throws it, goes to
    /// ``errorHandler``, and to the completion if there is one.
    @inlinable
    @inline(__always)
    public func writeAsync<Result: Sendable>(
        origin: WriteOrigin? = nil,
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completion: (@Sendable (Swift.Result<Result, any Error>) -> Void)?
    ) {
        coordinator.enqueue(valued: block, on: WriteTerms(origin: origin), completion: completion)
    }

    /// Runs a block that may change the store off the calling thread; returns its value after the commit.
    ///
    ///     let count = try await store.writeAsync { try $0.deleteItems(for: Recipe.where(\.rating < 1)) }
    ///
    /// *Rule:* blocks run in the order of the calls. If the task is cancelled before the block starts, the block does
    /// not run; once started, it runs to its end.
    ///
    /// - Throws: As `writeSync`, except for `.nestedTransaction` and `.wouldDeadlock`; `CancellationError` if the block
    ///   did not run.
    @discardableResult
    @inlinable
    @inline(__always)
    public func writeAsync<Result: Sendable>(
        origin: WriteOrigin? = nil, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> Result {
        try await coordinator.value(ofEnqueued: block, on: WriteTerms(origin: origin))
    }

    /// Runs a block that may change the store off the calling thread; an error goes to ``errorHandler``.
    ///
    ///     store.writeAsync { accessor in try accessor.deleteAllItems(of: Message.self) }
    ///
    /// *Rule:* as for the form with a completion.
    public func writeAsync(
        origin: WriteOrigin? = nil, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) {
        coordinator.enqueue(block, on: WriteTerms(origin: origin), completion: nil)
    }

    /// Runs a block that ends in a handle off the calling thread; returns after the commit, without the
    /// handle.
    ///
    ///     try await store.writeAsync { try $0.insert(item) }
    ///
    /// *Rule:* a handle lives in its block, so it is not returned. A cancelled task as for the form with a value.
    ///
    /// - Throws: As the form with a value.
    public func writeAsync<Item: DataStoreItem>(
        origin: WriteOrigin? = nil,
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Mutable<Item>
    ) async throws {
        try await coordinator.enqueue({ _ = try block($0) }, on: WriteTerms(origin: origin))
    }

    /// Runs a block without a value off the calling thread; returns after the commit.
    ///
    ///     try await store.writeAsync { accessor in try accessor.insert(contentsOf: downloaded) }
    ///
    /// *Rule:* a cancelled task as for the form with a value.
    ///
    /// - Throws: As the form with a value.
    public func writeAsync(
        origin: WriteOrigin? = nil, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) async throws {
        try await coordinator.enqueue(block, on: WriteTerms(origin: origin))
    }
}
