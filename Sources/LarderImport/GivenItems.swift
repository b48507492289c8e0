import LarderKernel

/// The items that a source gives to a relationship of its row.
struct GivenItems {
    let assigned: AssignedItems
    /// True if an item that no owner has any more at the end of the call is deleted.
    var deletesLeftOver = false
    /// True if the relationship was given items before, so that even a new owner may have some.
    fileprivate(set) var isGivenAgain = false
    /// The number of the source in its batch.
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
    /// Adds items, which are given after earlier ones of their relationship.
    ///
    /// Those are given even if the later ones take their place, as another owner loses them.
    mutating func give(_ items: GivenItems) {
        let relationship = items.assigned.relationship
        var items = items
        items.isGivenAgain = contains { $0.assigned.relationship == relationship }
        append(items)
    }
}
