import Larder

/// A sound adapter in which one fault is planted, or none.
final class FaultyAdapter: StorageAdapter {
    private let sound: any StorageAdapter
    private let fault: Fault?
    private let newest = NewestRows()
    private let schema = Locked<StoreSchema?>(nil)

    init(_ sound: any StorageAdapter, _ fault: Fault?) {
        self.sound = sound
        self.fault = fault
    }

    var capabilities: AdapterCapabilities { sound.capabilities }
    var location: String { sound.location }

    func storedSchema() throws(DataStoreError) -> StoredSchema? { try sound.storedSchema() }

    func open(_ schema: StoreSchema) throws(DataStoreError) {
        try sound.open(schema)
        self.schema.withLock { $0 = schema }
    }

    func close() throws(DataStoreError) {
        if fault == .closingLosesEverything { try sound.destroy() } else { try sound.close() }
    }

    func destroy() throws(DataStoreError) {
        try sound.destroy()
    }

    func beginReading() throws(DataStoreError) -> any StorageReading {
        let later = fault == .snapshotsSeeLaterCommits ? sound : nil
        return FaultyReading(try sound.beginReading(), fault, newest, later: later)
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        guard let schema = schema.withLock({ $0 }) else {
            throw DataStoreError(.closed, "The adapter is not open.")
        }
        return FaultyWriting(try sound.beginWriting(), fault, newest, schema)
    }
}

/// The identifier of the row inserted last, for each entity.
final class NewestRows: Sendable {
    private let identifiers = Locked<[Int: Constant]>([:])

    subscript(entity: Int) -> Constant? {
        get { identifiers.withLock { $0[entity] } }
        set { identifiers.withLock { $0[entity] = newValue } }
    }
}
