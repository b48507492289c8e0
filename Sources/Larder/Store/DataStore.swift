/// A place where items are kept: the one interface to every engine.
///
///     let store: any DataStore = SQLiteDataStore(at: url, storing: [Recipe.self])
///     try store.setup()
///     try store.writeSync { try $0.insert(Recipe(name: "Toast", slug: "toast")) }
///     let all = try store.read { try $0.items(for: Recipe.all) }
///
/// *Rule:* every method may be called from any thread. One writer at a time, in the order of the calls; readers
/// never wait for it. A block that throws changes nothing; a block that returns is stored, all of it.
public protocol DataStore: AnyObject, Sendable {
    /// What the engine offers beyond the contract; answers never depend on it.
    var capabilities: AdapterCapabilities { get }

    /// Gets every error that nobody waits for: of a `writeAsync` without completion, and of a handle that was
    /// set after its block.
    var errorHandler: (@Sendable (any Error) -> Void)? { get set }

    /// The changes of every block that begins from now on, in the order of their commits.
    ///
    /// A block that is running or waits for its commit is not among them: read what is there in a `writeSync`, or
    /// after `flush()`, to miss nothing. Ends at once when the store has been torn down.
    var changes: DataStoreChanges { get }

    /// Opens the store, creates it where it does not exist, and applies lightweight schema changes.
    ///
    /// A second call does nothing. It never deletes, replaces or repairs a file.
    ///
    /// - Throws: Why it could not: `.notADatabase`, `.foreignStore`, `.damaged`, `.newerFormat`,
    ///   `.schemaMismatch`, `.invalidSchema`, `.alreadyOpen`, `.cannotOpen`, `.permissionDenied`, `.busy`.
    func setup() throws(DataStoreError)

    /// Waits for pending writes and running blocks, closes the store and keeps the data.
    ///
    /// A second call does nothing; ``setup()`` opens it again.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store.
    func tearDown() throws(DataStoreError)

    /// Closes the store and deletes everything in it.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store; what kept a file from being deleted.
    func destroy() throws(DataStoreError)

    /// Runs a block on one snapshot of the store and returns its value.
    ///
    /// *Rule:* runs on the calling thread, also from async code; the snapshot is taken at the first request. A
    /// read inside a read of the same store shares the outer snapshot.
    ///
    /// - Throws: The block's own error; `.notSetUp`, `.closed`.
    func read<Result>(_ block: (DataStoreReadAccessor) throws -> Result) throws -> Result

    /// Runs a block on one snapshot without occupying the caller's actor.
    func readAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadAccessor) throws -> Result
    ) async throws -> Result

    /// Runs a block that may change the store, commits, and returns its value.
    ///
    /// *Rule:* runs on the calling thread and returns after the commit. A throw undoes everything.
    ///
    /// - Throws: The block's own error; `.nestedTransaction` inside a block of the store, `.uniqueViolation`,
    ///   `.storeFull`, `.busy` and others when the changes cannot be stored.
    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    @discardableResult
    func writeSync<Result>(_ block: (DataStoreReadWriteAccessor) throws -> Result) throws -> Result

    /// Runs a block that may change the store off the calling thread; calls back once, after the commit.
    ///
    /// *Rule:* returns at once; blocks run in the order of the calls. Without completion, an error goes to
    /// ``errorHandler``.
    func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result,
        completion: (@Sendable (Swift.Result<Result, any Error>) -> Void)?
    )

    /// Runs a block that may change the store off the calling thread; returns after the commit.
    ///
    /// *Rule:* a task cancelled before the block starts throws `CancellationError` and the block does not run;
    /// once started, it runs to its end.
    @discardableResult
    func writeAsync<Result: Sendable>(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> Result

    /// Waits until everything given to `writeAsync` so far is committed; completions may still be running.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store.
    @available(*, noasync, message: "Await flush() instead.")
    func flush() throws(DataStoreError)

    /// Waits until everything given to `writeAsync` so far is committed.
    func flush() async throws
}

extension DataStore {
    /// Runs a block that may change the store off the calling thread; an error goes to ``errorHandler``.
    public func writeAsync(_ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void) {
        let answering = answering(block)
        writeAsync(answering, completion: nil)
    }

    /// Runs a block without a value off the calling thread; returns after the commit.
    ///
    /// Lets a block end with a call whose handle nobody wants: `try await store.writeAsync { try $0.insert(item) }`.
    public func writeAsync(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) async throws {
        let answering = answering(block)
        try await writeAsync(answering)
    }

    /// The block with a value, to call the generic form with.
    private func answering(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) -> @Sendable (DataStoreReadWriteAccessor) throws -> Bool {
        { accessor in
            try block(accessor)
            return true
        }
    }
}
