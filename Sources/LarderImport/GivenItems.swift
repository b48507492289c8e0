import LarderKernel

/// The items that a source gives to a relationship of its row.
struct GivenItems {
    private(set) var assigned: AssignedItems
    /// True if an item that no owner has any more at the end of the call is deleted.
    var deletesLeftOver = false
    /// True if the relationship was given items before, so that even a new owner may have some.
    fileprivate(set) var isGivenAgain = false
    /// Its place among all that the sources of a call give.
    var turn = 0

    init(_ assigned: AssignedItems) {
        self.assigned = assigned
    }

    init(_ targets: [AnyItemID], of relationship: Int, _ items: ImportedItems) {
        assigned = AssignedItems(relationship: relationship, targets: targets, keepsOthers: items == .add)
        deletesLeftOver = items == .replaceDeleting
    }

    /// Keeps only some of the items.
    mutating func keep(_ isKept: (AnyItemID) -> Bool) {
        assigned = AssignedItems(
            relationship: assigned.relationship, targets: assigned.targets.filter(isKept),
            keepsOthers: assigned.keepsOthers)
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

/// The owners' turns at items that owners which wait were given: the last owner of an item keeps it, even if an earlier
/// one is written after it.
struct LastGifts {
    private var turns: [Gift: Int] = [:]

    private struct Gift: Hashable {
        let entity: Int
        let relationship: Int
        let target: AnyItemID
    }

    /// Remembers items that an owner was given.
    ///
    /// - Parameter isWaiting: False if they count only for items that an owner that waits was given too.
    mutating func note(_ items: [GivenItems], of entity: Int, isWaiting: Bool) {
        if turns.isEmpty, !isWaiting { return }
        for given in items {
            for target in given.assigned.targets {
                let gift = Gift(entity: entity, relationship: given.assigned.relationship, target: target)
                if let last = turns[gift] {
                    turns[gift] = max(last, given.turn)
                } else if isWaiting {
                    turns[gift] = given.turn
                }
            }
        }
    }

    /// True if a later source has given an item to an owner.
    func isTaken(_ target: AnyItemID, after given: GivenItems, of entity: Int) -> Bool {
        let gift = Gift(entity: entity, relationship: given.assigned.relationship, target: target)
        return turns[gift].map { $0 > given.turn } ?? false
    }
}
