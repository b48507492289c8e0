/// The calls of a store to its engine, which tests count and let fail.
public enum EngineCall: String, Sendable, Hashable, CaseIterable {
    /// Opens the store, and creates it if it does not exist; once for each `setup()`.
    case open
    /// Deletes the store.
    case destroy
    /// Begins the snapshot of a read block, at its first request.
    case beginReading
    /// Begins the transaction of a write block, or of several that share a commit.
    case beginWriting
    /// Looks up a row by its identifier, or up to a thousand rows by theirs.
    case lookUp
    /// Begins to read the rows of a request.
    case request
    /// Gets the next row of a request, or the end of its rows.
    case nextRow
    /// Counts the rows of a request.
    case count
    /// Answers an aggregate or groups, if the engine does that itself; otherwise the rows are requested.
    case aggregate
    /// Applies changes of rows.
    case apply
    /// Sets a savepoint.
    case setSavepoint
    /// Forgets a savepoint and keeps the changes since.
    case releaseSavepoint
    /// Undoes the changes since a savepoint.
    case rollBackToSavepoint
    /// Makes the changes of a transaction permanent.
    case commit
}
