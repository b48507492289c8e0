import LarderKernel

/// Judges unique values a second time, as each entry of a unique index is written.
///
/// The core has judged the values before. Should it ever be wrong, the commit is refused and nothing is stored. Until then
/// two items may have one value: the next change may take it from one of them.
///
/// *Cost:* ``KeyValueTransaction/hasSeveral(beginningWith:in:)`` once for each entry, and two or three times more if it
/// had a twin.
struct UniqueEntries {
    private let transaction: any KeyValueTransaction
    private let isJudging: Bool
    /// The keys that had a twin when they were written.
    private var suspects: [Suspect] = []
    /// The number of suspects at which those are dropped that have no twin any more.
    private var limit = 1000

    private struct Suspect {
        let entity: Int
        let index: IndexTable
        let key: [UInt8]
    }

    /// - Parameter schema: The schema; for a child's, nothing is judged, as the merge judges the changes.
    init(_ transaction: any KeyValueTransaction, _ schema: StoreSchema) {
        self.transaction = transaction
        isJudging = schema.purpose != .staging
    }

    /// Notes an entry that was just written if another item has the same values.
    mutating func note(
        _ key: UnsafeRawBufferPointer, _ index: IndexTable, of entity: Int
    ) throws(DataStoreError) {
        guard isJudging, try hasTwin(key, index) else { return }
        suspects.append(Suspect(entity: entity, index: index, key: Array(key)))
        guard suspects.count >= limit else { return }
        try judge()
        // Twice as many, so that each is judged a few times, however many there are.
        limit = 2 * suspects.count + 1000
    }

    /// The item types and indexes in which two items have the same values.
    mutating func doubtful() throws(DataStoreError) -> [(entity: Int, index: IndexTable)] {
        try judge()
        return suspects.map { ($0.entity, $0.index) }
    }

    /// Drops the suspects that have no twin any more.
    private mutating func judge() throws(DataStoreError) {
        var left: [Suspect] = []
        for suspect in suspects {
            let key = ByteBuffer()
            suspect.key.withUnsafeBytes { key.append($0) }
            if try hasTwin(key.bytes, suspect.index) { left.append(suspect) }
        }
        suspects = left
    }

    /// Forgets everything, at the end of the transaction.
    mutating func end() {
        suspects = []
        limit = 1000
    }

    /// True if the index has this entry, and one of another item with the same values.
    ///
    /// Values that are nil never clash, and those that are cut in the key are left to the core alone.
    private func hasTwin(
        _ key: UnsafeRawBufferPointer, _ index: IndexTable
    ) throws(DataStoreError) -> Bool {
        guard index.form.isComplete, !index.form.holdsNil(key) else { return false }
        let start = try index.form.identifierStart(in: key)
        guard start.extent != .cut else { return false }
        return try transaction.hasSeveral(
            beginningWith: UnsafeRawBufferPointer(rebasing: key[..<start.offset]), in: index.entries)
    }
}
