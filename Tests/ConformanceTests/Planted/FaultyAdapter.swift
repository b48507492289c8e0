import Larder

/// A sound adapter in which one fault is planted.
final class FaultyAdapter: AdapterDecorator {
    let wrappedAdapter: any StorageAdapter
    private let fault: Fault
    private let newest = NewestRows()
    private let schema = Locked<StoreSchema?>(nil)

    init(_ adapter: any StorageAdapter, _ fault: Fault) {
        wrappedAdapter = adapter
        self.fault = fault
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try wrappedAdapter.open(schema, by: plan)
        self.schema.withLock { $0 = schema }
    }

    func close() throws(DataStoreError) {
        if fault == .closingLosesEverything { try destroy() } else { try wrappedAdapter.close() }
    }

    func decorated(_ reading: any StorageReading) -> any StorageReading {
        let later = fault == .snapshotsSeeLaterCommits ? wrappedAdapter : nil
        return FaultyReading(reading, fault, newest, later: later)
    }

    func decorated(_ writing: any StorageWriting) throws(DataStoreError) -> any StorageWriting {
        guard let schema = schema.withLock({ $0 }) else {
            throw DataStoreError(.closed, "The adapter is not open.")
        }
        return FaultyWriting(writing, fault, newest, schema)
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
