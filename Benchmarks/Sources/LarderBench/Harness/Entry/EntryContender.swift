/// One storage layer with entries whose codes are unique, for writing many of them at once.
///
/// As with ``Contender``, each call is one write transaction if its name does not say otherwise.
protocol EntryContender: AnyObject, SendableMetatype {
    func insert(_ entries: [ImportedEntry]) throws

    /// Inserts entries, or gives the stored ones with the same codes their values.
    func importEntries(_ entries: [ImportedEntry]) throws

    /// Keeps new entries outside of the store until `mergeStaged()`; not timed.
    func stageNew(_ entries: [ImportedEntry]) throws

    /// Keeps new values of stored entries outside of the store until `mergeStaged()`; not timed.
    func stageValues(of entries: [ImportedEntry]) throws

    /// Stores everything that is staged, unless a stored entry has changed since it was staged.
    func mergeStaged() throws

    /// All entries in the order of their identifiers; asked outside the timed part.
    func entries() throws -> [ImportedEntry]

    /// *Rule:* nothing is called afterwards.
    func close() throws
}
