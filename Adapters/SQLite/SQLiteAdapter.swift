package import LarderKernel
import LarderFiles
package import struct Foundation.URL

/// Keeps rows in a SQLite file: one table for each item type, with real columns that any SQLite tool can
/// read.
///
/// Filters, orders, windows and counts run inside SQLite. There is one connection that writes and a pool of
/// connections that read, each on its own snapshot.
package final class SQLiteAdapter: StorageAdapter {
    let place: StorePlace
    package let options: SQLiteOptions
    private let store = OpenStore<SQLiteStore>()

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
        try StoreInspection(place: place, options: options).storedSchema()
    }

    package func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try store.open { () throws(DataStoreError) in
            try StoreOpening(place: place, options: options, schema: schema, plan: plan).run()
        }
    }

    package func close() throws(DataStoreError) {
        try store.close { store throws(DataStoreError) in try store.close() }
    }

    /// Deletes the file, and the ones SQLite keeps beside it.
    ///
    /// - Throws: `.foreignStore` or `.notADatabase` when the file is not a Larder store; it stays unchanged.
    package func destroy() throws(DataStoreError) {
        try removal.requireAllowed()
        try close()
        try removal.run()
    }

    package func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? {
        try removal.setAside(if: isNeeded)
    }

    private var removal: StoreRemoval {
        StoreRemoval(of: place, options, companionSuffixes: StoreFile.companionSuffixes, look: Self.look)
    }

    /// Checks the beginning of a file, by plain reads.
    private static func look(at path: String) throws(DataStoreError) {
        let (bytes, _) = try FileAccess.firstBytes(StoreFileHeader.byteCount, of: path)
        _ = try StoreFileHeader(bytes)
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

    package func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        try openStore().watchOtherWriters(body)
    }

    func openStore() throws(DataStoreError) -> SQLiteStore {
        try store.current(at: location)
    }
}
