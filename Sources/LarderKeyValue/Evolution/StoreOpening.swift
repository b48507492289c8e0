import LarderVersions
import LarderKernel
import LarderEngine

/// Opens a store that an engine has opened: reads its stored schema and brings it to the app's schema.
///
/// 1. When the store was last changed for the same declaration, its directory is all that is needed, unless
///    there are steps that may lead on.
/// 2. Else the stored schema is compared with the app's; if they agree, nothing is written.
/// 3. Else everything is compared again in a write transaction, and changed there.
struct StoreOpening {
    let engine: any OrderedKeyValueEngine
    let schema: StoreSchema
    let plan: MigrationPlan?
    private let declaration = ByteBuffer()

    init(of engine: any OrderedKeyValueEngine, for schema: StoreSchema, by plan: MigrationPlan?) {
        self.engine = engine
        self.schema = schema
        self.plan = plan
        schema.writeDeclaration(to: declaration)
    }

    /// - Throws: `.schemaMismatch`, `.uniqueViolation`, `.targetNotFound`, `.newerFormat`, `.damaged`, what
    ///   ``SchemaMigration`` throws, rethrows errors of the engine.
    func open() throws(DataStoreError) -> Catalog {
        if let catalog = try catalogOfUnchangedStore(isComplete: true) { return catalog }
        do {
            return try evolve()
        } catch {
            guard error.code == .readOnly else { throw error }
            // A store that is only read stays without an identity or a name of its version.
            if let catalog = try catalogOfUnchangedStore(isComplete: false) { return catalog }
            throw SchemaMigration.misfit(ofReadOnlyStoreAt: engine.location)
        }
    }

    /// The number of tables that an upgrade makes for a while, at most; nil if neither steps are taken nor rows
    /// written again.
    func tablesOfUpgrade() throws(DataStoreError) -> Int? {
        if engine.isReadOnly { return nil }
        let snapshot = try engine.beginReading()
        defer { snapshot.end() }
        guard let meta = try snapshot.table(named: MetaRecord.tableName, .bytes) else { return nil }
        guard let migration = try migration(in: snapshot, meta) else { return nil }
        return migration.tablesOfSteps ?? (migration.touchesRows ? 0 : nil)
    }

    /// - Parameter isComplete: True if the store has to have its identity and the name of its version.
    private func catalogOfUnchangedStore(isComplete: Bool) throws(DataStoreError) -> Catalog? {
        let snapshot = try engine.beginReading()
        defer { snapshot.end() }
        guard let meta = try snapshot.table(named: MetaRecord.tableName, .bytes) else { return nil }
        let migration = try migration(in: snapshot, meta)
        if let migration, migration.isNeeded || (isComplete && migration.completesStore) { return nil }
        return try Catalog(
            of: schema, in: try MetaRecord.directory(in: snapshot, meta),
            generation: try MetaRecord.storedGeneration(in: snapshot, meta), meta: meta, snapshot)
    }

    /// The way from the stored schema; nil if the store was last changed for the same declaration.
    private func migration(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> SchemaMigration? {
        try MetaRecord.checkFormat(in: snapshot, meta)
        if try isDeclarationStored(in: snapshot, meta) { return nil }
        let stored = try MetaRecord.storedSchema(in: snapshot, meta)
        try MetaRecord.directory(in: snapshot, meta).requireAgreement(with: stored)
        return try SchemaMigration(from: stored, to: schema, by: plan)
    }

    /// True if the store was last changed for the same declaration, and no step may lead on.
    ///
    /// A step may lead to the same types; the declaration then differs by the name of the version.
    private func isDeclarationStored(
        in snapshot: any KeyValueSnapshot, _ meta: KeyValueTable
    ) throws(DataStoreError) -> Bool {
        if plan?.hasSteps == true && schema.version == nil { return false }
        let stored = try MetaRecord.declaration.value(in: snapshot, meta)
        return stored?.elementsEqual(declaration.bytes) == true
    }

    private func evolve() throws(DataStoreError) -> Catalog {
        let transaction = try engine.beginWriting()
        defer { transaction.end() }
        var stored = StoredSchema.empty
        var directory = TableDirectory()
        let meta: KeyValueTable
        if let existing = try transaction.table(named: MetaRecord.tableName, .bytes) {
            meta = existing
            try MetaRecord.checkFormat(in: transaction, meta)
            stored = try MetaRecord.storedSchema(in: transaction, meta)
            directory = try MetaRecord.directory(in: transaction, meta)
            try directory.requireAgreement(with: stored)
        } else {
            meta = try transaction.makeTable(named: MetaRecord.tableName, .bytes)
        }
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        if migration.isNeeded {
            let change = SchemaChange(directory: directory, meta: meta, in: transaction)
            try migration.run(in: change)
            directory = change.directory
        }
        try MetaRecord.storeAll(
            migration.target, directory, declaration: declaration, in: transaction, meta)
        let catalog = try Catalog(
            of: schema, in: directory, generation: UInt64(migration.target.generation), meta: meta,
            transaction)
        try transaction.commit()
        return catalog
    }
}
