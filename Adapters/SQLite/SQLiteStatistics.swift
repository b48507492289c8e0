/// How large a SQLite store is, and what is in it.
public struct SQLiteStatistics: Sendable, Hashable {
    /// The size of one page.
    public let pageBytes: Int
    /// How many pages the file has, those in the log included.
    public let pageCount: Int
    /// How many of them are empty; `compact()` gives them back to the file system.
    public let freePageCount: Int
    /// The size of the file.
    public let fileBytes: Int
    /// The size of the write-ahead log beside it.
    public let logBytes: Int
    /// How many items there are, by the stored name of their type.
    public let itemCounts: [String: Int]
}
