package import Larder
import LarderEngine

/// Makes ready for the steps that bring a store in a file to the app's schema, and runs them in a copy where
/// the plan asks for that.
///
///     let isDone = try FileUpgrade(of: file, to: schema, by: plan).run()
///
/// Called by an adapter that has found a change to be due, before it changes anything.
package struct FileUpgrade {
    private let store: any UpgradableFile
    private let schema: StoreSchema
    private let plan: MigrationPlan?

    /// - Parameter store: Not open in this process.
    package init(of store: any UpgradableFile, to schema: StoreSchema, by plan: MigrationPlan?) {
        self.store = store
        self.schema = schema
        self.plan = plan
    }

    /// Checks that there is room, and runs the steps in a copy that takes the store's place.
    ///
    /// - Returns: True if that was done; false if the steps should run in place.
    /// - Throws: `.storeFull`; `.busy`; `.permissionDenied`; as `SchemaMigration`; `.inputOutput` when the copy
    ///   differs from what was written. The old store is in its place then.
    package func run() throws(DataStoreError) -> Bool {
        if plan?.isPrepared == true { return false }
        let address = store.address
        let adapter = address.adapter(for: .readingQuickly)
        guard let stored = try adapter.storedSchema() else { return false }
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        let needs = UpgradeNeeds(
            of: migration, counts: migration.touchesRows ? try adapter.rowCounts(of: stored) : [:],
            storeBytes: try address.fileBytes())
        if let plan, needs.isCopied(by: plan.mode) {
            switch plan.mode {
            case .inPlace: break
            case .automatic:
                if canCopy(needs), try copy(stored, by: plan, migration, needs) { return true }
            case .copying:
                try requireFolder()
                if try copy(stored, by: plan, migration, needs) { return true }
                // Another process may have upgraded it while this one waited.
                try requireUnchanged(stored)
                throw DataStoreError(
                    .busy, "Another process has the store open, which must be replaced by its next version.",
                    advice: "Repeat the call when it has closed the store, or upgrade it in place.",
                    path: address.location)
            }
        }
        try discardCopies()
        try FreeSpace.require(
            needs.leastBytesInPlace, for: "The upgrade of the store", beside: address.location,
            advice: "move the store to a larger disk; nothing was changed.")
        return false
    }

    /// Removes what killed upgrades in a copy have left, which this one will not continue.
    ///
    /// Only while no other process can be working in it.
    private func discardCopies() throws(DataStoreError) {
        if UpgradeCopy.bytes(of: path) == 0 { return }
        _ = try store.whileAlone { _ throws(DataStoreError) in
            UpgradeCopy.discardAll(of: path, companionSuffixes: store.companionSuffixes)
        }
    }

    /// - Throws: `.storeFileMoved` where the store is not what it was any more, so that the opening begins again.
    private func requireUnchanged(_ stored: StoredSchema) throws(DataStoreError) {
        if try store.address.adapter(for: .readingQuickly).storedSchema() == stored { return }
        throw DataStoreError(
            .storeFileMoved, "Another process has upgraded the store.",
            advice: "Open the store again.", path: store.address.location)
    }

    private func copy(
        _ stored: StoredSchema, by plan: MigrationPlan, _ migration: SchemaMigration, _ needs: UpgradeNeeds
    ) throws(DataStoreError) -> Bool {
        let stages = try plan.stages(from: stored)
        return try store.whileAlone { sole throws(DataStoreError) in
            try CopiedUpgrade(
                of: store, sole, to: schema, by: plan, stages: stages, migration: migration, needs: needs
            ).run()
        }
    }

    private var path: String {
        let path = store.address.location
        return (try? FileAccess.resolved(path)) ?? path
    }

    private var folder: String { FileAccess.parts(of: path).folder }

    /// True if the copy can take the store's place: the file is the user's own, as the copy will be, and there is
    /// room, with that of a copy which a killed run has left.
    private func canCopy(_ needs: UpgradeNeeds) -> Bool {
        guard FileAccess.canMakeFiles(in: folder), FileAccess.isOwn(path) else { return false }
        guard let free = FreeSpace.beside(path) else { return true }
        return free + UpgradeCopy.bytes(of: path) >= needs.bytesInCopy
    }

    private func requireFolder() throws(DataStoreError) {
        if FileAccess.canMakeFiles(in: folder) { return }
        throw DataStoreError(
            .permissionDenied, "The store cannot be copied, as no file can be made in the folder \(folder).",
            advice: "Let the process write to the folder, or upgrade the store in place.",
            path: store.address.location)
    }
}
