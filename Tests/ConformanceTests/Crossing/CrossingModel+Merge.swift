import Larder

extension CrossingModel {
    /// What a merge leaves in the parent if nothing conflicts, and whether anything does.
    struct Merged {
        var contents: Contents
        /// What both sides have changed, and what the state after the merge breaks.
        var conflicts: [Conflict] = []
        /// The reasons for which the model does not know whether there is a conflict.
        var doubts: [String] = []
    }

    struct Conflict: Hashable, CustomStringConvertible {
        let kind: Kind
        let id: Int64
        /// Nil where the rules are broken.
        let what: MergeConflict.Kind?

        var description: String {
            "\(kind) \(id) \(what.map { "\($0)" } ?? "breaks a rule")"
        }
    }

    /// Rule 19: a comparison of three versions, then the delete rules, then all other rules.
    func merged(_ number: Int) -> Merged {
        guard let level = levels[number], let parent = level.parent else {
            return Merged(contents: contents(number))
        }
        let before = contents(parent)
        if isCurrent(number) { return Merged(contents: contents(number)) }
        var merged = Merged(contents: before)
        var gone = Contents.Gone()
        for (key, base, child, parent) in level.items.versions(over: items(parent)) {
            merge(key, base, child, parent, &merged, &gone)
        }
        mergeLinks(level, contents(number), before, &merged)
        follow(&gone, level, before, &merged)
        judge(since: before, &merged)
        return merged
    }

    private func merge(
        _ key: ItemKey, _ base: Cells?, _ child: Cells?, _ parent: Cells?, _ merged: inout Merged,
        _ gone: inout Contents.Gone
    ) {
        guard let child else {
            guard let base, let parent else { return }
            if base != parent { merged.add(key, .deletedInChild) }
            _ = gone.add(key.kind, key.id)
            // The child has seen what it referred to.
            for reference in Reference.all
            where reference.owner == key.kind && (reference.takesTarget || reference.needsTarget) {
                let column = reference.column
                if parent[column] == base[column] { merged.contents.items[key.kind]?[key.id]?[column] = nil }
            }
            return
        }
        if child == base { return }
        guard let parent else {
            if base != nil { merged.add(key, .deletedInParent) }
            merged.contents.items[key.kind, default: [:]][key.id] = child
            return
        }
        for column in child.indices where child[column] != base?[column] || base == nil {
            if child[column] == parent[column] { continue }
            if base == nil || base?[column] != parent[column] {
                let name = key.kind.type.schema.attributes[column].name
                merged.add(key, .changedOnBothSides(attribute: name))
            }
            merged.contents.items[key.kind]?[key.id]?[column] = child[column]
        }
    }

    /// A link is known by its ends, as both sides may have made the same one.
    private func mergeLinks(_ level: Level, _ child: Contents, _ parent: Contents, _ merged: inout Merged) {
        var known: [LinkKey: Link] = [:]
        for (key, base) in level.links.bases { known[key] = base ?? level.links.values[key] }
        for (key, link) in known {
            let (isBase, isChild) = (
                known.contains {
                    $0.key.tie == key.tie && $0.value.pair == link.pair
                        && level.links.bases[$0.key] ?? nil != nil
                },
                child.targets(of: link.source, key.tie).contains(link.target)
            )
            let isParent = parent.targets(of: link.source, key.tie).contains(link.target)
            if isChild, !isBase, !isParent {
                _ = merged.contents.link(link.source, link.target, key.tie)
            } else if isBase, !isChild {
                merged.contents.unlink(link.source, link.target, key.tie)
            } else if key.tie == .wishes, isChild, isBase || isParent {
                merged.doubts.append("a link moved on both sides")
            }
        }
    }

    /// Deletes what the child has deleted, and what the rules say of items that the child did not see.
    private func follow(
        _ gone: inout Contents.Gone, _ level: Level, _ parent: Contents, _ merged: inout Merged
    ) {
        let asked = gone
        while merged.contents.follow(&gone) {}
        for kind in Kind.allCases {
            for id in (gone.items[kind] ?? []).subtracting(asked.items[kind] ?? [])
            where level.items.bases[ItemKey(kind: kind, id: id)] != nil {
                merged.doubts.append("\(kind) \(id) is changed by the child and follows a deletion")
            }
        }
        for (key, cells) in level.items.values {
            for reference in Reference.all where reference.owner == key.kind {
                guard let target = cells[reference.column],
                    gone.contains(reference.target, target), !asked.contains(reference.target, target)
                else { continue }
                merged.doubts.append("\(key.kind) \(key.id) refers to \(target), which follows a deletion")
            }
        }
        for (tie, pair) in merged.contents.newLinks(since: parent)
        where gone.contains(tie.source, pair.source) || gone.contains(tie.target, pair.target) {
            merged.doubts.append("a new link of \(pair.source) to \(pair.target) follows a deletion")
        }
        if merged.contents.isDenied(gone) { merged.add(ItemKey(kind: .club, id: -1), nil) }
        merged.contents.remove(gone)
    }

    private func judge(since before: Contents, _ merged: inout Merged) {
        for (kind, id) in merged.contents.clashes(since: before) {
            merged.add(ItemKey(kind: kind, id: id), nil)
        }
        for (kind, id) in merged.contents.dangling(since: before, mayDangle: true) {
            merged.add(ItemKey(kind: kind, id: id), nil)
        }
        for reference in Reference.all where reference.isOneToOne {
            let shared = merged.contents.sharedTargets(of: reference)
            // A child that is a parent may show such a thing of its own, until it is merged.
            if !before.sharedTargets(of: reference).isEmpty, !shared.isEmpty {
                merged.doubts.append("items that two refer to alone")
            } else if !shared.isEmpty {
                merged.add(ItemKey(kind: reference.owner, id: -1), nil)
            }
        }
        for (tie, pair) in merged.contents.newLinks(since: before)
        where !merged.contents.has(tie.source, pair.source) || !merged.contents.has(tie.target, pair.target) {
            merged.add(ItemKey(kind: tie.source, id: pair.source), nil)
        }
    }
}

extension CrossingModel.Merged {
    fileprivate mutating func add(_ key: CrossingModel.ItemKey, _ what: MergeConflict.Kind?) {
        conflicts.append(CrossingModel.Conflict(kind: key.kind, id: key.id, what: what))
    }

    /// What both sides have changed in an item.
    var ofItems: Set<String> {
        Set(conflicts.compactMap { $0.what == nil ? nil : $0.description })
    }
}

extension Contents {
    /// The items to which more than one refers, by a reference that one alone may have.
    fileprivate func sharedTargets(of reference: Reference) -> Set<Int64> {
        var known: Set<Int64> = []
        let targets = rows(reference.owner).values.compactMap { $0[reference.column] }
        return Set(targets.filter { !known.insert($0).inserted })
    }

    /// The links that earlier contents do not have.
    fileprivate func newLinks(since before: Contents) -> [(tie: Tie, pair: Pair)] {
        Tie.allCases.flatMap { tie in
            sources(tie).flatMap { source in
                let old = before.targets(of: source, tie)
                return targets(of: source, tie).filter { !old.contains($0) }.map {
                    (tie, Pair(source: source, target: $0))
                }
            }
        }
    }

    /// All items that are linked with others.
    func sources(_ tie: Tie) -> [Int64] {
        tie == .wishes ? lists.keys.sorted() : Set((pairs[tie] ?? []).map(\.source)).sorted()
    }
}
