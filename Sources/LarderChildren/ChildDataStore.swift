public import LarderKernel

/// A scratch store over another store: its changes are staged in memory until they are merged or thrown away.
///
///     let draft = try store.makeChildDataStore()
///     try draft.writeSync { try $0.mutableVersion(of: order)?.quantity = 3 }
///     try store.merge(draft)          // or draft.discard()
///
/// A child is a store like any other: all requests, relationships, rules and blocks work in it, and it may have
/// children of its own. Items that it has not touched are read from the current parent; an item it has
/// changed stays as the child has it, whatever the parent does meanwhile. Discard a child that is no longer
/// needed; its changes are also gone with the last reference to it.
///
/// *Rule:* as for every ``DataStore``, from any thread. It keeps its parent alive, and holds no transaction,
/// lock or reader of the engine between its blocks. A block of a child reads one snapshot of the parent; in a
/// block of a child, its ancestors may be read, on that snapshot, and not written. *Cost:* some microseconds to
/// make one; the changed rows, twice, in memory.
public final class ChildDataStore: DataStore {
    /// The store that made this one, and into which it is merged.
    public let parent: any DataStore
    public let coordinator: StoreCoordinator
    private let overlay: OverlayAdapter

    init(of parent: any DataStore, named name: String?) throws(DataStoreError) {
        self.parent = parent
        overlay = try parent.coordinator.reporting("makeChildDataStore()") { () throws(DataStoreError) in
            try OverlayAdapter(over: parent.coordinator)
        }
        var options = parent.coordinator.options.ofChildren
        options.name = name
        coordinator = StoreCoordinator(over: overlay, options: options)
        try coordinator.setup()
    }

    /// The type of the store, its name if it has one, and the chain of its parents.
    public var description: String { "ChildDataStore\(name.map { " \"\($0)\"" } ?? "") of \(parent)" }

    /// Throws away everything that is staged, and ends the store and all its children.
    ///
    ///     try draft.discard()
    ///
    /// A second call does nothing. Blocks throw `.discarded` from now on, in the children too.
    ///
    /// *Rule:* blocks the calling thread until running blocks and pending writes have ended.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store or of a child of it; `.wouldDeadlock` if one of them
    ///   waits for this thread.
    public func discard() throws(DataStoreError) {
        try coordinator.destroy(isDiscarding: true)
    }

    /// Ends the store as ``discard()`` does, without occupying the caller's actor.
    ///
    ///     try await draft.discardAsync()
    ///
    /// *Rule:* it discards the child even if the task is cancelled. *Cost:* a thread while it waits.
    ///
    /// - Throws: As ``discard()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func discardAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.discard() }
    }

    /// Throws away everything that is staged, and continues with what the parent holds.
    ///
    ///     try draft.rollBack()        // shows what is stored
    ///
    /// *Rule:* blocks the calling thread until pending writes have ended.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store; `.wouldDeadlock` if the writer waits for this thread;
    ///   `.discarded`, `.closed`.
    public func rollBack() throws(DataStoreError) {
        try coordinator.runTool("rollBack()", needsWriter: true) { () throws(DataStoreError) in
            try overlay.dropStaged()
        }
        coordinator.noteChange()
    }

    /// Throws away everything that is staged as ``rollBack()`` does, without occupying the caller's actor.
    ///
    ///     try await draft.rollBackAsync()  // shows what is stored
    ///
    /// *Rule:* it rolls back even if the task is cancelled. *Cost:* a thread while it waits.
    ///
    /// - Throws: As ``rollBack()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func rollBackAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.rollBack() }
    }

    /// Takes over what the parent has changed meanwhile in items that are touched here, and keeps what is staged.
    ///
    ///     try draft.refresh()         // the order keeps its new quantity, and shows its new price
    ///
    /// If the child has not changed an attribute, it gets the parent's value. If both have changed it to different values, it
    /// keeps the child's value, and is a conflict of the next merge as before. If an item has its first values again, or
    /// the parent's values, it follows the parent again. Items that the child has inserted or deleted stay so.
    ///
    /// *Rule:* waits for pending writes; ``DataStore/changes`` does not report it. *Cost:* a look-up in the
    /// parent for each touched item, and memory for those that change.
    ///
    /// - Throws: `.nestedTransaction` inside a block of the store; `.wouldDeadlock` if the writer waits for this thread;
    ///   `.discarded`, `.closed`; rethrows errors of the parent's engine. Nothing has changed then.
    public func refresh() throws(DataStoreError) {
        try coordinator.runTool("refresh()", needsWriter: true) { () throws(DataStoreError) in
            try overlay.refreshStaged()
        }
        coordinator.noteChange()
    }

    /// Takes over the parent's changes as ``refresh()`` does, without occupying the caller's actor.
    ///
    ///     try await draft.refreshAsync()
    ///
    /// *Rule:* it refreshes the child even if the task is cancelled. *Cost:* as ``refresh()``; a thread while it runs.
    ///
    /// - Throws: As ``refresh()``, except for `.nestedTransaction`; `.inputOutput` if the system gives no thread.
    public func refreshAsync() async throws(DataStoreError) {
        try await AwaitedThread.call { () throws(DataStoreError) in try self.refresh() }
    }
}

extension DataStore {
    /// Makes a scratch store over this one, ready to use.
    ///
    ///     let draft = try store.makeChildDataStore(named: "draft")
    ///     print(draft)                // ChildDataStore "draft" of SQLiteDataStore (/data/recipes)
    ///
    /// *Rule:* from any thread, including inside blocks of this store. *Cost:* some microseconds.
    ///
    /// - Throws: `.notSetUp`, `.closed`; `.discarded` for a discarded child; `.unsupported` for a store whose
    ///   adapter was given no memory for children.
    public func makeChildDataStore(named name: String? = nil) throws(DataStoreError) -> ChildDataStore {
        try ChildDataStore(of: self, named: name)
    }
}

extension DataStoreOptions {
    /// Without hooks: a child stages drafts, and the hooks of its parent run when they are merged.
    fileprivate var ofChildren: DataStoreOptions {
        var options = self
        options.watch = nil
        return options
    }
}

extension StoreCoordinator {
    /// The child of a store, not yet open.
    ///
    /// - Parameters:
    ///   - decorated: A decorator of the overlay, for tests.
    ///   - options: The options of the child (``DataStoreOptions/ofChildren`` of the parent).
    package convenience init(
        over overlay: OverlayAdapter, decorated: (any AdapterDecorator)? = nil,
        options: DataStoreOptions
    ) {
        self.init(
            childOf: overlay.parent, adapter: decorated ?? overlay,
            options: options)
        overlay.serve(self)
    }

    /// The adapter over the parent, below those that decorate it; nil for a store that is not a child.
    var overlay: OverlayAdapter? {
        var next = adapter
        while true {
            if let overlay = next as? OverlayAdapter { return overlay }
            guard let decorator = next as? any AdapterDecorator else { return nil }
            next = decorator.wrappedAdapter
        }
    }
}
