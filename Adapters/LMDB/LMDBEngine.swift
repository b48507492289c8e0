package import LarderKernel
package import LarderFiles
package import LarderKeyValue

/// The ordered key-value engine in an LMDB file: tables are LMDB's named databases.
package final class LMDBEngine: OrderedKeyValueEngine {
    let place: StorePlace
    let options: LMDBOptions
    private let newTables: Int
    private let store = OpenStore<LMDBStore>()

    /// An engine for the file at a place, which need not exist yet.
    ///
    /// - Parameter newTables: The number of tables that may be added to the existing ones.
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

    package func open() throws(DataStoreError) { try open(addingTables: 0) }

    package func open(addingTables count: Int) throws(DataStoreError) {
        try store.open { () throws(DataStoreError) in
            try StoreOpening(place: place, options: options, newTables: newTables + count).run()
        }
    }

    package func close() throws(DataStoreError) {
        try close(asRefused: false)
    }

    package func closeRefused() throws(DataStoreError) {
        try close(asRefused: true)
    }

    private func close(asRefused isRefused: Bool) throws(DataStoreError) {
        try store.close { store throws(DataStoreError) in try store.close(asRefused: isRefused) }
    }

    /// Deletes the file, and the ones beside it.
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

    package func prepareUpgrade(
        to schema: StoreSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) -> Bool {
        try FileUpgrade(of: UpgradableLMDBFile(place: place, options: options), to: schema, by: plan).run()
    }

    private var removal: StoreRemoval {
        StoreRemoval(of: place, options, companionSuffixes: StoreFile.companionSuffixes, look: Self.look)
    }

    /// Checks the beginning of a file, by plain reads.
    private static func look(at path: String) throws(DataStoreError) {
        _ = try StoreFileHead.read(at: path)
    }

    package func beginReading() throws(DataStoreError) -> any KeyValueSnapshot {
        try openStore().beginReading()
    }

    package func beginWriting() throws(DataStoreError) -> any KeyValueTransaction {
        try openStore().beginWriting()
    }

    package func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        try openStore().watchOtherWriters(body)
    }

    func openStore() throws(DataStoreError) -> LMDBStore {
        try store.current(at: location)
    }
}
