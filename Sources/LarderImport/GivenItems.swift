import LarderKernel

/// The items that a source gives to a relationship of its row.
struct GivenItems {
    let assigned: AssignedItems
    /// True if an item that no owner has any more at the end of the call is deleted.
    var deletesLeftOver = false
    /// True if the relationship was given items before, so that even a new owner may have some.
    fileprivate(set) var isGivenAgain = false
    /// Its place among all that the sources of a batch give.
    var turn = 0

    init(_ assigned: AssignedItems) {
        self.assigned = assigned
    }

    init(_ targets: [AnyItemID], of relationship: Int, _ items: ImportedItems) {
        assigned = AssignedItems(relationship: relationship, targets: targets, keepsOthers: items == .add)
        deletesLeftOver = items == .replaceDeleting
    }
}

extension [GivenItems] {
    /// Adds items, which take the place of earlier ones of their relationship, or go beside them.
    ///
    /// If they delete what they leave over, the earlier ones are given first: they may be left over.
    mutating func give(_ items: GivenItems) {
        let relationship = items.assigned.relationship
        var items = items
        items.isGivenAgain = contains { $0.assigned.relationship == relationship }
        if !items.assigned.keepsOthers, !items.deletesLeftOver {
            removeAll { $0.assigned.relationship == relationship }
        }
        append(items)
    }
}
