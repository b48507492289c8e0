/// What the conditions of a filter say of the order of a column's values, none of which is nil.
struct ColumnSpan {
    var lower: Bound?
    var upper: Bound?
    /// What the text begins with.
    var prefix: Bound?
    /// The condition that says no more than that the value is not nil.
    var notNull: Int?

    struct Bound {
        let isIncluded: Bool
        /// The position of the condition that holds the value.
        let condition: Int
    }

    /// How many ends of an index the span uses: 2 for a prefix, 0 where it only leaves nil out.
    var boundCount: Int {
        prefix != nil ? 2 : endCount
    }

    /// How many of the two ends there are.
    var endCount: Int {
        (lower == nil ? 0 : 1) + (upper == nil ? 0 : 1)
    }

    /// The bounds that an index follows; a prefix is enough alone.
    var bounds: [Bound] {
        prefix.map { [$0] } ?? ends
    }

    /// The two ends, as far as there are any.
    var ends: [Bound] {
        [lower, upper].compactMap { $0 }
    }
}
