import LarderVersions
import LarderKernel
import LarderEngine

/// Runs the steps of an upgrade in a copy of the store and puts it in the store's place.
///
/// 1. The copy is made, or one that a killed or cancelled run has left is found by its name.
/// 2. Each step runs in a transaction of its own. The copy keeps the name of its version, so a later run
///    continues after the last step that was whole.
/// 3. The copy is checked and synced.
/// 4. The old file gets the backup's name too, if the app wants one.
/// 5. The logs beside the old file, which are empty, are removed, and the copy gets the store's name. The rename
///    is the only moment that matters: before it, the old store is in its place, and after it the new one.
///
/// *Rule:* no other process can open the store meanwhile.
struct CopiedUpgrade {
    private let store: any UpgradableFile
    private let old: any SoleFile
    private let schema: StoreSchema
    private let plan: MigrationPlan
    private let needs: UpgradeNeeds
    private let migration: SchemaMigration
    private let calls: UpgradeFileCalls

    init(
        of store: any UpgradableFile, _ old: any SoleFile, to schema: StoreSchema, by plan: MigrationPlan,
        migration: SchemaMigration, needs: UpgradeNeeds, calls: UpgradeFileCalls
    ) {
        self.migration = migration
        self.store = store
        self.old = old
        self.schema = schema
        self.plan = plan
        self.needs = needs
        self.calls = calls
    }

    private var path: String { old.file.path }
    private var folder: String { FileAccess.parts(of: path).folder }
    private var suffixes: [String] { store.companionSuffixes }

    func run() throws(DataStoreError) {
        let copy = UpgradeCopy(of: path, state: try state(), companionSuffixes: suffixes)
        copy.discardOthers()
        let copied = store.address.renamed(to: copy.path)
        do throws(DataStoreError) {
            guard let (stored, migration) = try prepare(copy, copied) else { return copy.discard() }
            plan.probe?("copied")
            try takeSteps(in: copied, from: stored)
            try check(copied)
            plan.probe?("checked")
            try swap(copied)
            migration.report()
        } catch {
            // A killed run leaves the copy too, and both are continued.
            if error.code != .cancelled { copy.discard() }
            throw copy.isAbout(error) ? error.naming(store.address.location) : error
        }
    }

    /// Finds the copy that an earlier run has left, or makes it.
    ///
    /// - Returns: The schema of the copy, and the migration to report; nil if there is nothing to do, as
    ///   another process was faster.
    private func prepare(
        _ copy: UpgradeCopy, _ copied: StoreAddress
    ) throws(DataStoreError) -> (StoredSchema, SchemaMigration)? {
        let left = schemaOfUsable(copied)
        try Cancellation.check("The migration")
        if let left { return (left, migration) }
        copy.discard()
        try FreeSpace.require(
            needs.bytesInCopy, for: "The upgrade of the store in a copy", beside: path,
            advice: "upgrade the store in place; nothing was changed.")
        try copy.make { path throws(DataStoreError) in try old.copy(to: path) }
        let stored = try storedSchema(of: copied)
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        return migration.isNeeded ? (stored, migration) : nil
    }

    /// Everything that a copy depends on: the file, its state, and the way.
    private func state() throws(DataStoreError) -> String {
        guard let status = try FileAccess.status(at: path) else {
            throw DataStoreError(.storeFileMoved, "The store's file was moved away.", path: path)
        }
        var text = "\(status.stateText) \(try old.stateNumber())"
        for stage in migration.stages { text += "\n\(stage.step)\n\(SchemaShape(stage.target))" }
        return text
    }

    /// The schema of a copy that is there and sound.
    ///
    /// One that is not was hit by a power failure, and is made again.
    private func schemaOfUsable(_ copied: StoreAddress) -> StoredSchema? {
        guard FileAccess.isTaken(copied.location) else { return nil }
        let adapter = copied.adapter(for: .reading)
        guard let stored = try? adapter.storedSchema(), let schema = try? StoreSchema(of: stored) else {
            return nil
        }
        do throws(DataStoreError) {
            // Texts that other Unicode tables have folded stay, as nothing is written.
            try adapter.open(schema.opened(for: .inspection))
            try adapter.close()
            return stored
        } catch {
            return nil
        }
    }

    // MARK: Steps

    /// Takes the steps that the copy's version still needs.
    private func takeSteps(
        in copied: StoreAddress, from stored: StoredSchema
    ) throws(DataStoreError) {
        let due = try plan.stages(from: stored)
        let all = migration.stages.count
        let finished = max(0, all - due.count)
        var stored = stored
        for (number, stage) in due.enumerated() {
            try Cancellation.check("The migration")
            let isLast = number + 1 == due.count
            stored = try change(
                copied, of: stored, to: isLast ? schema : stage.target,
                by: plan.continued(by: [stage], after: finished + number, of: all))
            plan.probe?("step \(stage.step)")
        }
        if due.isEmpty {
            _ = try change(
                copied, of: stored, to: schema, by: plan.continued(by: [], after: finished, of: all))
        }
    }

    /// Brings the copy to a schema, and checks that no row was lost that the steps keep.
    ///
    /// - Returns: The schema that is stored then.
    private func change(
        _ copied: StoreAddress, of stored: StoredSchema, to schema: StoreSchema, by plan: MigrationPlan
    ) throws(DataStoreError) -> StoredSchema {
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        let kept = migration.keptEntities(of: stored)
        let before = try rowCounts(of: copied, stored, kept)
        // A copy that is gone must not be taken for a new store.
        let adapter = copied.adapter(for: .updating)
        do throws(DataStoreError) {
            try adapter.open(schema, by: plan)
        } catch {
            // A damaged store may give a row twice, of which the steps make two, or a value that none can read.
            let codes: Set<DataStoreError.Code> = [.duplicateIdentifier, .uniqueViolation, .undecodable]
            if codes.contains(error.code), let damage { throw damage }
            throw notOfStore(error, [.damaged, .notADatabase])
        }
        try adapter.close()
        try requireNoLogs(of: copied)
        let after = try rowCounts(of: copied, migration.target, kept)
        for number in kept where before[number] != after[number] {
            throw faulty(
                "It has \(after[number] ?? 0) rows of an item type that had \(before[number] ?? 0).")
        }
        return migration.target
    }

    /// The numbers of rows of some entities, if the copy has this schema.
    private func rowCounts(
        of copied: StoreAddress, _ stored: StoredSchema, _ numbers: Set<Int>
    ) throws(DataStoreError) -> [Int: Int] {
        do throws(DataStoreError) {
            return try copied.adapter(for: .readingQuickly).rowCounts(of: stored, only: numbers)
        } catch {
            throw notOfStore(error, [.damaged, .notADatabase, .schemaMismatch])
        }
    }

    private func storedSchema(of copied: StoreAddress) throws(DataStoreError) -> StoredSchema {
        guard let stored = try copied.adapter(for: .readingQuickly).storedSchema() else {
            throw wrong("It is gone.")
        }
        return stored
    }

    /// Refuses a copy whose last commits could not be written to its file when it was closed.
    private func requireNoLogs(of copied: StoreAddress) throws(DataStoreError) {
        for suffix in store.stateSuffixes {
            guard let log = try FileAccess.status(at: copied.location + suffix), log.byteCount > 0 else {
                continue
            }
            // Space for a part of it may be left.
            let lacksSpace = FreeSpace.beside(path).map { $0 < log.byteCount } ?? false
            throw DataStoreError(
                lacksSpace || FileAccess.hasNoRoom(at: path) ? .storeFull : .inputOutput,
                "The log of the upgraded copy could not be written to its file.", path: copied.location)
        }
    }

    // MARK: The end

    /// Checks the structure of every page, and that nothing is left to be done.
    private func check(_ copied: StoreAddress) throws(DataStoreError) {
        let adapter = copied.adapter(for: .reading)
        do throws(DataStoreError) {
            try adapter.open(schema)
            try adapter.close()
        } catch {
            try? adapter.close()
            throw notOfStore(error, [.damaged, .notADatabase, .schemaMismatch])
        }
    }

    /// An error without the code of a store that cannot be used, which the app may have asked to set aside: it is the
    /// copy that is wrong.
    ///
    /// If the old store is damaged too, that is the error.
    private func notOfStore(_ error: DataStoreError, _ codes: Set<DataStoreError.Code>) -> DataStoreError {
        codes.contains(error.code) ? faulty(error.message) : error
    }

    /// The error for a copy that differs from what was written, or for an old store that is damaged.
    private func faulty(_ sentence: String) -> DataStoreError {
        damage ?? wrong(sentence)
    }

    /// The damage of the old store; nil if there is none.
    private var damage: DataStoreError? {
        DamageSearch(of: old, store).damage().map { $0.naming(store.address.location) }
    }

    private func wrong(_ sentence: String) -> DataStoreError {
        DataStoreError(
            .inputOutput, "The upgraded copy of the store is wrong: \(sentence)",
            advice: "Repeat the call, and check the disk if it fails again; the old store is in its place.",
            path: path)
    }

    private func swap(_ copied: StoreAddress) throws(DataStoreError) {
        for suffix in suffixes { try FileAccess.remove(copied.location + suffix) }
        try FileAccess.adoptPermissions(of: path, for: copied.location)
        try FileAccess.synchronize(copied.location)
        try old.file.requireInPlace()
        let backup = try makeBackup()
        // A killed run that was to keep the old store may have begun to.
        if backup == nil { try UpgradeBackup.discard(of: path, old.file.identity) }
        // The first name of the old store would keep it, and so would one from a setting aside that was killed.
        NewFile(at: path).removeAbandoned()
        try UnfinishedSetAside.discard(
            of: path, old.file.identity, keepingLogs: old.file.logSuffixes)
        do throws(DataStoreError) {
            try old.file.requireInPlace()
            for suffix in store.stateSuffixes { try FileAccess.remove(path + suffix) }
            // A log that comes back after a power failure would be taken for the new file's, and a backup's
            // name must not come later than the copy gets the store's.
            if backup != nil || !store.stateSuffixes.isEmpty { try FileAccess.synchronize(folder) }
            plan.probe?("named")
            try old.replace(by: copied.location)
        } catch {
            // A second name of the store that stays would change with it.
            if let backup, FileAccess.isFile(old.file.identity, at: path) {
                try? FileAccess.remove(backup.location)
            }
            throw error
        }
        plan.probe?("swapped")
        if let backup, case .copying(let report?) = plan.mode { report(backup) }
        try synchronizeFolder()
    }

    /// Keeps the old store under a second name, if that is asked for.
    private func makeBackup() throws(DataStoreError) -> SchemaBackup? {
        guard case .copying(.some) = plan.mode else { return nil }
        return SchemaBackup(location: try UpgradeBackup(of: old, companionSuffixes: suffixes, calls).make())
    }

    /// Waits until the new name of the copy is on the disk.
    private func synchronizeFolder() throws(DataStoreError) {
        do throws(DataStoreError) {
            try calls.synchronizeFolder(folder)
        } catch {
            throw DataStoreError(
                error.code,
                "The upgraded store is in its place, but its folder could not be synced: \(error.message)",
                advice: """
                    Check the disk, and open the store again; after a power failure the version from before may be in \
                    its place.
                    """, path: path, underlying: error.underlying)
        }
    }
}
