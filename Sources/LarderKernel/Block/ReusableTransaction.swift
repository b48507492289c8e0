/// A transaction that has ended and whose memory a later block may use again.
///
/// The core keeps one for each ``BlockContext`` that has read, and one for the writer of a store.
///
/// *Rule:* used by one thread at a time. `Transaction` is `any StorageReading` or `any StorageWriting`.
struct ReusableTransaction<Transaction> {
    private var ended: Transaction?

    /// Restarts the kept transaction, or makes a new one if there is none or the engine refuses to restart
    /// it.
    ///
    /// The kept one leaves here either way; the caller hands it back by ``keep(_:)`` once it has ended.
    @inline(__always)
    mutating func begin(
        again beginAgain: (Transaction) throws(DataStoreError) -> Bool,
        new begin: () throws(DataStoreError) -> Transaction
    ) throws(DataStoreError) -> Transaction {
        if let ended = ended.take(), try beginAgain(ended) { return ended }
        return try begin()
    }

    /// Keeps a transaction that has ended.
    mutating func keep(_ transaction: consuming Transaction) {
        ended = transaction
    }

    /// Releases the kept transaction, as the store is closing.
    mutating func forget() {
        ended = nil
    }
}
