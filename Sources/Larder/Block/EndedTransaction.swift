/// A transaction of an earlier block, kept to begin again where the engine lets it.
///
/// *Rule:* used by one thread at a time. `Transaction` is `any StorageReading` or `any StorageWriting`.
struct EndedTransaction<Transaction> {
    private var ended: Transaction?

    /// Begins the kept transaction again, or a new one, which the caller may ``keep(_:)``.
    @inline(__always)
    mutating func begin(
        again beginAgain: (Transaction) throws(DataStoreError) -> Bool,
        anew begin: () throws(DataStoreError) -> Transaction
    ) throws(DataStoreError) -> Transaction {
        if let known = ended.take(), try beginAgain(known) { return known }
        return try begin()
    }

    /// Keeps a transaction, to begin again once it has ended.
    mutating func keep(_ transaction: consuming Transaction) {
        ended = transaction
    }

    /// Lets go of it.
    mutating func forget() {
        ended = nil
    }
}
