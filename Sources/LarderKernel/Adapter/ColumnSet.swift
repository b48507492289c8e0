/// A set of column numbers; the first 64 cost no allocation.
public struct ColumnSet: Hashable, Sendable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: [UInt64] = []

    @inlinable
    public init() {}

    public init(_ columns: some Sequence<Int>) {
        for column in columns { insert(column) }
    }

    public mutating func insert(_ column: Int) {
        if column < 64 {
            low |= 1 << UInt64(column)
        } else {
            let word = column / 64 - 1
            while high.count <= word { high.append(0) }
            high[word] |= 1 << UInt64(column % 64)
        }
    }

    package mutating func remove(_ column: Int) {
        if column < 64 {
            low &= ~(1 << UInt64(column))
        } else if column / 64 - 1 < high.count {
            high[column / 64 - 1] &= ~(1 << UInt64(column % 64))
        }
    }

    public func contains(_ column: Int) -> Bool {
        if column < 64 { return low & (1 << UInt64(column)) != 0 }
        let word = column / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(column % 64)) != 0
    }

    public mutating func formUnion(_ other: ColumnSet) {
        low |= other.low
        if other.high.isEmpty { return }
        while high.count < other.high.count { high.append(0) }
        for (word, bits) in other.high.enumerated() { high[word] |= bits }
    }

    /// True if a column is in both.
    package func intersects(_ other: ColumnSet) -> Bool {
        low & other.low != 0 || zip(high, other.high).contains { $0 & $1 != 0 }
    }

    public var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }
}

extension ColumnSet: Sequence {
    /// The columns in ascending order.
    public func makeIterator() -> Iterator {
        Iterator(words: high, word: low, base: 0)
    }

    public struct Iterator: IteratorProtocol {
        fileprivate let words: [UInt64]
        fileprivate var word: UInt64
        fileprivate var base: Int

        public mutating func next() -> Int? {
            while word == 0 {
                guard base / 64 < words.count else { return nil }
                word = words[base / 64]
                base += 64
            }
            let bit = word.trailingZeroBitCount
            word &= word - 1
            return base + bit
        }
    }
}
