public import Larder

/// A store in any ordered key-value engine: rows, indexes, plans and schema changes, written once.
///
///     let adapter = KeyValueAdapter(MyEngine(at: path))
///
/// Kept are a table `larder` of what the store knows of itself, one table for the rows of each entity, by
/// identifier, and one for each index. *Rule:* as ``StorageAdapter`` says.
public final class KeyValueAdapter<Engine: OrderedKeyValueEngine>: StorageAdapter {
    package let engine: Engine
    private let readers = ReaderPool()

    /// An adapter over an engine that nobody else uses.
    public init(_ engine: Engine) {
        self.engine = engine
    }

    public var capabilities: AdapterCapabilities { engine.capabilities.union(.indexedRequests) }

    public var location: String { engine.location }

    public func storedSchema() throws(DataStoreError) -> StoredSchema? {
        guard try engine.isStored() else { return nil }
        try engine.open()
        let schema = Result { () throws(DataStoreError) in try readStoredSchema() }
        try engine.close()
        do {
            return try schema.get()
        } catch {
            throw error.about(path: engine.location)
        }
    }

    private func readStoredSchema() throws(DataStoreError) -> StoredSchema {
        let snapshot = try engine.beginReading()
        defer { snapshot.end() }
        guard let meta = try snapshot.table(named: MetaRecord.tableName, .bytes) else { return .empty }
        try MetaRecord.checkFormat(in: snapshot, meta)
        return try MetaRecord.storedSchema(in: snapshot, meta)
    }

    public func open(_ schema: StoreSchema) throws(DataStoreError) {
        try engine.open()
        do {
            readers.open(try StoreOpening(of: engine, for: schema).open())
        } catch {
            // The first error is the one that matters.
            try? engine.close()
            throw error.about(path: engine.location)
        }
    }

    public func close() throws(DataStoreError) {
        readers.close()
        try engine.close()
    }

    public func destroy() throws(DataStoreError) {
        readers.close()
        try engine.destroy()
    }

    public func beginReading() throws(DataStoreError) -> any StorageReading {
        let (opened, checkedCommit, idle) = readers.take()
        let catalog = try require(opened)
        guard let idle else {
            let snapshot = try engine.beginReading()
            try check(snapshot, catalog, after: checkedCommit)
            return SnapshotReader(snapshot, catalog, keptBy: readers)
        }
        let snapshot = try engine.beginReading(reusing: idle.snapshot)
        try check(snapshot, catalog, after: checkedCommit)
        idle.begin(snapshot, keptBy: readers)
        return idle
    }

    /// Begins a snapshot for a tool.
    func beginSnapshot() throws(DataStoreError) -> any KeyValueSnapshot {
        let (opened, checkedCommit) = readers.current()
        let catalog = try require(opened)
        let snapshot = try engine.beginReading()
        try check(snapshot, catalog, after: checkedCommit)
        return snapshot
    }

    public func beginWriting() throws(DataStoreError) -> any StorageWriting {
        let (opened, checkedCommit) = readers.current()
        let catalog = try require(opened)
        let transaction = try engine.beginWriting()
        try check(transaction, catalog, after: checkedCommit)
        return TransactionWriter(transaction, catalog)
    }

    private func require(_ catalog: Catalog?) throws(DataStoreError) -> Catalog {
        guard let catalog else {
            throw DataStoreError(.notSetUp, "The adapter is not open.", path: engine.location)
        }
        return catalog
    }

    /// Sees to it that the schema is the catalog's, and ends the snapshot when it is not.
    ///
    /// Nothing is read where nobody has committed since that was seen last.
    private func check(
        _ snapshot: any KeyValueSnapshot, _ catalog: Catalog, after checkedCommit: UInt64?
    ) throws(DataStoreError) {
        let commit = snapshot.commitNumber
        if commit == checkedCommit { return }
        do throws(DataStoreError) {
            try catalog.checkGeneration(in: snapshot)
        } catch {
            snapshot.end()
            throw error
        }
        readers.noteChecked(catalog, at: commit)
    }
}
