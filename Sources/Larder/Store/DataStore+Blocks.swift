// The blocks of an app, with their values. Everything generic is here, where the compiler makes it concrete in the
// app's own code; the stores run blocks without a value.

extension DataStore {
    /// Runs a block on one snapshot of the store and returns its value.
    ///
    ///     let names = try store.read { try $0.items(for: Recipe.all) }.map(\.name)
    ///
    /// *Rule:* runs on the calling thread, also from async code; the snapshot is taken at the first request. A
    /// read inside a read of the same store shares the outer snapshot. *Cost:* some hundred nanoseconds beside
    /// the requests themselves.
    ///
    /// - Throws: The block's own error; `.notSetUp`, `.closed`.
    @inlinable
    @inline(__always)
    public func read<Result>(_ block: (DataStoreReadAccessor) throws -> Result) throws -> Result {
        try valueOfRead(in: self, block)
    }

    /// Runs a block on one snapshot without occupying the caller's actor.
    ///
    /// - Throws: As ``read(_:)``; `CancellationError` when the task is cancelled already.
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
    /// - Throws: The block's own error; `.nestedTransaction` inside a block of the store, `.uniqueViolation`,
    ///   `.storeFull`, `.busy` and others when the changes cannot be stored.
    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    @discardableResult
    @inlinable
    @inline(__always)
    public func writeSync<Result>(
        _ block: (DataStoreReadWriteAccessor) throws -> Result
    ) throws -> Result {
        try valueOfWrite(in: self, block)
    }

    /// Runs a block that may change the store off the calling thread; calls back once, after the commit.
    ///
    /// *Rule:* returns at once; blocks run in the order of the calls. Without completion, an error goes to
    /// ``errorHandler``.
    @inlinable
    @inline(__always)
    public func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completion: (@Sendable (Swift.Result<Result, any Error>) -> Void)?
    ) {
        enqueueBlock(in: self, block, completion: completion)
    }

    /// Runs a block that may change the store off the calling thread; returns its value after the commit.
    ///
    /// *Rule:* a task cancelled before the block starts throws `CancellationError` and the block does not run;
    /// once started, it runs to its end.
    @discardableResult
    @inlinable
    @inline(__always)
    public func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> Result {
        try await valueOfEnqueued(in: self, block)
    }

    /// Runs a block that may change the store off the calling thread; an error goes to ``errorHandler``.
    public func writeAsync(_ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void) {
        enqueueWrite(block, completion: nil)
    }

    /// Runs a block that ends in a handle off the calling thread; returns after the commit, without the handle.
    ///
    ///     try await store.writeAsync { try $0.insert(item) }
    ///
    /// *Rule:* a handle lives in its block, so it is not returned.
    public func writeAsync<Item: DataStoreItem>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Mutable<Item>
    ) async throws {
        try await enqueueWrite { _ = try block($0) }
    }

    /// Runs a block without a value off the calling thread; returns after the commit.
    public func writeAsync(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) async throws {
        try await enqueueWrite(block)
    }
}

// Functions of their own, as the compiler makes nothing concrete that depends on the type behind an `any DataStore`.

@inlinable
func valueOfRead<Value>(
    in store: any DataStore, _ block: (DataStoreReadAccessor) throws -> Value
) throws -> Value {
    try blockValue { keep in
        try store.runRead { accessor in keep(try block(accessor)) }
    }
}

@available(*, noasync)
@inlinable
func valueOfWrite<Value>(
    in store: any DataStore, _ block: (DataStoreReadWriteAccessor) throws -> Value
) throws -> Value {
    try blockValue { keep in
        try store.runWrite { accessor in keep(try block(accessor)) }
    }
}

/// The value that a block gives while a store runs it.
///
/// Kept in uninitialised memory: in an optional of what is often an optional itself, it is moved and looked at by way
/// of its type's tables, which costs as much as the block.
@inlinable
@inline(__always)
func blockValue<Value>(running run: (_ keep: (consuming Value) -> Void) throws -> Void) throws -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
        let place = memory.baseAddress.unsafelyUnwrapped  // never nil for a capacity of one
        var isKept = false
        do {
            try run { value in
                // A store that runs its block again gives the value of the last time.
                if isKept { place.deinitialize(count: 1) }
                place.initialize(to: value)
                isKept = true
            }
        } catch {
            if isKept { place.deinitialize(count: 1) }
            throw error
        }
        guard isKept else { throw DataStoreError.blockWasNotRun }
        return place.move()
    }
}

@inlinable
func enqueueBlock<Value: Sendable>(
    in store: any DataStore, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Value,
    completion: (@Sendable (Result<Value, any Error>) -> Void)?
) {
    guard let completion else { return store.enqueueWrite({ _ = try block($0) }, completion: nil) }
    let value = BlockValue<Value>()
    store.enqueueWrite { accessor in
        value.value = try block(accessor)
    } completion: { error in
        completion(Result { try value.value(unless: error) })
    }
}

@inlinable
func valueOfEnqueued<Value: Sendable>(
    in store: any DataStore, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Value
) async throws -> Value {
    let value = BlockValue<Value>()
    try await store.enqueueWrite { accessor in value.value = try block(accessor) }
    return try value.value(unless: nil)
}

/// The value of a block, on its way from the writer's thread to whoever waits for it.
@usableFromInline
final class BlockValue<Value: Sendable>: @unchecked Sendable {
    // reason: written by the block, and read by nobody before the store has called back, which comes after it.
    @usableFromInline var value: Value?

    @inlinable
    init() {}

    @inlinable
    func value(unless error: (any Error)?) throws -> Value {
        if let error { throw error }
        // Moved out, as a copy of an item retains each of its texts.
        guard let value = value.take() else { throw DataStoreError.blockWasNotRun }
        return value
    }
}

extension DataStoreError {
    @usableFromInline static var blockWasNotRun: DataStoreError {
        DataStoreError(.engine, "The store returned without having run the block.")
    }
}
