/// The transaction of a block, and the memory of one that has ended.
///
/// *Rule:* one of a ``BlockContext``, and as it used on the thread of its block.
struct BlockTransaction {
    /// The only reference that keeps the transaction; nil before it begins, and while a request uses it.
    private var kept: (any StorageReading)?
    // reason for unowned(unsafe), here and below: set for as long as `kept`, or a request that uses it, keeps it.
    /// The transaction from its beginning to its end, for requests that are made inside another.
    private unowned(unsafe) var running: (any StorageReading)?
    /// The same if it writes.
    private unowned(unsafe) var writing: (any StorageWriting)?
    /// True if nothing was read or written in the transaction.
    private(set) var isUntouched = true
    private var reusable = ReusableTransaction<any StorageReading>()

    /// True from the beginning to the end.
    var hasBegun: Bool { running != nil }

    var isWriting: Bool { writing != nil }

    /// Takes the transaction out for a request, or takes the one that a request around it uses; nil if none has
    /// begun.
    @inline(__always)
    mutating func take() -> (any StorageReading)? {
        isUntouched = false
        if let begun = kept.take() { return begun }
        return running
    }

    /// Takes it for read: code of the app runs that may read in it.
    mutating func noteSeen() {
        isUntouched = false
    }

    @inline(__always)
    mutating func putBack(_ snapshot: consuming any StorageReading) {
        kept = consume snapshot
    }

    /// The write transaction, to change rows; nil if none has begun.
    @inline(__always)
    mutating func takeWriting() -> (any StorageWriting)? {
        isUntouched = false
        return writing
    }

    /// Begins to read, with the memory of an ended transaction if the engine can restart it.
    ///
    /// The caller puts the transaction back.
    mutating func begin(
        new: () throws(DataStoreError) -> any StorageReading
    ) throws(DataStoreError) -> any StorageReading {
        let snapshot = try reusable.begin(
            again: { ended throws(DataStoreError) in try ended.beginAgain() }, new: new)
        running = snapshot
        return snapshot
    }

    mutating func begin(_ begun: any StorageWriting) {
        kept = begun
        running = begun
        writing = begun
        isUntouched = true
    }

    /// Gives up the write transaction, which the caller commits; nil if none has begun or a request uses it.
    mutating func leaveWriting() -> (any StorageWriting)? {
        guard let writing, kept.take() != nil else { return nil }
        running = nil
        self.writing = nil
        return writing
    }

    /// Ends the transaction; its changes are undone.
    ///
    /// - Returns: The write transaction, if it is one.
    mutating func end() -> (any StorageWriting)? {
        guard let ended = kept.take() else { return nil }
        ended.end()
        running = nil
        guard let writing else {
            reusable.keep(ended)
            return nil
        }
        self.writing = nil
        return writing
    }

    /// Releases the ended transaction.
    mutating func forget() {
        reusable.forget()
    }
}
