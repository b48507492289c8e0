import LarderEngine
public import LarderKernel

/// A store in any ordered key-value engine: rows, indexes, plans and schema changes, written once.
///
///     let adapter = KeyValueAdapter(MyEngine(at: path))
///
/// It keeps a table `larder` with the store's metadata, one table for the rows of each entity, by identifier,
/// and one for each index. *Rule:* as ``StorageAdapter`` says.
public final class KeyValueAdapter<Engine: OrderedKeyValueEngine>: StorageAdapter {
    package let engine: Engine
    private let catalog = Locked<Catalog?>(nil)

    /// Creates an adapter over an engine that is not used elsewhere.
    public init(_ engine: Engine) {
        self.engine = engine
    }

    public var location: String { engine.location }

    public var maximumReaders: Int { engine.maximumReaders }

    public var isReadOnly: Bool { engine.isReadOnly }

    public func storedSchema() throws(DataStoreError) -> StoredSchema? {
        guard try engine.isStored() else { return nil }
        try OpeningAttempts.run(at: location) { () throws(DataStoreError) -> Void? in try engine.open() }
        let schema: StoredSchema
        do throws(DataStoreError) {
            schema = try readStoredSchema()
        } catch {
            // The first error is the one that matters.
            try? engine.close()
            throw error.about(path: engine.location)
        }
        try engine.close()
        return schema
    }

    private func readStoredSchema() throws(DataStoreError) -> StoredSchema {
        let snapshot = try engine.beginReading()
        defer { snapshot.end() }
        guard let meta = try snapshot.table(named: MetaRecord.tableName, .bytes) else { return .empty }
        try MetaRecord.checkFormat(in: snapshot, meta)
        return try MetaRecord.storedSchema(in: snapshot, meta)
    }

    public func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try OpeningAttempts.run(at: location) { () throws(DataStoreError) -> Void? in
            try openOnce(schema, by: plan)
        }
    }

    private func openOnce(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try engine.open(for: schema, by: plan, addingTables: 0)
        do {
            var opening = StoreOpening(of: engine, for: schema, by: plan)
            if let tables = try opening.tablesOfUpgrade() {
                // As refused, so that a step that throws changes no file.
                try engine.closeRefused()
                if try !engine.prepareUpgrade(to: schema, by: plan) {
                    try engine.open(for: schema, by: plan, addingTables: tables)
                    _ = try opening.open()
                    try engine.close()
                }
                try engine.open()
                // The steps have been taken. With a version, the plan finds none, or that another process has upgraded the
                // store further.
                opening = StoreOpening(of: engine, for: schema, by: schema.version == nil ? nil : plan)
            }
            let opened = try opening.open()
            catalog.withLock { $0 = opened }
        } catch {
            // The first error is the one that matters.
            try? engine.closeRefused()
            throw error.about(path: engine.location)
        }
    }

    public func close() throws(DataStoreError) {
        catalog.withLock { $0 = nil }
        try engine.close()
    }

    public func destroy() throws(DataStoreError) {
        catalog.withLock { $0 = nil }
        try engine.destroy()
    }

    public func setAside(
        if isNeeded: () throws(DataStoreError) -> Bool
    ) throws(DataStoreError) -> String? {
        try engine.setAside(if: isNeeded)
    }

    public func beginReading() throws(DataStoreError) -> any StorageReading {
        let catalog = try openCatalog()
        return SnapshotReader(try checked(try engine.beginReading(), catalog), catalog)
    }

    public func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        let catalog = try openCatalog()
        let snapshot = try checked(try engine.beginReading(), catalog)
        return SnapshotReader(CancellableSnapshot(snapshot), catalog)
    }

    /// Begins a snapshot for a tool.
    func beginSnapshot() throws(DataStoreError) -> (any KeyValueSnapshot, Catalog) {
        let catalog = try openCatalog()
        return (try checked(try engine.beginReading(), catalog), catalog)
    }

    public func beginWriting() throws(DataStoreError) -> any StorageWriting {
        let catalog = try openCatalog()
        let transaction = try engine.beginWriting()
        _ = try checked(transaction, catalog)
        return TransactionWriter(transaction, catalog)
    }

    public func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? {
        try engine.watchOtherWriters(body)
    }

    private func openCatalog() throws(DataStoreError) -> Catalog {
        guard let catalog = catalog.withLock({ $0 }) else {
            throw DataStoreError(.notSetUp, "The adapter is not open.", path: engine.location)
        }
        return catalog
    }

    /// A snapshot whose schema is the catalog's; one whose schema is not is ended.
    private func checked(
        _ snapshot: any KeyValueSnapshot, _ catalog: Catalog
    ) throws(DataStoreError) -> any KeyValueSnapshot {
        try catalog.requireGeneration(of: snapshot)
        return snapshot
    }
}
