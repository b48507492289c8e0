public import Larder
import LarderEngine
import LarderFiles

extension SchemaHistory {
    /// Finds what `setup()` of a store with this history will do, without opening the store for writing.
    ///
    ///     let forecast = try history.forecast(for: .sqlite(at: url))
    ///
    /// *Rule:* not while this process has the store open. *Cost:* counts the items of each type; checks every
    /// page of the file first, unless `verifiesStructure` is false.
    ///
    /// - Parameter verifiesStructure: As in ``UntypedStore/init(reading:acceptsIncomplete:verifiesStructure:)``.
    /// - Throws: `.invalidSchema` when the history has a mistake; `.schemaMismatch` when the version is not
    ///   known, no way leads to today's, or a step without mappings needs some; `.incompleteTransfer`;
    ///   errors that prevent reading the store.
    public func forecast(
        for address: StoreAddress, verifiesStructure: Bool = true
    ) throws(DataStoreError) -> MigrationForecast {
        let current = try current()
        let adapter = address.adapter(for: verifiesStructure ? .reading : .readingQuickly)
        guard let stored = try adapter.storedSchema(), let found = try version(of: stored) else {
            return MigrationForecast(
                from: nil, to: current.name, steps: [], storeBytes: 0, neededBytes: 0, availableBytes: nil)
        }
        let migration: SchemaMigration
        do {
            migration = try SchemaMigration(from: stored, to: try current.schema(), by: plan())
        } catch {
            throw error.about(path: address.location)
        }
        let counts = migration.isNeeded ? try Self.counts(in: adapter, stored) : [:]
        let steps = migration.work(counts: counts).map { work in
            MigrationForecast.Step(
                from: work.step?.from ?? current.name, to: work.step?.to ?? current.name,
                isInferred: work.step?.isInferred ?? true, rows: work.rows)
        }
        let (bytes, all) = (try address.fileBytes(), counts.values.reduce(0, +))
        let rows = steps.reduce(0) { $0 + $1.rows }
        let share = all == 0 ? 0 : Double(rows) / Double(all)
        return MigrationForecast(
            from: found.version.name, to: current.name, steps: steps, storeBytes: bytes,
            neededBytes: Int((Double(bytes) * share * 2).rounded(.up)),
            availableBytes: address.fileSuffixes.isEmpty
                ? nil : FileAccess.availableBytes(at: FileAccess.parts(of: address.location).folder))
    }

    /// The steps that `setup()` of a store with this history will run; empty if no store exists, or it is up
    /// to date.
    ///
    /// *Cost:* as ``forecast(for:verifiesStructure:)``.
    ///
    /// - Throws: As ``forecast(for:verifiesStructure:)``.
    public func requiredMigrations(
        for address: StoreAddress
    ) throws(DataStoreError) -> [MigrationForecast.Step] {
        try forecast(for: address).steps
    }

    /// The number of rows of each stored entity, by its number.
    private static func counts(
        in adapter: any StorageAdapter, _ stored: StoredSchema
    ) throws(DataStoreError) -> [Int: Int] {
        let schema = try StoreSchema(of: stored)
        try adapter.open(schema)
        let result = Result { () throws(DataStoreError) in
            let reading = try adapter.beginCancellableReading()
            defer { reading.end() }
            var counts: [Int: Int] = [:]
            for (number, entity) in stored.entities.enumerated() {
                counts[entity.number] = try reading.count(
                    for: RequestPlan(entity: number, schema: schema.entities[number]))
            }
            return counts
        }
        try adapter.close()
        return try result.get()
    }
}
