/// The size and the contents of a store in a file.
public struct StoreStatistics: Sendable, Hashable {
    /// The size of one page.
    public let pageBytes: Int
    /// The number of pages of the file, including those in a log beside it.
    public let pageCount: Int
    /// The number of empty pages; they are reused, and `compact()` removes them.
    public let freePageCount: Int
    /// The size of the file.
    public let fileBytes: Int
    /// The size of the write-ahead log beside the file; 0 for an engine that keeps none.
    public let logBytes: Int
    /// The address space of the file, which costs neither memory nor disk; 0 for an engine that maps none.
    public let mapBytes: Int
    /// The number of items by the stored name of their type.
    public let itemCounts: [String: Int]

    package init(
        pageBytes: Int, pageCount: Int, freePageCount: Int, fileBytes: Int, logBytes: Int = 0,
        mapBytes: Int = 0, itemCounts: [String: Int]
    ) {
        self.pageBytes = pageBytes
        self.pageCount = pageCount
        self.freePageCount = freePageCount
        self.fileBytes = fileBytes
        self.logBytes = logBytes
        self.mapBytes = mapBytes
        self.itemCounts = itemCounts
    }
}
