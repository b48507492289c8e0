public import LarderVersions
public import LarderKernel
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
    /// - Parameters:
    ///   - verifiesStructure: As in ``UntypedStore/init(reading:acceptsIncomplete:verifiesStructure:)``.
    ///   - mode: ``DataStoreOptions/schemaUpgrade`` of the store.
    /// - Throws: `.invalidSchema` when the history has a mistake; `.schemaMismatch` when the version is not
    ///   known, no way leads to the current one, or a step without mappings needs some;
    ///   `.incompleteTransfer`; errors that prevent reading the store.
    public func forecast(
        for address: StoreAddress, verifiesStructure: Bool = true,
        upgrading mode: SchemaUpgradeMode = .automatic
    ) throws(DataStoreError) -> MigrationForecast {
        let current = try current()
        let adapter = address.adapter(for: verifiesStructure ? .reading : .readingQuickly)
        guard let stored = try adapter.storedSchema(), let found = try version(of: stored) else {
            return MigrationForecast(
                from: nil, to: current.name, steps: [], isCopied: false, storeBytes: 0, neededBytes: 0,
                availableBytes: nil)
        }
        let migration: SchemaMigration
        do {
            migration = try SchemaMigration(from: stored, to: try current.schema(), by: plan())
        } catch {
            throw error.about(path: address.location)
        }
        let needs = UpgradeNeeds(
            of: migration, counts: migration.isNeeded ? try adapter.rowCounts(of: stored) : [:],
            storeBytes: try address.fileBytes())
        let steps = needs.work.map { work in
            MigrationForecast.Step(
                from: work.step?.from ?? current.name, to: work.step?.to ?? current.name,
                isInferred: work.step?.isInferred ?? true, rows: work.rows)
        }
        let isInFile = !address.fileSuffixes.isEmpty
        let available = isInFile ? FreeSpace.beside(address.location) : nil
        var isCopied = isInFile && needs.isCopied(by: mode)
        if isCopied, case .automatic = mode { isCopied = UpgradePlace(of: address).canCopy(needs) }
        return MigrationForecast(
            from: found.version.name, to: current.name, steps: steps, isCopied: isCopied,
            storeBytes: needs.storeBytes, neededBytes: isCopied ? needs.bytesInCopy : needs.bytesInPlace,
            availableBytes: available)
    }

    /// The steps that `setup()` of a store with this history will run; empty if no store exists, or it is up
    /// to date.
    ///
    /// *Cost:* as ``forecast(for:verifiesStructure:upgrading:)``.
    ///
    /// - Throws: As ``forecast(for:verifiesStructure:upgrading:)``.
    public func requiredMigrations(
        for address: StoreAddress
    ) throws(DataStoreError) -> [MigrationForecast.Step] {
        try forecast(for: address).steps
    }
}
