/// A place where items are kept: the one interface to every engine.
///
///     let store: any DataStore = SQLiteDataStore(at: url, storing: [Recipe.self])
///     try store.setup()
///     try store.writeSync { try $0.insert(Recipe(name: "Toast", slug: "toast")) }
///     let all = try store.read { try $0.items(for: Recipe.all) }
///
/// *Rule:* every method may be called from any thread. One writer at a time, in the order of the calls. Readers never
/// wait for the writer, except briefly while an engine tidies up its file, and for each other where more read at once
/// than the engine lets in. A block that throws changes nothing; a block that returns is stored, all of it.
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

    /// What ``read(_:)`` is made of: runs a block on one snapshot of the store, on the calling thread.
    ///
    /// - Throws: The block's own error; `.notSetUp`, `.closed`.
    func runRead(_ block: (DataStoreReadAccessor) throws -> Void) throws

    /// What ``writeSync(_:)`` is made of: runs a block that may change the store, on the calling thread, and
    /// commits.
    ///
    /// - Throws: The block's own error; what keeps its changes from being stored.
    @available(*, noasync, message: "Use writeAsync, which does not block the thread.")
    func runWrite(_ block: (DataStoreReadWriteAccessor) throws -> Void) throws

    /// What ``writeAsync(_:completion:)`` is made of: runs a block that may change the store off the calling
    /// thread.
    ///
    /// - Parameter completion: Gets nil after the commit, or the error; without it, an error goes to
    ///   ``errorHandler``.
    func enqueueWrite(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void,
        completion: (@Sendable ((any Error)?) -> Void)?
    )

    /// The same for one who awaits it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before the block starts.
    func enqueueWrite(
        _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Void
    ) async throws

    /// Waits until everything given to `writeAsync` so far is committed; completions may still be running.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store.
    @available(*, noasync, message: "Await flush() instead.")
    func flush() throws(DataStoreError)

    /// Waits until everything given to `writeAsync` so far is committed.
    func flush() async throws
}
