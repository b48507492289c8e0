import LarderVersions
package import LarderKernel
import LarderEngine

/// Makes ready for the steps that bring a store in a file to the app's schema, and runs them in a copy if
/// the plan asks for that.
///
///     let isDone = try FileUpgrade(of: file, to: schema, by: plan).run()
///
/// Called by an adapter that has found a change to be due, before it changes anything.
package struct FileUpgrade {
    private let store: any UpgradableFile
    private let schema: StoreSchema
    private let plan: MigrationPlan?
    private let calls: UpgradeFileCalls

    /// - Parameter store: Not open in this process.
    package init(
        of store: any UpgradableFile, to schema: StoreSchema, by plan: MigrationPlan?,
        calls: UpgradeFileCalls = UpgradeFileCalls()
    ) {
        self.store = store
        self.schema = schema
        self.plan = plan
        self.calls = calls
    }

    /// Checks that there is room, and runs the steps in a copy that takes the store's place.
    ///
    /// - Returns: True if that was done; false if the steps should run in place.
    /// - Throws: `.storeFull`; `.busy`; `.permissionDenied`, `.unsupported` if a copy was asked for and cannot
    ///   take the store's place; as `SchemaMigration`; `.inputOutput` when the copy differs from what was written.
    ///   The old store is in its place then, unless the error says that the new one is.
    package func run() throws(DataStoreError) -> Bool {
        if plan?.isPrepared == true { return false }
        let address = store.address
        let adapter = address.adapter(for: .readingQuickly)
        guard let stored = try adapter.storedSchema() else { return false }
        let migration = try SchemaMigration(from: stored, to: schema, by: plan)
        let storeBytes = try address.fileBytes()
        var needs = UpgradeNeeds(
            of: migration, counts: try rowCounts(of: stored, by: adapter, only: migration.touchedEntities),
            storeBytes: storeBytes)
        if let plan, needs.isCopied(by: plan.mode) {
            // The room for a copy depends on the share of the rows that are touched.
            needs = UpgradeNeeds(
                of: migration, counts: try rowCounts(of: stored, by: adapter), storeBytes: storeBytes)
            let place = UpgradePlace(of: address)
            switch plan.mode {
            case .inPlace: break
            case .automatic:
                if place.canCopy(needs), try copy(by: plan, migration, needs) { return true }
            case .copying:
                try place.requireReplaceable(or: "upgrade the store in place")
                if try copy(by: plan, migration, needs) { return true }
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
        let place = UpgradePlace(of: store.address)
        if UpgradeCopy.bytes(of: place.path) == 0 { return }
        _ = try store.whileAlone { _ throws(DataStoreError) in
            place.discardLeftovers(companionSuffixes: store.companionSuffixes)
        }
    }

    /// The numbers of rows of some entities, or of all.
    ///
    /// - Throws: As ``requireUnchanged(_:)``, if the store does not have the schema.
    private func rowCounts(
        of stored: StoredSchema, by adapter: any StorageAdapter, only numbers: Set<Int>? = nil
    ) throws(DataStoreError) -> [Int: Int] {
        do throws(DataStoreError) {
            return try adapter.rowCounts(of: stored, only: numbers)
        } catch {
            if [.schemaMismatch, .schemaChanged].contains(error.code) { try requireUnchanged(stored) }
            throw error
        }
    }

    /// - Throws: `.storeFileMoved` if the store is not what it was any more, so that the opening begins again.
    private func requireUnchanged(_ stored: StoredSchema) throws(DataStoreError) {
        if try store.address.adapter(for: .readingQuickly).storedSchema() == stored { return }
        throw DataStoreError(
            .storeFileMoved, "Another process has upgraded the store.",
            advice: "Open the store again.", path: store.address.location)
    }

    private func copy(
        by plan: MigrationPlan, _ migration: SchemaMigration, _ needs: UpgradeNeeds
    ) throws(DataStoreError) -> Bool {
        try store.whileAlone { sole throws(DataStoreError) in
            try CopiedUpgrade(
                of: store, sole, to: schema, by: plan, migration: migration, needs: needs, calls: calls
            ).run()
        }
    }
}

/// The calls of an upgrade to the file system that tests replace.
package struct UpgradeFileCalls: Sendable {
    /// As ``FileAccess/makeLink(_:to:)``.
    package var addLink: @Sendable (_ newPath: String, _ path: String) throws(DataStoreError) -> Bool? =
        FileAccess.makeLink
    /// As ``FileAccess/synchronize(_:)``, for the folder once the copy is in the store's place.
    package var synchronizeFolder: @Sendable (String) throws(DataStoreError) -> Void = FileAccess.synchronize

    package init() {}
}
