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
                if canCopy(needs), try copy(stored, by: plan, needs) {
                    migration.report()
                    return true
                }
            case .copying:
                try requireFolder()
                if try copy(stored, by: plan, needs) {
                    migration.report()
                    return true
                }
                throw DataStoreError(
                    .busy, "Another process has the store open, which must be replaced by its next version.",
                    advice: "Repeat the call when it has closed the store, or upgrade it in place.",
                    path: address.location)
            }
        }
        try FreeSpace.require(
            needs.bytesInPlace, for: "The upgrade of the store", beside: address.location,
            advice: "move the store to a larger disk; nothing was changed.")
        if let path = try? FileAccess.resolved(address.location) {
            UpgradeCopy.discardAll(of: path, companionSuffixes: Array(address.fileSuffixes.dropFirst()))
        }
        return false
    }

    private func copy(
        _ stored: StoredSchema, by plan: MigrationPlan, _ needs: UpgradeNeeds
    ) throws(DataStoreError) -> Bool {
        let stages = try plan.stages(from: stored)
        return try store.whileAlone { sole throws(DataStoreError) in
            try CopiedUpgrade(of: store, sole, to: schema, by: plan, stages: stages, needs: needs).run()
        }
    }

    private var folder: String {
        let path = store.address.location
        return FileAccess.parts(of: (try? FileAccess.resolved(path)) ?? path).folder
    }

    private func canCopy(_ needs: UpgradeNeeds) -> Bool {
        FileAccess.canMakeFiles(in: folder)
            && FreeSpace.beside(store.address.location).map { $0 >= needs.bytesInCopy } ?? true
    }

    private func requireFolder() throws(DataStoreError) {
        if FileAccess.canMakeFiles(in: folder) { return }
        throw DataStoreError(
            .permissionDenied, "The store cannot be copied, as no file can be made in the folder \(folder).",
            advice: "Let the process write to the folder, or upgrade the store in place.",
            path: store.address.location)
    }
}
