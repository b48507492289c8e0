public import LarderKernel

// Over the completions of the store, which come one after the other in the order of the commits.

extension DataStore {
    /// Runs a block that may change the store off the calling thread; calls back on the main actor, once, after the
    /// commit.
    ///
    ///     store.writeAsync {
    ///         try $0.insert(recipe).id
    ///     } completionOnMainActor: { result in
    ///         if case .success(let id) = result { print(id) }
    ///     }
    ///
    /// *Rule:* returns at once, unless ``DataStoreOptions/maximumPendingWrites`` are queued; blocks run in the order of
    /// the calls. An error goes to ``errorHandler`` too. *Cost:* a task for the completion.
    public func writeAsync<Result: Sendable>(
        origin: WriteOrigin? = nil,
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completionOnMainActor completion:
            @escaping @MainActor @Sendable (Swift.Result<Result, any Error>)
            -> Void
    ) {
        let completionOffMainActor: @Sendable (Swift.Result<Result, any Error>) -> Void = { result in
            Task { @MainActor in completion(result) }
        }
        writeAsync(origin: origin, block, completion: completionOffMainActor)
    }

    /// Runs a block that may change the store off the calling thread; calls back where the caller says, once, after the
    /// commit.
    ///
    ///     store.writeAsync(
    ///         { try $0.insert(recipe).id }, completingBy: { queue.async(execute: $0) },
    ///         completion: { result in print(result) })
    ///
    /// *Rule:* returns at once, unless ``DataStoreOptions/maximumPendingWrites`` are queued; blocks run in the order of
    /// the calls, and their completions are handed over in that order. An error goes to ``errorHandler`` too.
    ///
    /// - Parameter schedule: Runs the work that it is given, once; sooner or later, on any thread.
    public func writeAsync<Result: Sendable>(
        origin: WriteOrigin? = nil,
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completingBy schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        let scheduled: @Sendable (Swift.Result<Result, any Error>) -> Void = { result in
            schedule { completion(result) }
        }
        writeAsync(origin: origin, block, completion: scheduled)
    }
}

extension DataStoreReadWriteAccessor {
    /// Has a closure run where the caller says after the commit; not called if the block fails.
    ///
    ///     try accessor.afterCommit(by: { queue.async(execute: $0) }) { print("stored") }
    ///
    /// *Rule:* hooks are handed over in the order of the calls.
    ///
    /// - Parameter schedule: Runs the work that it is given, once; sooner or later, on any thread.
    /// - Throws: `.accessorExpired`.
    public func afterCommit(
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ hook: @escaping @Sendable () -> Void
    ) throws(DataStoreError) {
        try afterCommit { schedule(hook) }
    }
}
