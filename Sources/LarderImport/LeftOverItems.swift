import LarderKernel

/// Items that a call has left over, until its end: a later source may give them to another owner.
///
/// ``ImportedItems/replaceDeleting`` deletes them then. Other items are here if they must have an owner.
struct LeftOverItems {
    /// For each item the owner that has left it over last, and its place in the order.
    private var items: [Item: Left] = [:]
    /// The relationships in which items were left over.
    private var relationships: Set<StoreRelationship> = []
    private var count = 0

    private struct Item: Hashable {
        let relationship: StoreRelationship
        let target: AnyItemID
    }

    private typealias Left = (position: Int, links: Links, isDeleted: Bool)
    private typealias Entry = (key: Item, value: Left)

    var isEmpty: Bool { items.isEmpty }

    /// Remembers the items of an owner that are not among the source's.
    ///
    /// - Parameter areDeleted: False for items that must have an owner.
    mutating func note(_ left: [AnyItemID], of links: Links, areDeleted: Bool) {
        if left.isEmpty { return }
        let plain = links.withoutKnown
        relationships.insert(links.relationship)
        for target in left {
            let item = Item(relationship: links.relationship, target: target)
            // A later source that only leaves an item over does not keep it from being deleted.
            items[item] = (count, plain, areDeleted || items[item]?.isDeleted ?? false)
            count += 1
        }
    }

    /// Forgets the items that an owner is given: it may be the one that has left them over, to which they refer still.
    mutating func forget(_ targets: [AnyItemID], of relationship: StoreRelationship) {
        guard !items.isEmpty, case .referrers = relationship.form else { return }
        for target in targets { items[Item(relationship: relationship, target: target)] = nil }
    }

    /// Forgets an item that a source of its own lets refer to an owner.
    mutating func forget(_ target: AnyItemID, referringIn column: Int, of entity: Int) {
        for relationship in relationships
        where relationship.target == entity && relationship.form == .referrers(column: column) {
            items[Item(relationship: relationship, target: target)] = nil
        }
    }

    /// The items to be deleted that belong to no other owner now; forgets them, and those that wait.
    ///
    /// It keeps the others, as the call may delete their owners.
    ///
    /// - Parameter isWaitingLeft: For an item that waits, true if it will belong to no other owner; nil for other items.
    mutating func take(
        _ isWaitingLeft: (AnyItemID, Links) -> Bool?
    ) throws(DataStoreError) -> [WaitingRows.Item] {
        let all = inOrder(areDeleted: true)
        for item in all { items[item.key] = nil }
        var left: [WaitingRows.Item] = []
        for (item, isStoredLeft) in try Self.areLeft(all) {
            let waiting = isWaitingLeft(item.key.target, item.value.links)
            if waiting ?? isStoredLeft {
                let target = Constant(item.key.target)
                left.append(WaitingRows.Item(entity: item.key.relationship.target, identifier: target))
            } else if waiting == nil {
                items[item.key] = item.value
            }
        }
        return left
    }

    /// Refuses to leave items without the owner that they must have, at the end of the call.
    ///
    /// - Throws: `.invalidValue` for the first that is stored, and that no other owner has got.
    func requireOwners() throws(DataStoreError) {
        for (item, isLeft) in try Self.areLeft(inOrder(areDeleted: false)) where isLeft {
            try item.value.links.requireOptional(for: [.refer(item.key.target, to: nil)])
        }
    }

    /// For each item, whether the store knows no other owner of it; each relationship is asked for all of its items.
    private static func areLeft(_ all: [Entry]) throws(DataStoreError) -> [(Entry, Bool)] {
        var answers: [(Entry, Bool)] = []
        for part in Dictionary(grouping: all, by: \.key.relationship).values {
            answers += zip(part, try Links.areLeft(part.map { ($0.value.links, $0.key.target) }))
        }
        return answers.sorted { $0.0.value.position < $1.0.value.position }
    }

    private func inOrder(areDeleted: Bool) -> [Entry] {
        if items.isEmpty { return [] }
        return items.filter { $0.value.isDeleted == areDeleted }
            .sorted { $0.value.position < $1.value.position }
    }
}
