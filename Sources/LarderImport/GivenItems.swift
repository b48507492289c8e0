import LarderKernel

/// The items that a source gives to a relationship of its row.
struct GivenItems {
    let owner: AnyItemID
    /// True if it was only just inserted, or waits to be.
    let isOwnerNew: Bool
    let assigned: AssignedItems
    /// True if an item that no owner has any more at the end of the call is deleted.
    let deletesLeftOver: Bool
    /// The number of the source in its batch.
    let turn: Int
    /// True if the relationship was given items before, so that even a new owner may have some.
    ///
    /// Those are given even if the later ones take their place, as another owner loses them.
    fileprivate(set) var isGivenAgain = false

    /// True if the owner has no items yet.
    var isNew: Bool { isOwnerNew && !isGivenAgain }
}

extension [GivenItems] {
    /// The same by sources, as the fields of a map came one after the other.
    var bySources: [GivenItems] {
        var sorted = sorted { $0.turn < $1.turn }
        // By owners, the relationships that were given items.
        var seen: [AnyItemID: ColumnSet] = [:]
        for position in sorted.indices {
            let items = sorted[position]
            let known = seen[items.owner, default: ColumnSet()]
            sorted[position].isGivenAgain = known.contains(items.assigned.relationship)
            seen[items.owner, default: ColumnSet()].insert(items.assigned.relationship)
        }
        return sorted
    }
}
