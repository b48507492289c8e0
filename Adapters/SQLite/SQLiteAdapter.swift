package import Larder
package import struct Foundation.URL

/// Keeps rows in a SQLite file: one table for each item type, with real columns that any SQLite tool can
/// read.
///
/// Filters, orders, windows and counts run inside SQLite. There is one connection that writes and a pool of
/// connections that read, each on its own snapshot.
package final class SQLiteAdapter: StorageAdapter, @unchecked Sendable {
    // reason: `store` is only touched with `lock` held; everything else never changes.
    package let location: String
    package let options: SQLiteOptions
    private let lock = Lock()
    private var store: SQLiteStore?

    /// An adapter for the file at a place, which need not exist yet.
    package init(at url: URL, options: SQLiteOptions = SQLiteOptions()) {
        location = url.absoluteURL.path
        self.options = options
    }

    deinit {
        try? close()
    }

    package var capabilities: AdapterCapabilities {
        [.persistent, .multiProcess, .indexedRequests, .pushesDownRequests]
    }

    package func storedSchema() throws(DataStoreError) -> StoredSchema? {
        try StoreLook(path: location, options: options).storedSchema()
    }

    package func open(_ schema: StoreSchema) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if store != nil { return }
            store = try StoreOpening(path: location, options: options, schema: schema).run()
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
        try close()
        try StoreRemoval(path: location).run()
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
