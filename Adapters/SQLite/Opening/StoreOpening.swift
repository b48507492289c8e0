import LarderVersions
import CSQLite
import LarderKernel
import LarderFiles
import LarderEngine

/// Opens the file of a store: finds or creates it, checks it, and brings it to the schema.
///
/// *Rule:* nothing is deleted or repaired, whatever is wrong; the file is replaced by an upgraded copy only.
struct StoreOpening {
    let place: StorePlace
    let options: SQLiteOptions
    let schema: StoreSchema
    let plan: MigrationPlan?

    private var path: String { place.path }

    func run() throws(DataStoreError) -> SQLiteStore {
        try place.requirePath(for: options.file, of: .sqlite)
        try options.validate(path: path)
        var isReadyForUpgrade = false
        var remaining = plan
        return try OpeningAttempts.run(at: path) { () throws(DataStoreError) -> SQLiteStore? in
            if let store = try open(by: remaining, upgrading: isReadyForUpgrade) { return store }
            let file = UpgradableSQLiteFile(place: place, options: options)
            let isDone = try FileUpgrade(of: file, to: schema, by: plan).run()
            // With a version, the plan finds no more steps, or that another process has upgraded the store further.
            if isDone, schema.version == nil { remaining = nil }
            isReadyForUpgrade = true
            return nil
        }
    }

    /// Reads the schema that a store keeps, without opening it; nil when there is no file.
    ///
    /// A store that may be changed gets its log back first, as an opening gives it: what is read decides on the opening.
    static func storedSchema(
        in place: StorePlace, options: SQLiteOptions
    ) throws(DataStoreError) -> StoredSchema? {
        guard let status = try place.file() else { return nil }
        let claimed = try ClaimedFile(at: place.path, status, options: options, onlyReads: true)
        defer { claimed.release() }
        return try StoreMetadata.schema(on: claimed.connection)
    }

    /// Opens the file; nil, and nothing changed, when it has to be upgraded first.
    ///
    /// - Parameters:
    ///   - plan: The steps that are left.
    ///   - isUpgrading: True to upgrade it in place.
    private func open(
        by plan: MigrationPlan?, upgrading isUpgrading: Bool
    ) throws(DataStoreError) -> SQLiteStore? {
        let status = try place.fileOrNew(for: options.file) { (newPath) throws(DataStoreError) in
            try StoreCreation(path: newPath, options: options, schema: schema, plan: plan).run()
        }
        let claimed = try ClaimedFile(at: path, status, options: options)
        do throws(DataStoreError) {
            if let stored = try prepare(claimed, by: plan, upgrading: isUpgrading) {
                claimed.accept()
                return SQLiteStore(claimed, schema: schema, stored: stored)
            }
        } catch {
            claimed.release()
            throw error.about(path: path)
        }
        claimed.release()
        return nil
    }

    /// Checks the store and brings it to the schema; returns its new schema, or nil when it is not to be upgraded
    /// yet.
    private func prepare(
        _ claimed: ClaimedFile, by plan: MigrationPlan?, upgrading isUpgrading: Bool
    ) throws(DataStoreError) -> StoredSchema? {
        let (connection, connector) = (claimed.connection, claimed.connector)
        if options.verification == .structure {
            try connection.untilCancelled("The check of the structure") { () throws(DataStoreError) in
                try connection.requireSoundStructure()
            }
        }
        let stored = try TableAgreement.schema(on: connection)
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        let isUpgrade = migration.stepCount > 0 || migration.touchesRows
        if isUpgrade && !isUpgrading && !options.isReadOnly { return nil }
        // From here on the file is written to.
        if !options.isReadOnly { connector.file.removeNamesOfKilledProcesses() }
        if !claimed.header.usesLog && !options.isReadOnly { try connector.useLog() }
        guard try migration.isDue(inStoreAt: path, isReadOnly: options.isReadOnly) else {
            if stored.hasRelationships { try settleFormat(of: stored, claimed) }
            return stored
        }
        let upgraded = try upgrade(connector, by: plan)
        if upgraded.hasRelationships { try settleFormat(of: upgraded, claimed) }
        return upgraded
    }

    /// Changes the store; its schema is read again with the lock held, as another process may be faster.
    private func upgrade(
        _ connector: StoreConnector, by plan: MigrationPlan?
    ) throws(DataStoreError) -> StoredSchema {
        let connection = try connector.connect(for: .writing)
        defer { connection.close() }
        return try connection.inTransaction { () throws(DataStoreError) in
            let migration = try SchemaMigration(
                from: try StoreMetadata.schema(on: connection), to: schema, by: plan)
            if migration.isNeeded || migration.completesStore {
                try SQLiteSchemaTransaction(connection: connection).run(migration)
            }
            return migration.target
        }
    }

    /// Brings the version of the format from the log into the file's header, which is all that earlier
    /// versions read before they use the store.
    private func settleFormat(
        of stored: StoredSchema, _ claimed: ClaimedFile
    ) throws(DataStoreError) {
        if options.isReadOnly || claimed.header.formatVersion == stored.formatVersion { return }
        let connection = try claimed.connector.connect(for: .writing, keepingLog: true)
        defer { connection.close() }
        sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
}

extension SQLiteOptions {
    func validate(path: String) throws(DataStoreError) {
        guard sqlite3_libversion_number() >= 3_037_000, sqlite3_threadsafe() != 0 else {
            let version = String(cString: sqlite3_libversion())
            throw DataStoreError(
                .unsupported, "SQLite \(version) is too old, or was built for one thread.",
                advice: "Link SQLite 3.37 or newer.", path: path)
        }
        guard (512...65536).contains(pageBytes), pageBytes.nonzeroBitCount == 1 else {
            throw DataStoreError(
                .unsupported, "Pages cannot have \(pageBytes) bytes.",
                advice: "Choose a power of two from 512 to 65536.", path: path)
        }
        try file.requireConsistent(path: path)
    }

    /// Keeps the file from growing beyond the limit.
    func applySizeLimit(to connection: SQLiteConnection) throws(DataStoreError) {
        guard let sizeLimit = file.sizeLimit else { return }
        let pages = sizeLimit / max(1, try connection.integer("PRAGMA page_size"))
        try connection.execute("PRAGMA max_page_count = \(max(1, pages))")
    }
}
