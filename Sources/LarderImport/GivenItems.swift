import LarderKernel

/// The items that a source gives to a relationship of its row.
struct GivenItems {
    /// The position of the row in its batch.
    let row: Int
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
        // By rows, the relationships that were given items.
        var seen: [Int: ColumnSet] = [:]
        for position in sorted.indices {
            let relationship = sorted[position].assigned.relationship
            let known = seen[sorted[position].row, default: ColumnSet()]
            sorted[position].isGivenAgain = known.contains(relationship)
            seen[sorted[position].row, default: ColumnSet()].insert(relationship)
        }
        return sorted
    }
}
