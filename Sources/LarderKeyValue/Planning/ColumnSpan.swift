/// The bounds that the conditions of a filter set to a column's values, which are not nil.
struct ColumnSpan {
    var lower: Bound?
    var upper: Bound?
    /// The prefix of the text; a range of identifiers follows it and both bounds, an index follows it alone.
    var prefix: Bound?
    /// The condition that says no more than that the value is not nil.
    var notNull: Int?
    /// True if the row at the lower end is read even if it is not included, and has to be tested: the first
    /// key after a text's key could be too long for an engine.
    var keepsLowerEnd = false

    struct Bound {
        let isIncluded: Bool
        /// The position of the condition that holds the value.
        let condition: Int
    }

    /// The number of bounds that the span gives an index: 2 for a prefix, 0 if it only excludes nil.
    var boundCount: Int {
        prefix != nil ? 2 : endCount
    }

    /// The number of the two bounds that exist.
    var endCount: Int {
        (lower == nil ? 0 : 1) + (upper == nil ? 0 : 1)
    }

    /// The bounds that an index follows; a prefix is enough alone.
    var bounds: [Bound] {
        prefix.map { [$0] } ?? ends
    }

    /// The conditions that all rows in the span meet.
    var metConditions: [Int] {
        let met = keepsLowerEnd ? [upper].compactMap { $0 } : bounds
        return met.map(\.condition) + [notNull].compactMap { $0 }
    }

    /// The two ends, as far as there are any.
    var ends: [Bound] {
        [lower, upper].compactMap { $0 }
    }
}
