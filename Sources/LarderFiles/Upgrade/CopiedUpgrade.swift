import Larder
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
    private let stages: [MigrationPlan.Stage]

    /// - Parameter stages: The way from the old store to the schema.
    init(
        of store: any UpgradableFile, _ old: any SoleFile, to schema: StoreSchema, by plan: MigrationPlan,
        stages: [MigrationPlan.Stage], migration: SchemaMigration, needs: UpgradeNeeds
    ) {
        self.migration = migration
        self.store = store
        self.old = old
        self.schema = schema
        self.plan = plan
        self.needs = needs
        self.stages = stages
    }

    private var path: String { old.file.path }
    private var suffixes: [String] { store.companionSuffixes }

    func run() throws(DataStoreError) {
        let copy = UpgradeCopy(of: path, state: try state(), companionSuffixes: suffixes)
        copy.discardOthers()
        let copied = store.address.renamed(to: copy.path)
        do throws(DataStoreError) {
            let isLeft = isUsable(copied)
            try Cancellation.check("The migration")
            if !isLeft { copy.discard() }
            var migration = migration
            if !isLeft {
                try FreeSpace.require(
                    needs.bytesInCopy, for: "The upgrade of the store in a copy", beside: path,
                    advice: "upgrade the store in place; nothing was changed.")
                try copy.make { path throws(DataStoreError) in try old.copy(to: path) }
                // Another process may have been faster.
                migration = try SchemaMigration(from: storedSchema(of: copied), to: schema, by: plan)
                if !migration.isNeeded { return copy.discard() }
            }
            plan.probe?("copied")
            try takeSteps(in: copied)
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

    /// Everything that a copy depends on: the file, its state, and the way.
    private func state() throws(DataStoreError) -> String {
        guard let status = try FileAccess.status(at: path) else {
            throw DataStoreError(.storeFileMoved, "The store's file was moved away.", path: path)
        }
        var text = "\(status.stateText) \(try old.stateNumber())"
        for stage in stages { text += "\n\(stage.step)\n\(SchemaShape(stage.target))" }
        return text
    }

    /// True if a copy is there and sound.
    ///
    /// One that is not was hit by a power failure, and is made again.
    private func isUsable(_ copied: StoreAddress) -> Bool {
        guard FileAccess.isTaken(copied.location) else { return false }
        let adapter = copied.adapter(for: .reading)
        guard let stored = try? adapter.storedSchema(), let schema = try? StoreSchema(of: stored) else {
            return false
        }
        do throws(DataStoreError) {
            try adapter.open(schema)
            try adapter.close()
            return true
        } catch {
            return false
        }
    }

    // MARK: Steps

    /// Takes the steps that the copy's version still needs.
    private func takeSteps(in copied: StoreAddress) throws(DataStoreError) {
        let stored = try storedSchema(of: copied)
        let due = try plan.stages(from: stored)
        let finished = max(0, stages.count - due.count)
        for (number, stage) in due.enumerated() {
            try Cancellation.check("The migration")
            try change(
                copied, to: number + 1 < due.count ? stage.target : schema,
                by: plan.continued(by: [stage], after: finished + number, of: stages.count))
            plan.probe?("step \(stage.step)")
        }
        if due.isEmpty {
            try change(copied, to: schema, by: plan.continued(by: [], after: finished, of: stages.count))
        }
    }

    /// Brings the copy to a schema, and checks that no row was lost that the steps keep.
    private func change(
        _ copied: StoreAddress, to schema: StoreSchema, by plan: MigrationPlan
    ) throws(DataStoreError) {
        let stored = try storedSchema(of: copied)
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        let kept = migration.keptEntities(of: stored)
        let before = try copied.adapter(for: .readingQuickly).rowCounts(of: stored)
        // A copy that is gone must not be taken for a new store.
        let adapter = copied.adapter(for: .updating)
        do throws(DataStoreError) {
            try adapter.open(schema, by: plan)
        } catch {
            throw notOfStore(error, [.damaged, .notADatabase])
        }
        try adapter.close()
        try requireNoLogs(of: copied)
        let reached = try storedSchema(of: copied)
        let after = try copied.adapter(for: .readingQuickly).rowCounts(of: reached)
        for number in kept where before[number] != after[number] {
            throw differs(
                "It has \(after[number] ?? 0) rows of an item type that had \(before[number] ?? 0).")
        }
    }

    private func storedSchema(of copied: StoreAddress) throws(DataStoreError) -> StoredSchema {
        guard let stored = try copied.adapter(for: .readingQuickly).storedSchema() else {
            throw differs("It is gone.")
        }
        return stored
    }

    /// Refuses a copy whose last commits could not be written to its file when it was closed.
    private func requireNoLogs(of copied: StoreAddress) throws(DataStoreError) {
        for suffix in store.logSuffixes {
            guard let log = try FileAccess.status(at: copied.location + suffix), log.byteCount > 0 else {
                continue
            }
            throw DataStoreError(
                FileAccess.hasNoRoom(at: path) ? .storeFull : .inputOutput,
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
    private func notOfStore(_ error: DataStoreError, _ codes: Set<DataStoreError.Code>) -> DataStoreError {
        codes.contains(error.code) ? differs(error.message) : error
    }

    private func differs(_ sentence: String) -> DataStoreError {
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
        do throws(DataStoreError) {
            try old.file.requireInPlace()
            for suffix in store.logSuffixes { try FileAccess.remove(path + suffix) }
            // A log that comes back after a power failure would be taken for that of the new file.
            if !store.logSuffixes.isEmpty { try FileAccess.synchronize(FileAccess.parts(of: path).folder) }
            plan.probe?("named")
            try FileAccess.replace(path, by: copied.location)
        } catch {
            // A second name of the store that stays would change with it.
            if let backup, FileAccess.isFile(old.file.identity, at: path) {
                try? FileAccess.remove(backup.location)
            }
            throw error
        }
        plan.probe?("swapped")
        if let backup, case .copying(let report?) = plan.mode { report(backup) }
    }

    /// Keeps the old store under a second name, where that is asked for.
    private func makeBackup() throws(DataStoreError) -> SchemaBackup? {
        guard case .copying(.some) = plan.mode else { return nil }
        var number = 1
        while true {
            let name = "\(path).backup-\(number)"
            // A run that was killed at this point has left the name already.
            var isThere = FileAccess.isFile(old.file.identity, at: name)
            if !isThere { isThere = try addName(name) }
            if isThere { return SchemaBackup(location: name) }
            number += 1
        }
    }

    /// Gives the old file another name; where the file system has no hard links, a copy of it.
    private func addName(_ name: String) throws(DataStoreError) -> Bool {
        if let isDone = try FileAccess.makeLink(name, to: path) { return isDone }
        if FileAccess.isTaken(name) { return false }
        return try NewFile(at: name, companionSuffixes: suffixes).make { path throws(DataStoreError) in
            try old.copy(to: path)
        }
    }
}
