/// A number of 128 bits that stands for a row, or, as the sum of their numbers, for a set of rows.
///
/// The sum is modulo 2^128, so it does not depend on the order of the rows. It shows accidents, not the work
/// of an attacker who chooses rows for their sums. Prints as 32 hexadecimal digits.
public struct RowDigest: Hashable, Sendable {
    private var high: UInt64
    private var low: UInt64

    /// The digest of no rows.
    public static let zero = RowDigest(low: 0, high: 0)

    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The digest with this text form, or nil if the text is not valid.
    public init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(low: low, high: high)
    }

    package static func += (sum: inout RowDigest, other: RowDigest) {
        let (low, carry) = sum.low.addingReportingOverflow(other.low)
        sum.low = low
        sum.high = sum.high &+ other.high &+ (carry ? 1 : 0)
    }
}

extension RowDigest: CustomStringConvertible {
    public var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}

/// The number of an item type's rows and their digest: equal if the rows are, in whatever engine.
public struct EntityDigest: Hashable, Sendable {
    /// The stored name of the item type.
    public package(set) var entity: String
    public package(set) var count: Int
    public package(set) var digest: RowDigest

    public init(entity: String, count: Int = 0, digest: RowDigest = .zero) {
        self.entity = entity
        self.count = count
        self.digest = digest
    }

    package mutating func add(_ row: RowDigest) {
        count += 1
        digest += row
    }
}
