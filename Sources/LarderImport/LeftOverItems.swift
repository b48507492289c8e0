import LarderKernel

/// Items that an import by ``ImportedItems/replaceDeleting`` has left over, until the end of its call: a later
/// source may give them to another owner.
struct LeftOverItems {
    private var items: [Item] = []

    private struct Item {
        let links: Links
        let target: AnyItemID
    }

    /// Remembers the items of an owner that are not among the source's.
    ///
    /// - Returns: True if there are any.
    mutating func note(_ links: Links, besides targets: [AnyItemID]) throws(DataStoreError) -> Bool {
        let kept = Set(targets)
        let left = try links.all().filter { !kept.contains($0.target) }
        let plain = links.withoutKnown
        items += left.map { Item(links: plain, target: $0.target) }
        return !left.isEmpty
    }

    /// The items that belong to no other owner now, for each item type once; forgets all.
    ///
    /// - Parameter kept: The items whose owners are not decided yet; they are left out.
    mutating func take(
        besides kept: Set<ItemKey>
    ) throws(DataStoreError) -> [(entity: Int, identifiers: [AnyItemID])] {
        if items.isEmpty { return [] }
        let all = items
        items = []
        var seen: Set<ItemKey> = []
        var groups: [(entity: Int, identifiers: [AnyItemID])] = []
        var rest = all[...]
        while let relationship = rest.first?.links.relationship {
            let part = rest.prefix { $0.links.relationship == relationship }
            rest = rest.dropFirst(part.count)
            let isLeft = try Links.areLeft(part.map { ($0.links, $0.target) })
            for (item, isLeft) in zip(part, isLeft) where isLeft {
                let key = ItemKey(entity: relationship.target, identifier: item.target)
                if kept.contains(key) || !seen.insert(key).inserted { continue }
                if groups.last?.entity != relationship.target { groups.append((relationship.target, [])) }
                groups[groups.count - 1].identifiers.append(item.target)
            }
        }
        return groups
    }
}
