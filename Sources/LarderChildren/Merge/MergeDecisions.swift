import LarderKernel

/// The conflicts of a merge that the policy was asked about, and what follows for the merge's list.
///
/// *Rule:* lives as long as the merge, over all its attempts, so that the policy is asked once for each conflict.
final class MergeDecisions {
    private let policy: MergePolicy
    private var known: [MergeConflict: MergeResolution] = [:]
    /// The answers of the policy to conflicts that were taken back.
    private var earlier: [MergeConflict: MergeResolution] = [:]
    /// The conflicts that were settled at first; those that were refused later are unsettled in what is known.
    private var decided: [MergeConflict] = []
    private(set) var conflicts: [MergeConflict] = []
    /// The parts of the list that are left out or are other ones, by the row.
    private(set) var changes: [RowKey: Change] = [:]
    /// The rows that stay although the child has deleted them.
    private(set) var kept: Set<RowKey> = []
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

    var settled: [MergeConflict] {
        decided.filter { if case .unsettled? = known[$0] { false } else { true } }
    }

    /// True if the policy was asked about a conflict before.
    func isKnown(_ conflict: MergeConflict) -> Bool { known[conflict] != nil }

    /// Lets the policy decide about a conflict, once.
    ///
    /// - Parameter canChildWin: False if the child's side cannot stand.
    /// - Throws: The error of the policy; `.invalidValue` for a value if none can be given.
    func settle(_ conflict: MergeConflict, canChildWin: Bool = true) throws -> MergeResolution {
        if let known = known[conflict] { return known }
        var resolution = try earlier[conflict] ?? policy.resolve(conflict)
        switch resolution {
        case .unsettled, .parent: break
        case .child: if !canChildWin { resolution = .unsettled }
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
        if case .unsettled = resolution { conflicts.append(conflict) } else { decided.append(conflict) }
        return resolution
    }

    /// Notes a conflict that has come back, because the value that has settled it conflicts too.
    func refuse(_ conflict: MergeConflict) {
        if case .unsettled? = known[conflict] { return }
        known[conflict] = .unsettled
        conflicts.append(conflict)
    }

    func leave(_ row: RowKey) { changes[row, default: Change()].isLeft = true }

    /// Keeps a row that the child has deleted.
    func keep(_ row: RowKey) {
        kept.insert(row)
        leave(row)
    }

    /// True if something was decided about other rows than those that are kept.
    var hasOthers: Bool { changes.count > kept.count || !freed.isEmpty }

    /// Takes back what was decided because of a value that was held, or of an item that was gone.
    ///
    /// A row that is kept may have changed that. The next attempt finds again what still holds.
    func takeBackOthers() {
        changes = changes.filter { kept.contains($0.key) }
        freed = []
        for conflict in settled where conflict.isOfState {
            earlier[conflict] = known.removeValue(forKey: conflict)
        }
        decided.removeAll(where: \.isOfState)
    }

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
    /// True if it is found in the merged state, and not in the three versions of one item.
    fileprivate var isOfState: Bool {
        switch kind {
        case .notUnique, .targetNotFound: true
        case .changedOnBothSides, .deletedInParent, .deletedInChild, .deletionDenied: false
        }
    }

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
