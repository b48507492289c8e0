/// The size and the contents of a SQLite store.
public struct SQLiteStatistics: Sendable, Hashable {
    /// The size of one page.
    public let pageBytes: Int
    /// The number of pages of the file, including those in the log.
    public let pageCount: Int
    /// The number of empty pages; `compact()` returns them to the file system.
    public let freePageCount: Int
    /// The size of the file.
    public let fileBytes: Int
    /// The size of the write-ahead log beside it.
    public let logBytes: Int
    /// The number of items by the stored name of their type.
    public let itemCounts: [String: Int]
}
