package import Larder
package import struct Foundation.URL

/// Keeps rows in a SQLite file: one table for each item type, with real columns that any SQLite tool can
/// read.
///
/// Filters, orders, windows and counts run inside SQLite. There is one connection that writes and a pool of
/// connections that read, each on its own snapshot.
package final class SQLiteAdapter: StorageAdapter, @unchecked Sendable {
    // reason: `store` is only touched with `lock` held; everything else never changes.
    let place: StorePlace
    package let options: SQLiteOptions
    private let lock = Lock()
    private var store: SQLiteStore?

    /// An adapter for the file at a place, which need not exist yet.
    package init(at url: URL, options: SQLiteOptions = SQLiteOptions()) {
        place = StorePlace(url)
        self.options = options
    }

    deinit {
        try? close()
    }

    package var location: String { place.path }

    package var isReadOnly: Bool { options.isReadOnly }

    package var maximumReaders: Int { options.maximumReaders }

    package func storedSchema() throws(DataStoreError) -> StoredSchema? {
        try StoreLook(place: place, options: options).storedSchema()
    }

    package func open(_ schema: StoreSchema) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if store != nil { return }
            store = try StoreOpening(place: place, options: options, schema: schema).run()
        }
    }

    package func close() throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            try store?.close()
            store = nil
        }
    }

    /// Deletes the file, and the ones SQLite keeps beside it.
    ///
    /// - Throws: `.foreignStore` or `.notADatabase` when the file is none of ours; then it is left alone.
    package func destroy() throws(DataStoreError) {
        // The log goes first: with a new file of the same name, SQLite would take an old log for the new file's.
        let removal = StoreRemoval(
            of: place, isReadOnly: options.isReadOnly, companionSuffixes: StoreFile.companions(of: ""))
        try removal.requireAllowed()
        try close()
        try removal.run { (path) throws(DataStoreError) in
            let (bytes, _) = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: path)
            _ = try StoreFileHeader(bytes)
        }
    }

    package func beginReading() throws(DataStoreError) -> any StorageReading {
        try openStore().beginReading()
    }

    package func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        let reading = try openStore().beginReading()
        reading.stopWhenCancelled()
        return reading
    }

    package func beginWriting() throws(DataStoreError) -> any StorageWriting {
        try openStore().beginWriting()
    }

    func openStore() throws(DataStoreError) -> SQLiteStore {
        // Not `withLock`, whose closure costs as much as the lock.
        lock.lock()
        defer { lock.unlock() }
        guard let store else {
            throw DataStoreError(.closed, "The store is not open.", path: location)
        }
        return store
    }
}
