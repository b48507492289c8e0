package import Larder
package import LarderKeyValue

/// The ordered key-value engine in an LMDB file: tables are LMDB's named databases.
package final class LMDBEngine: OrderedKeyValueEngine, @unchecked Sendable {
    // reason: `store` is only touched with `lock` held; everything else never changes.
    package let location: String
    let options: LMDBOptions
    private let newTables: Int
    private let lock = Lock()
    private var store: LMDBStore?

    /// An engine for the file at a path, which need not exist yet.
    ///
    /// - Parameter newTables: How many tables may be made beside those there are.
    package init(at path: String, newTables: Int = 128, options: LMDBOptions = LMDBOptions()) {
        location = path
        self.newTables = newTables
        self.options = options
    }

    deinit {
        try? close()
    }

    package var capabilities: AdapterCapabilities { [.persistent, .multiProcess] }

    package var maximumReaders: Int { options.maximumReaders }

    package func isStored() throws(DataStoreError) -> Bool {
        try StorePlace(location).file() != nil
    }

    package func open() throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if store != nil { return }
            store = try StoreOpening(path: location, options: options, newTables: newTables).run()
        }
    }

    package func close() throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            try store?.close()
            store = nil
        }
    }

    /// Deletes the file, and the ones beside it.
    ///
    /// - Throws: `.foreignStore` or `.notADatabase` when the file is none of ours; then it is left alone.
    package func destroy() throws(DataStoreError) {
        try close()
        try StoreRemoval(path: location).run()
    }

    package func beginReading() throws(DataStoreError) -> any KeyValueSnapshot {
        try openStore().beginReading()
    }

    package func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        try openStore().beginWriting()
    }

    func openStore() throws(DataStoreError) -> LMDBStore {
        // Not `withLock`, whose closure costs as much as the lock.
        lock.lock()
        defer { lock.unlock() }
        guard let store else {
            throw DataStoreError(.closed, "The store is not open.", path: location)
        }
        return store
    }
}
