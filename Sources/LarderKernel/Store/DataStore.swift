/// A place where items are kept: the one interface to every engine.
///
///     let store: any DataStore = SQLiteDataStore(at: url, storing: [Recipe.self])
///     try store.setup()
///     try store.writeSync { try $0.insert(Recipe(name: "Toast", slug: "toast")) }
///     let all = try store.read { try $0.items(for: Recipe.all) }
///
/// A conforming type has one thing to give, its ``coordinator``: an engine's store class makes one over its
/// adapter, and a type that wraps a store returns that store's. To change what a store does, wrap its adapter
/// in an ``AdapterDecorator``.
///
/// *Rule:* every method may be called from any thread. One writer at a time, in the order of the calls.
/// Readers never wait for the writer, except briefly while an engine compacts its log or enlarges its map: up to
/// 250 ms, or the busy timeout if another process has enlarged an LMDB file. They wait for each other if more read at
/// once than the engine allows. A block that throws changes nothing; a block that returns is stored, all of it.
public protocol DataStore: AnyObject, Sendable, CustomStringConvertible {
    /// The part that all stores share, over the engine's adapter; apps have no use for it.
    ///
    /// *Rule:* always the same one.
    var coordinator: StoreCoordinator { get }

    /// Calls a body with the coordinator of a store; leave it to the default.
    ///
    /// The default becomes part of each class, which hands its coordinator on without counting a reference.
    /// Static, so that completion on a store does not offer it.
    static func withCoordinator(of store: Self, _ body: (StoreCoordinator) throws -> Void) throws
}

extension DataStore {
    @inlinable
    public static func withCoordinator(
        of store: Self, _ body: (StoreCoordinator) throws -> Void
    ) throws {
        try body(store.coordinator)
    }

    /// The type of the store, its name if it has one, and its place.
    public var description: String { "\(Self.self) \(coordinator.title)" }

    /// The name that the store was given by ``DataStoreOptions/name``; nil if none.
    public var name: String? { coordinator.options.name }

    /// The handler that gets every error of the store, once.
    ///
    ///     store.errorHandler = { error in print(error) }
    ///
    /// It gets the errors that a call throws or hands to a completion, and those that no caller can catch: of a
    /// `writeAsync` without completion, of a handle that is set after its block, and of an observation. An error inside
    /// a block counts when the block ends with it; one that the app catches in the block does not. If a block of a
    /// child is inside a block of its parent, the outer one counts. A cancellation is not an error.
    /// ``DataStoreOptions/diagnostics`` also get the call. A child without a handler uses its parent's.
    ///
    /// *Rule:* called off the calling thread, one error after the other. The handler may call the store; errors of these
    /// calls are not passed to it.
    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { coordinator.errorHandler }
        set { coordinator.errorHandler = newValue }
    }

    /// The changes of every block that begins from now on, in the order of their commits.
    ///
    ///     for await changes in store.changes { upload(changes) }
    ///
    /// Blocks already running or waiting for their commit may be missing. To miss nothing, subscribe first,
    /// then read inside `writeSync` or after `flush()`. Ends at once when the store has been torn down.
    public var changes: DataStoreChanges {
        DataStoreChanges(stream: coordinator.broadcaster.subscribe())
    }

    /// Opens the store, creates it if it does not exist, and brings it to the app's types.
    ///
    ///     let store = SQLiteDataStore(at: url, storing: [Recipe.self])
    ///     try store.setup()
    ///
    /// It applies lightweight changes and the steps of a ``SchemaHistory``. A second call does nothing. A file is
    /// never deleted or repaired; ``DataStoreOptions/schemaUpgrade`` says when an upgraded copy takes its place.
    ///
    /// *Rule:* runs on the calling thread. *Cost:* small, unless the types have changed: then some steps read and write
    /// every row of a type.
    ///
    /// - Throws: `.notADatabase`, `.foreignStore`, `.storeMoved`, `.damaged`, `.newerFormat`, `.usedAfterFork`,
    ///   `.wouldDeadlock` inside a step of the store's own opening, `.discarded` for a child, `.schemaMismatch`,
    ///   `.invalidSchema`, `.alreadyOpen`, `.cannotOpen`, `.permissionDenied`, `.busy`, `.incompleteTransfer`,
    ///   `.migrationRefused`, `.inputOutput`; `.unsupported` for a library, a server, options or a file that the engine
    ///   cannot work with: `assumesNoWriter` without `isReadOnly`, several names (hard links) of a file that
    ///   ``SchemaUpgradeMode/copying(keepingBackup:)`` would replace; `.readOnly` if the log of a store that is only read
    ///   cannot be read; `.storeFull` for a new store; on a server `.connectionLost`, `.timedOut` and, if a change of
    ///   the store may be kept, `.commitUncertain`. If the types have changed also `.storeFull`, `.uniqueViolation`,
    ///   `.targetNotFound`, `.migrationFailed` with an error of a step's closure, and `.cancelled`; the store is then
    ///   unchanged.
    public func setup() throws(DataStoreError) { try coordinator.setup() }

    /// Opens the store as ``setup()`` does, without occupying the caller's actor.
    ///
    ///     try await store.setupAsync()  // the main actor stays free while an old store is upgraded
    ///
    /// A second call does nothing.
    ///
    /// *Rule:* if the task is cancelled, the steps of a ``SchemaHistory`` stop, and the store is unchanged.
    /// The progress of ``DataStoreOptions/schemaProgress`` is reported off the caller's actor. *Cost:* a
    /// thread of the pool while it runs.
    ///
    /// - Throws: As ``setup()``; `.cancelled` when the task is cancelled.
    @concurrent
    public func setupAsync() async throws(DataStoreError) {
        try Cancellation.check("The opening of the store")
        try coordinator.setup()
    }

    /// Waits for pending writes and running blocks, closes the store and keeps the data.
    ///
    ///     try store.tearDown()
    ///
    /// A second call does nothing; ``setup()`` opens it again. Sequences of changes and values end.
    ///
    /// *Rule:* blocks the calling thread until all blocks have ended. If the engine cannot close its file, the store is
    /// closed nevertheless.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store, `.wouldDeadlock` if a block of it waits for this
    ///   thread; rethrows errors from the engine.
    public func tearDown() throws(DataStoreError) { try coordinator.tearDown() }

    /// Closes the store as ``tearDown()`` does, without occupying the caller's actor.
    ///
    ///     try await store.tearDownAsync()  // the main actor stays free while the last block ends
    ///
    /// *Rule:* it closes the store even if the task is cancelled. *Cost:* a thread while it waits.
    ///
    /// - Throws: As ``tearDown()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func tearDownAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.tearDown() }
    }

    /// Closes the store and deletes everything in it.
    ///
    ///     try store.destroy()
    ///     try store.setup()  // a new, empty store
    ///
    /// *Rule:* waits as ``tearDown()``. It also deletes a store that is closed.
    ///
    /// - Throws: As ``tearDown()``; `.readOnly`, and then the store stays open; `.notADatabase`, `.foreignStore` and
    ///   `.storeMoved` if something else is in its place, or objects of other tools depend on its tables on a server;
    ///   `.alreadyOpen` if another store object of the process has it open; the error that kept a file from being
    ///   deleted; on a server `.connectionLost`, `.timedOut` and, if the store may be deleted, `.commitUncertain`.
    public func destroy() throws(DataStoreError) { try coordinator.destroy() }

    /// Closes the store and deletes everything in it as ``destroy()`` does, without occupying the caller's actor.
    ///
    ///     try await store.destroyAsync()
    ///     try await store.setupAsync()  // a new, empty store
    ///
    /// *Rule:* it deletes the store even if the task is cancelled. *Cost:* a thread while it runs.
    ///
    /// - Throws: As ``destroy()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func destroyAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.destroy() }
    }

    /// Waits until all that was given to `writeAsync` so far has ended; completions may still be running.
    ///
    ///     store.writeAsync { accessor in try accessor.insert(contentsOf: downloaded) }
    ///     try store.flush()
    ///
    /// *Rule:* the error of a write that failed is not thrown here.
    ///
    /// - Throws: `.notSetUp`, `.closed`, `.discarded` for a child; `.nestedTransaction` inside a block of the store,
    ///   `.wouldDeadlock` if the writer waits for this thread.
    @available(*, noasync, message: "Await flush() instead.")
    public func flush() throws(DataStoreError) { try coordinator.flush() }

    /// Waits until all that was given to `writeAsync` so far has ended.
    ///
    /// *Rule:* the error of a write that failed is not thrown here. It waits even if the task is cancelled.
    ///
    /// - Throws: `.notSetUp`, `.closed`, `.discarded` for a child.
    public func flush() async throws { try await coordinator.flush() }
}
