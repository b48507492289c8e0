/// A transaction of an earlier block, kept to begin again where the engine lets it.
///
/// *Rule:* used by one thread at a time. `Transaction` is `any StorageReading` or `any StorageWriting`.
struct EndedTransaction<Transaction> {
    private var ended: Transaction?

    /// Begins the kept transaction again, or a new one, which is kept from now on.
    ///
    /// - Throws: What beginning throws; nothing is kept then.
    @inline(__always)
    mutating func begin(
        again beginAgain: (Transaction) throws(DataStoreError) -> Bool,
        anew begin: () throws(DataStoreError) -> Transaction
    ) throws(DataStoreError) -> Transaction {
        if let known = ended.take(), try beginAgain(known) {
            ended = known
            return known
        }
        let begun = try begin()
        ended = begun
        return begun
    }

    /// Lets go of it.
    mutating func forget() {
        ended = nil
    }
}
