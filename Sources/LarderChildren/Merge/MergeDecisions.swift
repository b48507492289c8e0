import LarderKernel

/// The conflicts of a merge that the policy was asked about, and what follows for the merge's list.
///
/// *Rule:* lives as long as the merge, over all its attempts, so that the policy is asked once for each conflict.
final class MergeDecisions {
    private let policy: MergePolicy
    private var known: [MergeConflict: MergeResolution] = [:]
    private(set) var settled: [MergeConflict] = []
    private(set) var conflicts: [MergeConflict] = []
    /// The parts of the list that are left out or are other ones, by the row.
    private(set) var changes: [RowKey: Change] = [:]
    /// The references that are made nil, as the child gives their targets to other rows.
    private(set) var freed: [(row: RowKey, column: Int, taker: RowKey)] = []

    /// A decision about one row of the list.
    struct Change {
        /// True if the row stays as the parent has it.
        var isLeft = false
        /// The columns that stay as the parent has them.
        var columns = ColumnSet()
        /// Values in place of the child's.
        var values: [Int: Constant] = [:]
    }

    init(by policy: MergePolicy) {
        self.policy = policy
    }

    /// True if the policy was asked about a conflict before.
    func isKnown(_ conflict: MergeConflict) -> Bool { known[conflict] != nil }

    /// Lets the policy decide about a conflict, once.
    ///
    /// - Parameter canChildWin: False if the child's side cannot stand.
    /// - Throws: The error of the policy; `.invalidValue` for a value if none can be given.
    func settle(_ conflict: MergeConflict, canChildWin: Bool = true) throws -> MergeResolution {
        if let known = known[conflict] { return known }
        var resolution = try policy.resolve(conflict)
        switch resolution {
        case .none, .parent: break
        case .child: if !canChildWin { resolution = .none }
        case .value:
            if !conflict.takesValue {
                throw DataStoreError(
                    .invalidValue,
                    "A value was given for a conflict that is not about one attribute: \(conflict).",
                    advice: "Settle it by .child or .parent.", itemType: conflict.itemType,
                    identifier: conflict.identifier)
            }
        }
        known[conflict] = resolution
        if case .none = resolution { conflicts.append(conflict) } else { settled.append(conflict) }
        return resolution
    }

    /// Notes a conflict that has come back, because the value that has settled it conflicts too.
    func refuse(_ conflict: MergeConflict) {
        if case .none? = known[conflict] { return }
        known[conflict] = MergeResolution.none
        settled.removeAll { $0 == conflict }
        conflicts.append(conflict)
    }

    func leave(_ row: RowKey) { changes[row, default: Change()].isLeft = true }

    func leave(_ columns: some Sequence<Int>, of row: RowKey) {
        for column in columns { changes[row, default: Change()].columns.insert(column) }
    }

    func set(_ column: Int, of row: RowKey, to value: Constant) {
        changes[row, default: Change()].values[column] = value
    }

    func free(_ row: RowKey, _ column: Int, for taker: RowKey) {
        freed.append((row, column, taker))
    }

    /// True if a row of the list does not get the child's value of a column.
    func isLeft(_ column: Int, of row: RowKey) -> Bool {
        guard let decision = changes[row] else { return false }
        return decision.isLeft || decision.columns.contains(column) || decision.values[column] != nil
    }
}

extension MergeConflict {
    /// True if another value of one attribute can settle it.
    var takesValue: Bool {
        switch kind {
        case .changedOnBothSides: !(rows.child?.schema.isLink ?? false)
        case .notUnique(let attribute, _):
            // The attributes of several columns are named together.
            (rows.child ?? rows.parent)?.schema.column(ofProperty: attribute) != nil
        case .deletedInParent, .deletedInChild, .targetNotFound, .deletionDenied: false
        }
    }
}
