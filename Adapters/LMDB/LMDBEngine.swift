package import LarderKernel
package import LarderFiles
package import LarderKeyValue

/// The ordered key-value engine in an LMDB file: tables are LMDB's named databases.
package final class LMDBEngine: OrderedKeyValueEngine {
    let options: LMDBOptions
    let files: FileStoreShell<LMDBStore>
    private let newTables: Int

    /// An engine for the file at a place, which need not exist yet.
    ///
    /// - Parameter newTables: The number of tables that may be added to the existing ones.
    package init(at place: StorePlace, newTables: Int = 128, options: LMDBOptions = LMDBOptions()) {
        self.newTables = newTables
        self.options = options
        files = FileStoreShell(of: .lmdb, at: place, options.file)
    }

    package var location: String { files.place.path }

    package var isReadOnly: Bool { options.isReadOnly }

    package var maximumReaders: Int { options.blockReaders }

    package func isStored() throws(DataStoreError) -> Bool { try files.place.file() != nil }

    package func open() throws(DataStoreError) { try open(for: nil, by: nil, addingTables: 0) }

    package func open(
        for schema: StoreSchema?, by plan: MigrationPlan?, addingTables count: Int
    ) throws(DataStoreError) {
        try files.open { () throws(DataStoreError) in
            try StoreOpening(
                place: files.place, options: options, newTables: newTables + count, schema: schema, plan: plan
            ).run()
        }
    }

    package func prepareUpgrade(
        to schema: StoreSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) -> Bool {
        let file = UpgradableLMDBFile(place: files.place, options: options)
        return try FileUpgrade(of: file, to: schema, by: plan).run()
    }

    package func close() throws(DataStoreError) { try files.close() }

    package func closeRefused() throws(DataStoreError) {
        try files.close { store throws(DataStoreError) in try store.close(asRefused: true) }
    }

    package func destroy() throws(DataStoreError) { try files.destroy() }

    package func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String? {
        try files.setAside(if: isNeeded)
    }

    package func beginReading() throws(DataStoreError) -> any KeyValueSnapshot {
        try files.current().beginReading()
    }

    package func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        try files.current().beginWriting()
    }

    package func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        try files.current().watchOtherWriters(body)
    }
}
