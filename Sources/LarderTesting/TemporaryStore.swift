public import LarderVersions
public import LarderKernel
public import struct Foundation.URL
import LarderMemory

/// A store for one test, in a folder of its own, that can fail and be recorded.
///
///     struct RecipeBookTests {
///         let store: TemporaryStore
///
///         init() throws {
///             store = try TemporaryStore(storing: [Recipe.self])
///         }
///     }
///
/// It is set up when it is made. `tearDown()` closes it and keeps the data, and `setup()` opens it again, as
/// when an app starts again. ``withTemporaryStore(_:storing:options:_:)`` gives one to a body.
///
/// *Rule:* as ``DataStore``. When the last reference is dropped, the store is closed and the folder removed;
/// ``remove()`` does so before. *Cost:* a folder, and what the engine's own store costs.
public final class TemporaryStore: DataStore {
    public let coordinator: StoreCoordinator
    private let adapter: TestAdapter

    /// An empty store of an engine, which is set up.
    ///
    /// - Parameters:
    ///   - engine: The engine that keeps the items.
    ///   - itemTypes: The types of the stored items.
    ///   - options: The options common to all stores.
    /// - Throws: Rethrows errors of `setup()`; an error of the file system if the folder cannot be made.
    public convenience init(
        _ engine: TestEngine = .memory, storing itemTypes: [any DataStoreItem.Type],
        options: DataStoreOptions = DataStoreOptions()
    ) throws {
        let folder = try TemporaryFolder()
        let adapter = TestAdapter(engine.makeAdapter(at: folder.file), in: folder)
        try self.init(
            StoreCoordinator(
                adapter: adapter, storing: itemTypes, options: options, staging: { MemoryAdapter() }),
            over: adapter)
    }

    /// An empty store of an engine for the current version of a history, which is set up.
    ///
    /// - Parameter history: The versions of everything the store keeps, and the steps between them.
    /// - Throws: As ``init(_:storing:options:)``.
    public convenience init(
        _ engine: TestEngine = .memory, storing history: SchemaHistory,
        options: DataStoreOptions = DataStoreOptions()
    ) throws {
        let folder = try TemporaryFolder()
        let adapter = TestAdapter(engine.makeAdapter(at: folder.file), in: folder)
        try self.init(
            StoreCoordinator(
                adapter: adapter, storing: history, options: options, staging: { MemoryAdapter() }),
            over: adapter)
    }

    /// The store that the app's own function makes, at a temporary place; it is set up.
    ///
    ///     let store = try TemporaryStore { try AppStore.make(at: $0) }
    ///
    /// For any type of store: it takes the engine, the item types and the options of the store that the
    /// function returns. Its tools, such as `backup(to:)`, are not part of this store.
    ///
    /// - Parameter makeStore: Makes a store whose file may be at a place; it is not set up, and not used by
    ///   itself afterwards.
    /// - Throws: Rethrows errors of the function and of `setup()`; an error of the file system if the folder
    ///   cannot be made.
    public convenience init(_ makeStore: (URL) throws -> any DataStore) throws {
        let folder = try TemporaryFolder()
        let made = try makeStore(folder.file).coordinator
        let adapter = TestAdapter(made.adapter, in: folder)
        try self.init(StoreCoordinator(decorating: made, by: adapter), over: adapter)
    }

    private init(_ coordinator: StoreCoordinator, over adapter: TestAdapter) throws {
        self.coordinator = coordinator
        self.adapter = adapter
        try setup()
    }

    /// The folder of the store's files, if its engine has any; a test may keep other files in it.
    public var folder: URL { adapter.folder.url }

    /// The faults of the store; none until the test adds one.
    public var faults: StoreFaults { adapter.faults }

    /// Closes this store, and opens one with other item types over the same data.
    ///
    ///     let later = try store.reopened(storing: [Recipe.self, Ingredient.self])
    ///
    /// For tests of a new version of the app. Folder, faults and recordings are shared with this store, which
    /// is not used afterwards.
    ///
    /// - Throws: Rethrows errors of `tearDown()` and `setup()`.
    public func reopened(
        storing itemTypes: [any DataStoreItem.Type], options: DataStoreOptions = DataStoreOptions()
    ) throws -> TemporaryStore {
        try tearDown()
        return try TemporaryStore(
            StoreCoordinator(
                adapter: adapter, storing: itemTypes, options: options, staging: { MemoryAdapter() }),
            over: adapter)
    }

    /// Closes this store, and opens one for the current version of a history over the same data.
    ///
    ///     let later = try store.reopened(storing: CookBook.history)
    ///
    /// For tests of the steps between the versions of an app. Folder, faults and recordings are shared with
    /// this store, which is not used afterwards.
    ///
    /// - Throws: Rethrows errors of `tearDown()` and `setup()`.
    public func reopened(
        storing history: SchemaHistory, options: DataStoreOptions = DataStoreOptions()
    ) throws -> TemporaryStore {
        try tearDown()
        return try TemporaryStore(
            StoreCoordinator(
                adapter: adapter, storing: history, options: options, staging: { MemoryAdapter() }),
            over: adapter)
    }

    /// Waits for pending writes, closes the store and removes its folder.
    ///
    /// - Throws: Rethrows errors of `tearDown()`; an error of the file system if a file cannot be deleted.
    public func remove() throws {
        try tearDown()
        try adapter.folder.remove()
    }
}

// MARK: Recording

extension TemporaryStore {
    /// Runs a body and returns the calls that the store made to its engine meanwhile.
    ///
    ///     let recording = try store.record { try book.rate("toast", 4) }
    ///     #expect(recording.requests.count == 1)
    ///
    /// *Rule:* everything is recorded that runs before the body returns, on whatever thread; await `flush()`
    /// in the body if it starts a `writeAsync` without waiting for it. Recordings may overlap.
    public func record(_ body: () throws -> Void) rethrows -> StoreRecording {
        let number = adapter.recorder.start()
        do {
            try body()
        } catch {
            _ = adapter.recorder.stop(number)
            throw error
        }
        return adapter.recorder.stop(number)
    }

    /// Runs an asynchronous body and returns the calls that the store made to its engine meanwhile.
    ///
    /// *Rule:* as ``record(_:)``; the body runs where the caller does.
    nonisolated(nonsending) public func record(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async rethrows -> StoreRecording {
        let number = adapter.recorder.start()
        do {
            try await body()
        } catch {
            _ = adapter.recorder.stop(number)
            throw error
        }
        return adapter.recorder.stop(number)
    }
}
