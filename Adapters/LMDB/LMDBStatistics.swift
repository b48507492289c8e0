/// How large an LMDB store is, and what is in it.
public struct LMDBStatistics: Sendable, Hashable {
    /// The size of one page.
    public let pageBytes: Int
    /// How many pages the file has.
    public let pageCount: Int
    /// How many of them are empty; they are used again, and ``LMDBDataStore/compact()`` gives them back.
    public let freePageCount: Int
    /// The size of the file.
    public let fileBytes: Int
    /// How much address space the file has been given; it costs neither memory nor disk.
    public let mapBytes: Int
    /// How many items there are, by the stored name of their type.
    public let itemCounts: [String: Int]
}
