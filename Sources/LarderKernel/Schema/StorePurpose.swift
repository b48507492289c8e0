/// The purpose of opening a store, by which `SchemaEvolution` treats a store that a transfer is filling.
///
/// It travels in the schema, so that no adapter has to know of it.
package enum StorePurpose: Sendable, Hashable {
    /// For an app; a store that is not complete is refused.
    case app
    /// For the changes of a child, in which values may clash until the merge.
    case staging
    /// To be read by a tool, complete or not.
    case inspection
    /// To be filled by a transfer: a new store, or one that the same transfer has begun.
    case filling(StoredSchema.Transfer)
    /// To be declared complete.
    case finishing(StoredSchema.Transfer)

    /// The transfer recorded in the store once it is open.
    ///
    /// - Throws: `.incompleteTransfer`, `.destinationExists`.
    package func transfer(into stored: StoredSchema) throws(DataStoreError) -> StoredSchema.Transfer? {
        switch self {
        case .inspection: return stored.transfer
        case .finishing(let transfer): return transfer
        case .app, .staging:
            if let transfer = stored.transfer, !transfer.isComplete { throw transfer.incomplete() }
            return stored.transfer
        case .filling(let transfer):
            if stored == .empty { return transfer }
            guard let begun = stored.transfer, !begun.isComplete else {
                throw DataStoreError(.destinationExists, "A store already exists in this place.")
            }
            // Kept unchanged, with its location: the store is where it was begun, whatever the place is
            // called now.
            guard begun.source.isSameStore(as: transfer.source) else {
                throw begun.isNot(of: transfer.source)
            }
            return begun
        }
    }
}

extension StoredSchema {
    /// The stored record of the transfer that has filled a store, or is filling it.
    public struct Transfer: Hashable, Sendable {
        /// The source of the items.
        public var source: StoreReference
        /// True if everything has been copied and verified.
        public var isComplete: Bool
        /// The digests of the copied items; empty until it is complete.
        public var digests: [EntityDigest]

        public init(source: StoreReference, isComplete: Bool, digests: [EntityDigest]) {
            self.source = source
            self.isComplete = isComplete
            self.digests = digests
        }

        package func incomplete() -> DataStoreError {
            DataStoreError(
                .incompleteTransfer, "The store is an unfinished copy of \(source).",
                advice: """
                    Finish it by running the same transfer or import again, or delete it with destroy() or with \
                    all its files.
                    """)
        }

        /// The error for a transfer from another store than the one this was begun from.
        fileprivate func isNot(of other: StoreReference) -> DataStoreError {
            DataStoreError(
                .incompleteTransfer,
                "The store in the place of the copy is an unfinished copy of \(source), not of \(other).",
                advice: """
                    Delete the unfinished copy with destroy() or with all its files, and run this transfer again; \
                    or finish it from the store it was begun from.
                    """)
        }
    }
}
