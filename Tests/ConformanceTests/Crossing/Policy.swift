import Larder

/// The ways to settle conflicts.
enum Policy: CaseIterable {
    case fail, childWins, parentWins, resolve

    var policy: MergePolicy {
        switch self {
        case .fail: .fail
        case .childWins: .childWins
        case .parentWins: .parentWins
        // By the child where the numbers of the conflict are even, else by the parent.
        case .resolve: .resolve { ($0.identifier.description.utf8.last ?? 0) % 2 == 0 ? .child : .parent }
        }
    }

    /// True if a conflict about an item is settled as the child has it, and for a policy that settles none.
    func takesChild(_ id: Int64) -> Bool {
        switch self {
        case .fail, .childWins: true
        case .parentWins: false
        case .resolve: id % 2 == 0
        }
    }
}
