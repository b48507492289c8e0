import LarderKernel
import LarderKeyValue

/// The free pages, which LMDB keeps in its table 0 by the transactions that have freed them: in each entry
/// their count, followed by their numbers.
extension LMDBSnapshot {
    /// Their number.
    ///
    /// *Cost:* reads the list.
    func freePageCount() throws(DataStoreError) -> Int {
        let cursor = try cursor(over: Self.freePages)
        defer { cursor.close() }
        var entry = KeyValueEntry()
        var count = 0
        var isFound = try cursor.first(&entry)
        while isFound {
            count += Self.pageCount(in: entry)
            isFound = try cursor.next(&entry)
        }
        return count
    }

    /// The number of pages freed by the newest transaction in the list, and its number.
    func newestFreePages() throws(DataStoreError) -> (transaction: Int, count: Int)? {
        let cursor = try cursor(over: Self.freePages)
        defer { cursor.close() }
        var entry = KeyValueEntry()
        guard try cursor.last(&entry), entry.key.count == MemoryLayout<Int>.size else { return nil }
        return (entry.key.loadUnaligned(as: Int.self), Self.pageCount(in: entry))
    }

    private static let freePages = KeyValueTable(number: 0, keys: .integer)

    private static func pageCount(in entry: KeyValueEntry) -> Int {
        entry.value.count < MemoryLayout<Int>.size ? 0 : entry.value.loadUnaligned(as: Int.self)
    }
}
