import Larder

/// A store and its children as dictionaries.
struct CrossingModel: FamilyModel {
    struct ItemKey: Hashable {
        let kind: Kind
        let id: Int64
    }

    struct LinkKey: Hashable {
        let tie: Tie
        let id: Int64
    }

    /// A link as it is stored.
    ///
    /// The model says which pairs there are and in which order, and takes identifiers
    /// and ranks from the store.
    struct Link: Hashable {
        let source: Int64
        let target: Int64
        var rank = ""

        var pair: Contents.Pair { Contents.Pair(source: source, target: target) }
    }

    struct Level: FamilyLevel {
        let parent: Int?
        var items = Overlay<ItemKey, Cells>()
        var links = Overlay<LinkKey, Link>()
        var changes = 0
        var start: [Int] = []

        init(parent: Int?, changes: Int = 0, start: [Int] = []) {
            (self.parent, self.changes, self.start) = (parent, changes, start)
        }
    }

    var levels: [Int: Level] = [0: Level(parent: nil)]

    func items(_ number: Int) -> [ItemKey: Cells] {
        guard let level = levels[number] else { return [:] }
        guard let parent = level.parent else { return level.items.values }
        return level.items.shown(over: items(parent))
    }

    func links(_ number: Int) -> [LinkKey: Link] {
        guard let level = levels[number] else { return [:] }
        guard let parent = level.parent else { return level.links.values }
        // A link that both have made is shown once, as the child's, and not if the child has removed it.
        var touched = Set(level.links.values.map(LinkEnds.init))
        for case (let key, let base?) in level.links.bases { touched.insert(LinkEnds(key, base)) }
        return level.links.shown(over: links(parent)).filter { key, link in
            level.links.values[key] != nil || !touched.contains(LinkEnds(key, link))
        }
    }

    private struct LinkEnds: Hashable {
        let tie: Tie
        let pair: Contents.Pair

        init(_ key: LinkKey, _ link: Link) {
            tie = key.tie
            pair = link.pair
        }
    }

    /// What a store shows.
    func contents(_ number: Int) -> Contents { Self.contents(items(number), links(number)) }

    static func contents(_ items: [ItemKey: Cells], _ links: [LinkKey: Link]) -> Contents {
        var contents = Contents()
        for (key, cells) in items { contents.items[key.kind, default: [:]][key.id] = cells }
        for (key, link) in links where key.tie != .wishes {
            contents.pairs[key.tie, default: []].insert(link.pair)
        }
        let ranked = links.filter { $0.key.tie == .wishes }.sorted {
            $0.value.rank == $1.value.rank
                ? $0.key.id < $1.key.id : $0.value.rank.utf8.lexicographicallyPrecedes($1.value.rank.utf8)
        }
        for (_, link) in ranked { _ = contents.link(link.source, link.target, .wishes) }
        return contents
    }

    /// Notes what a store shows after a call.
    ///
    /// - Parameters:
    ///   - written: The items that the call has changed, even if it has changed them back.
    ///   - between: The contents between its changes and its deletions; nil if they are those before it.
    mutating func note(
        _ after: Contents, _ links: [LinkKey: Link], in number: Int, written: Set<ItemKey> = [],
        between: Contents? = nil
    ) {
        guard var level = levels[number] else { return }
        let parentItems = level.parent.map(items)
        let parentLinks = level.parent.map(self.links)
        level.items.note(
            items(number), after.byKey, over: parentItems, written: written, between: between?.byKey)
        var before = self.links(number)
        if let parentLinks {
            // A link of the parent that the child's own one has hidden goes with it.
            let left = Set(links.map(LinkEnds.init))
            for (key, link) in level.links.shown(over: parentLinks)
            where before[key] == nil && !left.contains(LinkEnds(key, link)) {
                before[key] = link
            }
        }
        level.links.note(before, links, over: parentLinks)
        level.changes += 1
        levels[number] = level
    }

    /// Rule 18: takes over what the parent has in what the child has not changed.
    mutating func refresh(_ number: Int) {
        guard var level = levels[number], let parent = level.parent else { return }
        level.items.refresh(from: items(parent)) { base, own, new in
            for column in own.indices where own[column] == base[column] || own[column] == new[column] {
                (own[column], base[column]) = (new[column], new[column])
            }
        }
        level.links.refresh(from: links(parent)) { base, own, new in
            if own == new { base = own }
        }
        level.changes += 1
        levels[number] = level
    }

    /// How the items that a child has touched differ from what they were.
    func staged(_ number: Int) -> [String] {
        guard let level = levels[number], level.parent != nil else { return [] }
        return level.items.bases.compactMap { key, base in
            let title = "\(key.kind) \(key.id)"
            switch (base, level.items.values[key]) {
            case (nil, nil): return nil
            case (nil, _?): return "inserted \(title)"
            case (_?, nil): return "deleted \(title)"
            case (let base?, let own?):
                let attributes = key.kind.type.schema.attributes
                let names = base.indices.filter { base[$0] != own[$0] }.map { attributes[$0].name }
                return names.isEmpty ? nil : "updated \(title): \(names.joined(separator: " "))"
            }
        }
    }

    /// The numbers of items that a child has inserted, changed and deleted.
    func stagedCounts(_ number: Int) -> [Int] {
        ["inserted", "updated", "deleted"].map { word in staged(number).count { $0.hasPrefix(word) } }
    }
}

extension Contents {
    /// The items by their keys.
    fileprivate var byKey: [CrossingModel.ItemKey: Cells] {
        var items: [CrossingModel.ItemKey: Cells] = [:]
        for kind in Kind.allCases {
            for (id, cells) in rows(kind) { items[CrossingModel.ItemKey(kind: kind, id: id)] = cells }
        }
        return items
    }
}
