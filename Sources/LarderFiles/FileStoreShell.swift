package import LarderKernel

/// The part of an adapter for stores in files that is the same for every engine: the place, the options, the
/// open store, and the handling of whole files.
///
///     files = FileStoreShell<SQLiteStore>(of: .sqlite, at: place, options.file)
///     try files.open { … }
///     try files.current().beginReading()
///
/// *Rule:* the adapter is its only owner. The store is closed when the adapter is freed.
package final class FileStoreShell<Store: OpenFileStore>: @unchecked Sendable {
    // reason: `store` is only touched with `lock` held.
    package let engine: FileEngine
    package let place: StorePlace
    private let options: FileStoreOptions
    private let lock = Lock()
    private var store: Store?

    /// - Parameter place: The place of a file, which need not exist yet.
    package init(of engine: FileEngine, at place: StorePlace, _ options: FileStoreOptions) {
        self.engine = engine
        self.place = place
        self.options = options
    }

    deinit {
        try? close()
    }

    /// Opens the store unless it is open.
    package func open(_ open: () throws(DataStoreError) -> Store) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if store == nil { store = try open() }
        }
    }

    /// The open store.
    ///
    /// - Throws: `.closed`.
    package func current() throws(DataStoreError) -> Store {
        // Not `withLock`, whose closure costs as much as the lock.
        lock.lock()
        defer { lock.unlock() }
        guard let store else { throw closedError }
        return store
    }

    private var closedError: DataStoreError {
        DataStoreError(.closed, "The store is not open.", path: place.path)
    }

    /// Closes the store if it is open; it stays open when the body throws.
    package func close(
        by close: (Store) throws(DataStoreError) -> Void = { store throws(DataStoreError) in try store.close()
        }
    ) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if let store { try close(store) }
            store = nil
        }
    }

    /// Deletes the store's file, and the ones beside it.
    ///
    /// - Throws: `.foreignStore` or `.notADatabase` when the file is not a Larder store; it stays unchanged.
    package func destroy() throws(DataStoreError) {
        try removal.requireAllowed()
        try close()
        try removal.run()
    }

    /// Moves the closed store into a folder of its own; see ``StoreRemoval/setAside(if:)``.
    package func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String? {
        try removal.setAside(if: isNeeded)
    }

    private var removal: StoreRemoval { StoreRemoval(of: engine, at: place, options) }
}

/// An engine's store that is open.
package protocol OpenFileStore: AnyObject, Sendable {
    /// Closes the files and gives up their claims.
    ///
    /// - Throws: `.nestedTransaction` while a transaction is open; the store stays open then.
    func close() throws(DataStoreError)
}
