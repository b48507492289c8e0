package import LarderKernel
import LarderFiles
package import struct Foundation.URL

/// Keeps rows in a SQLite file: one table for each item type, with real columns that any SQLite tool can
/// read.
///
/// Filters, orders, windows and counts run inside SQLite. There is one connection that writes and a pool of
/// connections that read, each on its own snapshot.
package final class SQLiteAdapter: StorageAdapter {
    package let options: SQLiteOptions
    let files: FileStoreShell<SQLiteStore>

    /// An adapter for the file at a place, which need not exist yet.
    package convenience init(at url: URL, options: SQLiteOptions = SQLiteOptions()) {
        self.init(in: StorePlace(url), options: options)
    }

    init(in place: StorePlace, options: SQLiteOptions) {
        self.options = options
        files = FileStoreShell(of: .sqlite, at: place, options.file)
    }

    package var location: String { files.place.path }

    package var isReadOnly: Bool { options.isReadOnly }

    package var maximumReaders: Int { options.maximumReaders ?? 8 }

    package func storedSchema() throws(DataStoreError) -> StoredSchema? {
        try StoreOpening.storedSchema(in: files.place, options: options)
    }

    package func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        _ = try options.pragmaText()
        try files.open { () throws(DataStoreError) in
            try StoreOpening(place: files.place, options: options, schema: schema, plan: plan).run()
        }
    }

    package func close() throws(DataStoreError) { try files.close() }

    package func destroy() throws(DataStoreError) { try files.destroy() }

    package func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String? {
        try files.setAside(if: isNeeded)
    }

    package func beginReading() throws(DataStoreError) -> any StorageReading {
        try files.current().beginReading()
    }

    package func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        let reading = try files.current().beginReading()
        reading.stopWhenCancelled()
        return reading
    }

    package func beginWriting() throws(DataStoreError) -> any StorageWriting {
        try files.current().beginWriting()
    }

    package func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        try files.current().watchOtherWriters(body)
    }
}
