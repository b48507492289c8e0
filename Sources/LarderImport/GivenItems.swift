import LarderKernel

/// The items that a source gives to a relationship of its row.
struct GivenItems {
    /// The position of the row in its batch.
    let row: Int
    let owner: AnyItemID
    let assigned: AssignedItems
    /// True if an item that no owner has any more at the end of the call is deleted.
    let deletesLeftOver: Bool
    /// The number of the source in its batch.
    let turn: Int
    /// True if the relationship was given items before, so that even a new owner may have some.
    ///
    /// Those are given even if the later ones take their place, as another owner loses them.
    let isGivenAgain: Bool
    /// True if the owner was only just inserted, or waits to be, and the relationship was given none before.
    let isNew: Bool
}
