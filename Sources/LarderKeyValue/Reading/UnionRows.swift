import LarderKernel

/// Rows of the alternatives of an OR, one alternative after the other, each row once.
///
/// A row that passes an earlier alternative was given with it, so nothing is remembered of the rows.
final class UnionRows: RowSource {
    private let branches: [MatchingRows]
    /// The position of the OR among the conditions.
    private let condition: Int
    /// For each alternative, the test for the alternatives before it; the first one's test is not used.
    private let earlier: [RowFilter]
    // reason for unchecked: used by one thread at a time, and never by functions it calls.
    @exclusivity(unchecked) private var position = 0

    init(of branches: [AccessPlan], at condition: Int, in reading: PathReading) {
        self.branches = branches.map { MatchingRows($0, in: reading, readsRows: true) }
        self.condition = condition
        earlier = branches.map { _ in RowFilter(of: reading.entity) }
    }

    func begin(_ predicate: RowPredicate) throws(DataStoreError) -> Bool {
        position = 0
        let parts = predicate.condition(condition).alternatives
        for (position, rows) in branches.enumerated() {
            try rows.begin(parts[position])
            if position > 0 { try earlier[position].fill(with: .any(Array(parts[..<position]))) }
        }
        return false
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        while position < branches.count {
            let rows = branches[position]
            let earlier = earlier[position]
            while try rows.next(&row) {
                if position == 0 { return true }
                if try !earlier.passes(row) { return true }
            }
            position += 1
        }
        return false
    }

    func close(keepsCursor: Bool) {
        position = branches.count
        for filter in earlier { filter.clear() }
        for rows in branches { rows.close(keepsCursor: keepsCursor) }
    }

    func forget() {
        for rows in branches { rows.forget() }
    }

    var keptBytes: Int { branches.reduce(0) { $0 + $1.keptBytes } }
}
