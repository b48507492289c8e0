package import LarderKernel

// The transactions on one open file pass a gate of their own, below the store's: tools read beside the
// blocks that are counted there.
extension ReaderGate {
    /// Takes a place for a reading.
    ///
    /// *Rule:* called with the lock held.
    /// - Throws: `.closed`.
    package func enterReading() throws(DataStoreError) {
        guard enter(.reading) else { throw .usedAfterClose }
    }

    /// Keeps gaps away until ``leaveAsWriter()``, as a reading does.
    ///
    /// - Throws: `.closed`.
    package func enterAsWriter() throws(DataStoreError) {
        let isInside = withLock { enter(.other) }
        if !isInside { throw .usedAfterClose }
    }

    package func leaveAsWriter() {
        withLock { leave(.other) }
    }

    /// Lets nothing in from now on.
    ///
    /// *Rule:* called with the lock held.
    /// - Throws: `.nestedTransaction` while anything is inside; the gate stays open then.
    package func closeWhenEmpty(path: String) throws(DataStoreError) {
        guard count == 0 else {
            throw DataStoreError(
                .nestedTransaction, "The store cannot be closed while \(count) transactions are open.",
                path: path)
        }
        close()
    }
}

extension DataStoreError {
    /// The error for a transaction of a store that has been closed meanwhile.
    static var usedAfterClose: DataStoreError {
        DataStoreError(.closed, "The store was used after it had been closed.")
    }
}
