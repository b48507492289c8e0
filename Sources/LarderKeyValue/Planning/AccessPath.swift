import Larder

/// How the rows of a plan are found.
enum AccessPath {
    /// Not at all: no row can pass.
    case nothing
    /// By these identifiers, in ascending order, none twice.
    case identifiers([Constant])
    /// By identifier, between two ends.
    case identifierRange(ColumnSpan)
    /// By the entries of an index.
    case index(IndexScan)
    /// Along each of these ways; a row that an earlier one has led to is left out.
    case union([UnionBranch])
    /// All of them.
    case scan
}

/// The part of an index that is read: entries whose leading columns have one of these values each, and whose
/// next column lies in a span, where there is one.
struct IndexScan {
    let index: IndexTable
    let leading: [[Constant]]
    let span: ColumnSpan?

    /// How many leading columns have one value only, so that entries do not differ in them.
    var fixedCount: Int {
        leading.firstIndex { $0.count > 1 } ?? leading.count
    }
}

/// One alternative of an OR, and how its rows are found.
struct UnionBranch {
    let predicate: RowPredicate
    let access: AccessPlan
}

/// The path chosen for a plan, and what it leaves to be tested.
struct AccessPlan {
    let path: AccessPath
    /// What a row that was found still has to pass.
    let residual: RowPredicate
    /// The order that is wanted, without columns that have one value only; empty where any will do.
    let order: [RequestPlan.SortTerm]
    /// Whether the rows come in the order of the plan, so that nothing is sorted.
    let isOrdered: Bool
    let rank: AccessRank

    /// The direction in which the path is followed.
    var isAscending: Bool {
        !isOrdered || order.first?.isAscending ?? true
    }

    /// Whether the entries of an index alone tell how many rows there are.
    var isCovered: Bool {
        if case .index = path { residual == .always(true) } else { false }
    }
}
