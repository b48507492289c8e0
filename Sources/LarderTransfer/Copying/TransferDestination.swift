import LarderKernel
import LarderEngine

/// The store that a transfer or an import fills: new, or begun by the same one.
struct TransferDestination {
    let address: StoreAddress
    /// The item types it is to have.
    let schema: StoreSchema
    /// The source of the items.
    let source: StoreReference

    private var mark: StoredSchema.Transfer {
        StoredSchema.Transfer(source: source, isComplete: false, digests: [])
    }

    /// True if an earlier run has begun it.
    ///
    /// - Throws: `.destinationExists` or `.incompleteTransfer` when something else is in the place;
    ///   `.sourceChanged` when the source had other item types then.
    func isBegun() throws(DataStoreError) -> Bool {
        guard let stored = try storedSchema(), stored != .empty else { return false }
        do {
            let schema = schema.opened(for: .filling(mark))
            let evolution = try SchemaEvolution(from: stored, to: schema)
            if !evolution.isNeeded, stored.entities.count == schema.entities.count { return true }
        } catch {
            if error.code != .schemaMismatch { throw error.about(path: address.location) }
        }
        throw DataStoreError(
            .sourceChanged, "The source had other item types when the transfer was begun.",
            path: address.location)
    }

    private func storedSchema() throws(DataStoreError) -> StoredSchema? {
        do {
            return try address.storedSchema()
        } catch {
            guard error.code == .storeMoved else { throw error }
            throw DataStoreError(
                .destinationExists, "The note about a moved store is in this place. \(error.message)",
                advice: "Choose another place, or delete the note if no app opens that name any more.",
                path: address.location)
        }
    }

    /// Opens it to be filled.
    func open() throws(DataStoreError) -> any StorageAdapter {
        let adapter = address.adapter(for: .writing)
        try adapter.open(schema.opened(for: .filling(mark)))
        return adapter
    }

    /// Takes the mark away, in one commit.
    func complete(with digests: [EntityDigest]) throws(DataStoreError) {
        let transfer = StoredSchema.Transfer(source: source, isComplete: true, digests: digests)
        let adapter = address.adapter(for: .writing)
        try adapter.open(schema.opened(for: .finishing(transfer)))
        try adapter.close()
    }
}
