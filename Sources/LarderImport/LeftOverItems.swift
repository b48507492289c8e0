import LarderKernel

/// Items that an import by ``ImportedItems/replaceDeleting`` has left over, until the end of its call: a later
/// source may give them to another owner.
struct LeftOverItems {
    private var items: [Item] = []

    private struct Item {
        let links: Links
        let target: AnyItemID
    }

    /// Remembers the items of an owner that are not among those of the source.
    ///
    /// - Returns: True if there are any.
    mutating func note(_ links: Links, besides targets: [AnyItemID]) throws(DataStoreError) -> Bool {
        let kept = Set(targets)
        let left = try links.all().filter { !kept.contains($0.target) }
        items += left.map { Item(links: links, target: $0.target) }
        return !left.isEmpty
    }

    /// Those that belong to no other owner now, for each item type once, and forgets all.
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
        for item in all {
            let entity = item.links.relationship.target
            let key = ItemKey(entity: entity, identifier: item.target)
            if kept.contains(key) || seen.contains(key) { continue }
            guard try item.links.isLeft(item.target) else { continue }
            seen.insert(key)
            if groups.last?.entity != entity { groups.append((entity, [])) }
            groups[groups.count - 1].identifiers.append(item.target)
        }
        return groups
    }
}

extension Links {
    /// True if an item that the owner had is stored, and has no other owner.
    fileprivate func isLeft(_ target: AnyItemID) throws(DataStoreError) -> Bool {
        switch relationship.form {
        case .referrers(let column): return try isReferred(by: target, in: column) ?? false
        case .links(let side): return try !hasOwner(target, side)
        case .reference: return false
        }
    }
}
