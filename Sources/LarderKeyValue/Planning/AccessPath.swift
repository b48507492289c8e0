import Larder

/// How the rows of a plan are found.
enum AccessPath {
    /// Not at all: no row can pass.
    case nothing
    /// By these identifiers, in ascending order, none twice.
    case identifiers([Constant])
    /// By identifier, between two ends.
    case identifierRange(IdentifierRange)
    /// By the entries of an index whose leading columns have one of these values each.
    case index(IndexTable, [[Constant]])
    /// All of them.
    case scan
}

/// Two ends of a range of identifiers; either may be missing.
struct IdentifierRange {
    var lower: Bound?
    var upper: Bound?

    struct Bound {
        let value: Constant
        let isIncluded: Bool
    }
}

/// The path chosen for a plan, and what it leaves to be tested.
struct AccessPlan {
    let path: AccessPath
    /// What a row that was found still has to pass.
    let residual: Predicate
    /// Whether the rows come in the order of the plan, so that nothing is sorted.
    let isOrdered: Bool
}

extension AccessPath {
    /// What `explain` says of it.
    var description: String {
        switch self {
        case .nothing: "nothing"
        case .identifiers: "by id"
        case .identifierRange: "range of ids"
        case .index(let index, _): "index \(index.name)"
        case .scan: "scan"
        }
    }
}
