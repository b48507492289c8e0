import LarderKernel
import LarderEngine

/// Finds out whether a store is damaged of which a copy has turned out to be wrong, in its pages or in its rows.
///
/// The rows are read in another copy, as no store can open the file meanwhile.
struct DamageSearch {
    private let old: any SoleFile
    private let store: any UpgradableFile

    init(of old: any SoleFile, _ store: any UpgradableFile) {
        self.old = old
        self.store = store
    }

    /// The damage; nil if there is none, or it cannot be looked for.
    ///
    /// *Cost:* copies the store, and reads everything.
    func damage() -> DataStoreError? {
        do throws(DataStoreError) {
            try old.requireSound()
            let copy = UpgradeCopy(
                of: old.file.path, state: "damage", companionSuffixes: store.companionSuffixes)
            defer { copy.discard() }
            try copy.make { path throws(DataStoreError) in try old.copy(to: path) }
            try requireRows(in: store.address.renamed(to: copy.path))
            return nil
        } catch {
            return error.code == .damaged ? error : nil
        }
    }

    private func requireRows(in copied: StoreAddress) throws(DataStoreError) {
        let adapter = copied.adapter(for: .readingQuickly)
        guard let stored = try adapter.storedSchema() else { return }
        let schema = try StoreSchema(of: stored)
        try adapter.open(schema.opened(for: .inspection))
        defer { try? adapter.close() }
        let reading = try adapter.beginReading()
        defer { reading.end() }
        var invariants = StoreInvariants(of: schema, in: reading)
        try invariants.check()
        guard let problem = invariants.problems.first else { return }
        throw DataStoreError(.damaged, "The store is damaged: \(problem)", path: copied.location)
    }
}
