package import Larder
package import LarderKeyValue

/// The ordered key-value engine in an LMDB file: tables are LMDB's named databases.
package final class LMDBEngine: OrderedKeyValueEngine, @unchecked Sendable {
    // reason: `store` is only touched with `lock` held; everything else never changes.
    let place: StorePlace
    let options: LMDBOptions
    private let newTables: Int
    private let lock = Lock()
    private var store: LMDBStore?

    /// An engine for the file at a place, which need not exist yet.
    ///
    /// - Parameter newTables: How many tables may be made beside those there are.
    package init(at place: StorePlace, newTables: Int = 128, options: LMDBOptions = LMDBOptions()) {
        self.place = place
        self.newTables = newTables
        self.options = options
    }

    deinit {
        try? close()
    }

    package var location: String { place.path }

    package var isReadOnly: Bool { options.isReadOnly }

    package var maximumReaders: Int { options.maximumReaders }

    package func isStored() throws(DataStoreError) -> Bool {
        try place.file() != nil
    }

    package func open() throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if store != nil { return }
            store = try StoreOpening(place: place, options: options, newTables: newTables).run()
        }
    }

    package func close() throws(DataStoreError) {
        try close(asRefused: false)
    }

    package func closeRefused() throws(DataStoreError) {
        try close(asRefused: true)
    }

    private func close(asRefused isRefused: Bool) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            try store?.close(asRefused: isRefused)
            store = nil
        }
    }

    /// Deletes the file, and the ones beside it.
    ///
    /// - Throws: `.foreignStore` or `.notADatabase` when the file is none of ours; then it is left alone.
    package func destroy() throws(DataStoreError) {
        // The lock file first: it must not be taken for that of a new store.
        let removal = StoreRemoval(
            of: place, isReadOnly: options.isReadOnly,
            companionSuffixes: Array(StoreFile.companions(of: "").dropFirst()))
        try removal.requireAllowed()
        try close()
        try removal.run { (path) throws(DataStoreError) in _ = try StoreFileHead.read(at: path) }
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
