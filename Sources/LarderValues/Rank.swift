/// A place in an order: the text by which the links of an ordered relationship are sorted.
///
///     Rank.between(first, second)        // a rank after the first and before the second
///
/// One link moves without a change of any other, and two stores that have inserted at different places can be
/// merged. A rank is a list of whole numbers, compared one after the other: between 16 and 32 lies 24, and
/// between 16 and 17 lies 16·0, beside which there is room on both sides again. So the ranks of links that are
/// always inserted at the same place grow like the digits of a counter. Only links that are each inserted
/// between the last two make ranks longer by about a third of a byte each time; when one is too long, the
/// links of its owner are given new ranks.
///
/// *Rule:* texts of ranks have the order of the ranks, byte by byte.
package struct Rank: Hashable {
    /// The numbers, most significant first; never empty.
    private let levels: [Int]

    /// The longest text, in bytes.
    ///
    /// Longer ones would make each entry of the index larger than its identifiers.
    package static let maximumBytes = 64
    /// The distance between neighbors at the ends of an order.
    ///
    /// It lets four links come between two others before their ranks become longer.
    private static let step = 16

    private init(levels: [Int]) {
        self.levels = levels
    }

    /// The rank of the only link.
    package static let only = Rank(levels: [0])

    /// The ranks of links in an order of their own, beginning with a position.
    package static func initial(_ position: Int) -> Rank {
        Rank(levels: [position * step])
    }

    /// A rank between two others, the first of which is less; nil if none is short enough.
    ///
    /// - Parameters:
    ///   - low: Nil for the beginning of the order.
    ///   - high: Nil for the end of the order.
    package static func between(_ low: Rank?, _ high: Rank?) -> Rank? {
        let rank: Rank? =
            switch (low, high) {
            case (nil, nil): only
            case (let low?, nil): stepping(low.levels[0], by: step, after: [])
            case (nil, let high?): stepping(high.levels[0], by: -step, after: [])
            case (let low?, let high?): between(low.levels, high.levels)
            }
        guard let rank, rank.text.utf8.count <= maximumBytes else { return nil }
        return rank
    }

    private static func between(_ low: [Int], _ high: [Int]) -> Rank? {
        let shared = zip(low, high).prefix { $0 == $1 }.count
        guard shared < high.count else { return nil }  // equal, or in the wrong order
        let prefix = low.prefix(shared)
        guard shared < low.count else { return stepping(high[shared], by: -step, after: prefix) }
        guard low[shared] < high[shared] else { return nil }
        // Halves, as the difference of two numbers may not be one.
        let middle = low[shared] / 2 + high[shared] / 2 + (low[shared] % 2 + high[shared] % 2) / 2
        for candidate in [middle, middle + 1] where low[shared] < candidate && candidate < high[shared] {
            return Rank(levels: prefix + [candidate])
        }
        let next = shared + 1
        return next < low.count
            ? stepping(low[next], by: step, after: low.prefix(next)) : Rank(levels: low + [0])
    }

    private static func stepping(_ number: Int, by step: Int, after prefix: ArraySlice<Int>) -> Rank? {
        let (next, isTooLarge) = number.addingReportingOverflow(step)
        return isTooLarge ? nil : Rank(levels: prefix + [next])
    }
}

// MARK: Text

extension Rank {
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    /// The most digits of a number of 64 bits.
    private static let maximumDigits = 11

    /// The text: for each number a letter, which says how many digits follow and is a capital if the number
    /// is negative, and the digits.
    package var text: String {
        var bytes: [UInt8] = []
        for level in levels { Self.append(level, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The rank with a text; nil for any other text.
    package init?(_ text: String) {
        var levels: [Int] = []
        var bytes = text.utf8.makeIterator()
        while let letter = bytes.next() {
            guard let level = Self.level(letter, &bytes) else { return nil }
            levels.append(level)
        }
        if levels.isEmpty { return nil }
        self.init(levels: levels)
    }

    private static func append(_ level: Int, to bytes: inout [UInt8]) {
        let isNegative = level < 0
        // -1 is the first of the negative numbers, as 0 is of the others.
        var rest = UInt64(isNegative ? -(level + 1) : level)
        var count = 1
        var span: UInt64 = 62
        while rest >= span, count < maximumDigits {
            rest -= span
            count += 1
            span = count == maximumDigits ? .max : span * 62
        }
        let letter = isNegative ? UInt8(ascii: "Z") - UInt8(count - 1) : UInt8(ascii: "a") + UInt8(count - 1)
        bytes.append(letter)
        let start = bytes.count
        for _ in 0..<count {
            let digit = Int(rest % 62)
            bytes.insert(digits[isNegative ? 61 - digit : digit], at: start)
            rest /= 62
        }
    }

    private static func level(_ letter: UInt8, _ bytes: inout String.UTF8View.Iterator) -> Int? {
        let isNegative = letter < UInt8(ascii: "a")
        let count = 1 + (isNegative ? Int(UInt8(ascii: "Z")) - Int(letter) : Int(letter - UInt8(ascii: "a")))
        guard (1...maximumDigits).contains(count) else { return nil }
        var (value, smaller, span): (UInt64, UInt64, UInt64) = (0, 0, 1)
        for position in 0..<count {
            guard let byte = bytes.next(), let digit = digits.firstIndex(of: byte) else { return nil }
            let next = value.multipliedReportingOverflow(by: 62)
            let sum = next.partialValue.addingReportingOverflow(UInt64(isNegative ? 61 - digit : digit))
            if next.overflow || sum.overflow { return nil }
            value = sum.partialValue
            if position > 0 {
                span *= 62
                smaller += span
            }
        }
        let (number, overflow) = value.addingReportingOverflow(smaller)
        guard !overflow, let level = Int(exactly: number) else { return nil }
        return isNegative ? -level - 1 : level
    }
}
