/// The bytes of a key, in the page they are stored in.
struct Key {
    /// LMDB's limit, compiled in.
    static let greatestCount = 511

    let page: PageBytes
    let offset: Int
    let count: Int

    /// The key of a table of numbers.
    var integer: UInt64? {
        count == 8 ? page.load(UInt64.self, at: offset) : nil
    }

    /// True if the key comes before another in LMDB's order.
    func isBelow(_ other: Key, asIntegers: Bool) -> Bool {
        if asIntegers {
            guard let mine = integer, let others = other.integer else { return false }
            return mine < others
        }
        guard
            let order = page.compare(offset, with: other.page, other.offset, length: min(count, other.count))
        else { return false }
        return order == 0 ? count < other.count : order < 0
    }
}
