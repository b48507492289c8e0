import Larder

/// Rows of the alternatives of an OR, one alternative after the other, each row once.
///
/// A row that passes an earlier alternative was given with it, so nothing is remembered of the rows.
final class UnionRows: RowSource {
    private let branches: [(rows: MatchingRows, earlier: RowFilter?)]
    private var position = 0

    init(
        of branches: [UnionBranch], over entity: EntityTable, in snapshot: any KeyValueSnapshot,
        invalidatesPointers: Bool
    ) throws(DataStoreError) {
        var opened: [(rows: MatchingRows, earlier: RowFilter?)] = []
        for (position, branch) in branches.enumerated() {
            let earlier = RowPredicate.any(branches.prefix(position).map(\.predicate))
            opened.append(
                (
                    try MatchingRows(
                        branch.access, over: entity, in: snapshot, invalidatesPointers: invalidatesPointers),
                    position == 0 ? nil : try RowFilter(earlier, of: entity)
                ))
        }
        self.branches = opened
    }

    func next(_ row: inout FoundRow) throws(DataStoreError) -> Bool {
        while position < branches.count {
            let branch = branches[position]
            while try branch.rows.next(&row) {
                guard let earlier = branch.earlier else { return true }
                if try !earlier.passes(row) { return true }
            }
            position += 1
        }
        return false
    }

    func close() {
        for branch in branches { branch.rows.close() }
    }
}
