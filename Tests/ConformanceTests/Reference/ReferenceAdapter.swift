import Larder
import LarderMemory
import LarderEngine

/// The seam in its smallest form: rows in sorted arrays, a transaction is a copy, and every request walks all
/// rows with the predicates' own `matches`.
///
/// It shows what an adapter must do, and what the faster ones are compared with.
final class ReferenceAdapter: StorageAdapter {
    private struct Opened {
        let schema: StoreSchema
        /// The stored number of each item type of the app.
        let numbers: [Int]
    }

    private let medium: ReferenceMedium
    private let opened = Locked<Opened?>(nil)

    init(in medium: ReferenceMedium) {
        self.medium = medium
    }

    let location = "reference"
    let maximumReaders = Int.max
    let isReadOnly = false

    func storedSchema() throws(DataStoreError) -> StoredSchema? {
        let schema = medium.state.withLock { $0.schema }
        return schema == .empty ? nil : schema
    }

    func open(_ schema: StoreSchema, by plan: MigrationPlan?) throws(DataStoreError) {
        try medium.isOpen.withLock { isOpen throws(DataStoreError) in
            if isOpen { throw DataStoreError(.alreadyOpen, "The place is open in another store.") }
            let numbers = try medium.state.withLock { state throws(DataStoreError) in
                let migration = try SchemaMigration(from: state.schema, to: schema, by: plan)
                let change = ReferenceChange(state)
                try migration.run(in: change)
                state = change.state
                state.schema = migration.target
                return schema.entities.compactMap { migration.target.entity(named: $0.name)?.number }
            }
            opened.withLock { $0 = Opened(schema: schema, numbers: numbers) }
            isOpen = true
        }
    }

    func close() throws(DataStoreError) {
        opened.withLock { $0 = nil }
        medium.isOpen.withLock { $0 = false }
    }

    func destroy() throws(DataStoreError) {
        medium.state.withLock { $0 = ReferenceState() }
    }

    func setAside(if isNeeded: () throws(DataStoreError) -> Bool) throws(DataStoreError) -> String? { nil }

    func beginReading() throws(DataStoreError) -> any StorageReading {
        try makeTransaction()
    }

    func beginCancellableReading() throws(DataStoreError) -> any StorageReading {
        try makeTransaction()
    }

    func beginWriting() throws(DataStoreError) -> any StorageWriting {
        try makeTransaction()
    }

    func watchOtherWriters(
        _ body: @escaping @Sendable () -> Void
    ) throws(DataStoreError) -> (any StorageWatch)? { nil }

    private func makeTransaction() throws(DataStoreError) -> ReferenceTransaction {
        guard let opened = opened.withLock({ $0 }) else {
            throw DataStoreError(.closed, "The adapter is not open.")
        }
        return ReferenceTransaction(
            medium: medium, state: medium.state.withLock { $0 }, schema: opened.schema,
            numbers: opened.numbers)
    }
}

/// A store over a ``ReferenceAdapter``, or over an adapter that wraps one.
final class ReferenceDataStore: DataStore {
    let coordinator: StoreCoordinator

    init(over adapter: any StorageAdapter, storing types: [any DataStoreItem.Type], options: DataStoreOptions)
    {
        coordinator = StoreCoordinator(
            adapter: adapter, storing: types, options: options, staging: { MemoryAdapter() })
    }
}
