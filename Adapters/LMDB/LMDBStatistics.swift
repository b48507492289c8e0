/// The size and the contents of an LMDB store.
public struct LMDBStatistics: Sendable, Hashable {
    /// The size of one page.
    public let pageBytes: Int
    /// The number of pages of the file.
    public let pageCount: Int
    /// The number of empty pages; they are reused, and ``LMDBDataStore/compact()`` removes them.
    public let freePageCount: Int
    /// The size of the file.
    public let fileBytes: Int
    /// The address space of the file; it costs neither memory nor disk.
    public let mapBytes: Int
    /// The number of items by the stored name of their type.
    public let itemCounts: [String: Int]
}
