package import LarderKernel

/// The numbers that distinguish statements for groups of the same rows in a cache of shapes.
///
/// There are as many as the app has aggregates in its code.
package struct GroupingUses {
    private var numbers: [Grouping: UInt32] = [:]

    /// Smaller numbers are for other statements.
    private static let first: UInt32 = 16

    /// The part of a plan that is not about its rows.
    private struct Grouping: Hashable {
        let keys: [Int]
        let terms: [AggregatePlan.Term]
    }

    package init() {}

    /// The number of statements with the keys and terms of a plan.
    package mutating func use(of plan: AggregatePlan) -> UInt32 {
        let grouping = Grouping(keys: plan.keys, terms: plan.terms)
        if let number = numbers[grouping] { return number }
        let number = UInt32(numbers.count) + Self.first
        numbers[grouping] = number
        return number
    }
}
