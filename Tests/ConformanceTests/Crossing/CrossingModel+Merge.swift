import Larder

extension CrossingModel {
    /// What a merge leaves in the parent if nothing conflicts, and whether anything does.
    struct Merged {
        var contents: Contents
        /// What both sides have changed, and what the state after the merge breaks.
        var conflicts: [Conflict] = []
        /// The items that the child has deleted and the parent keeps, and those that would have gone with them.
        var kept = Contents.Gone()
        /// The same of items that both have inserted and the child has deleted: rules of the parent may delete them.
        var unseen = Contents.Gone()

        /// True if the child has deleted an item that the merge does not delete.
        func staysInParent(_ kind: Kind, _ id: Int64) -> Bool {
            kept.contains(kind, id) || unseen.contains(kind, id)
        }

        /// True if a rule denies what would go.
        var isDenied = false
        /// The reasons for which the model does not know whether there is a conflict.
        var doubts: [String] = []
    }

    struct Conflict: Hashable, CustomStringConvertible {
        let kind: Kind
        let id: Int64
        /// Nil where the rules are broken.
        let what: MergeConflict.Kind?
        /// The columns of a unique value that another item has.
        var columns: [Int] = []

        var description: String {
            "\(kind) \(id) \(what.map { "\($0)" } ?? "breaks a rule")"
        }
    }

    /// Rule 19: a comparison of three versions, then the delete rules, then all other rules.
    ///
    /// - Parameter policy: Settles what both sides have changed in an item.
    func merged(_ number: Int, by policy: Policy) -> Merged {
        guard let level = levels[number], let parent = level.parent else {
            return Merged(contents: contents(number))
        }
        let before = contents(parent)
        if isCurrent(number) { return Merged(contents: contents(number)) }
        var merged = Merged(contents: before)
        let versions = level.items.versions(over: items(parent)).map { key, base, child, parent in
            ItemVersions(key: key, base: base, child: child, parent: parent)
        }
        keep(versions, level, policy, &merged)
        var gone = Contents.Gone()
        for item in versions { merge(item, policy, &merged, &gone) }
        leaveFreed(versions, level, &merged)
        mergeLinks(level, contents(number), before, &merged)
        follow(&gone, level, before, &merged)
        judge(since: before, &merged)
        return merged
    }

    private struct ItemVersions {
        let key: ItemKey
        let base: Cells?
        let child: Cells?
        let parent: Cells?

        /// True if the child has deleted what the parent has changed.
        var isDeletionOfChanged: Bool { child == nil && base != nil && parent != nil && base != parent }
    }

    /// An item that stays keeps what has gone with it in the child.
    private func keep(
        _ items: [ItemVersions], _ level: Level, _ policy: Policy, _ merged: inout Merged
    ) {
        for item in items where item.isDeletionOfChanged && !policy.takesChild(item.key.kind, item.key.id) {
            _ = merged.kept.add(item.key.kind, item.key.id)
        }
        for item in items where item.child == nil && item.base == nil && item.parent != nil {
            _ = merged.unseen.add(item.key.kind, item.key.id)
        }
        if merged.kept.items.isEmpty, merged.unseen.items.isEmpty { return }
        // As the child has seen them when it deleted them.
        var deleted = Contents()
        for item in items where item.child == nil {
            let last = level.items.lasts[item.key] ?? item.base
            deleted.items[item.key.kind, default: [:]][item.key.id] = last
        }
        for (key, base) in level.links.bases where level.links.values[key] == nil && key.tie == .partners {
            if let pair = base?.pair { deleted.pairs[.partners, default: []].insert(pair) }
        }
        while deleted.follow(&merged.kept) {}
        // The parent's rows that refer to its own item of the identifier, and what has gone with them.
        var followers = directFollowers(of: merged.unseen, items, level)
        while deleted.follow(&followers) {}
        for (kind, ids) in followers.items { merged.unseen.items[kind, default: []].formUnion(ids) }
    }

    /// The deleted items that went with some others by what they referred to when the child first touched them.
    private func directFollowers(
        of causes: Contents.Gone, _ items: [ItemVersions], _ level: Level
    ) -> Contents.Gone {
        var followers = Contents.Gone()
        for item in items where item.child == nil {
            var alone = Contents()
            alone.items[item.key.kind] = item.base.map { [item.key.id: $0] }
            var gone = causes
            _ = alone.follow(&gone)
            let isKnown = causes.contains(item.key.kind, item.key.id)
            if !isKnown, gone.contains(item.key.kind, item.key.id) {
                _ = followers.add(item.key.kind, item.key.id)
            }
        }
        for case (let key, let base?) in level.links.bases
        where level.links.values[key] == nil && key.tie == .partners && causes.contains(.club, base.source) {
            if level.items.bases[ItemKey(kind: .club, id: base.target)] != nil,
                level.items.values[ItemKey(kind: .club, id: base.target)] == nil
            {
                _ = followers.add(.club, base.target)
            }
        }
        return followers
    }

    private func merge(
        _ item: ItemVersions, _ policy: Policy, _ merged: inout Merged, _ gone: inout Contents.Gone
    ) {
        let (kind, id) = (item.key.kind, item.key.id)
        guard let child = item.child else {
            guard let base = item.base, let parent = item.parent else { return }
            // One that stays with another item is not deleted, whatever the policy has answered.
            let stays = merged.staysInParent(kind, id)
            let isOverruled = stays && policy != .fail && policy.takesChild(kind, id)
            if item.isDeletionOfChanged, !isOverruled { merged.add(item.key, .deletedInChild) }
            if stays { return }
            _ = gone.add(kind, id)
            // The child has seen what it referred to.
            for reference in Reference.all
            where reference.owner == kind && (reference.takesTarget || reference.needsTarget) {
                let column = reference.column
                if parent[column] == base[column] { merged.contents.items[kind]?[id]?[column] = nil }
            }
            return
        }
        if child == item.base { return }
        guard let parent = item.parent else {
            if item.base != nil { merged.add(item.key, .deletedInParent) }
            if item.base == nil || policy.takesChild(kind, id) {
                merged.contents.items[kind, default: [:]][id] = child
            }
            return
        }
        for column in child.indices where child[column] != item.base?[column] || item.base == nil {
            if child[column] == parent[column] { continue }
            if item.base == nil || item.base?[column] != parent[column] {
                let name = kind.type.schema.attributes[column].name
                merged.add(item.key, .changedOnBothSides(attribute: name))
                switch policy.choice(kind, id, [column]) {
                case .child: break
                case .parent: continue
                case .value(let value):
                    merged.contents.items[kind]?[id]?[column] = value
                    continue
                }
            }
            merged.contents.items[kind]?[id]?[column] = child[column]
        }
    }

    /// A reference that a rule has made nil in the child stays where its target does, or where the one that the child has
    /// given the target does not get it.
    private func leaveFreed(_ items: [ItemVersions], _ level: Level, _ merged: inout Merged) {
        for reference in Reference.all {
            let column = reference.column
            let ofOwner = items.filter { $0.key.kind == reference.owner }
            let given = Set(
                ofOwner.compactMap { item -> Int64? in
                    // One that stays had perhaps got a target before the child deleted it.
                    let isKept = merged.kept.contains(item.key.kind, item.key.id)
                    let own = item.child ?? (isKept ? level.items.lasts[item.key] : nil)
                    return own.flatMap { $0[column] == item.base?[column] ? nil : $0[column] }
                })
            let held = Set(merged.contents.rows(reference.owner).values.compactMap { $0[column] })
            for item in ofOwner {
                guard let base = item.base?[column], let child = item.child, child[column] == nil,
                    let parent = item.parent, parent[column] == base
                else { continue }
                let earlier = level.items.earlier[item.key] ?? []
                let others = earlier.compactMap { $0[column] }.filter { $0 != base }
                let mayStay = ([base] + others).contains {
                    merged.staysInParent(reference.target, $0) || reference.isOneToOne && given.contains($0)
                }
                if !others.isEmpty, mayStay {
                    merged.doubts.append("a reference that was set and made nil again")
                    continue
                }
                let isLost = reference.isOneToOne && given.contains(base) && !held.contains(base)
                let isKept = reference.rule == .nullify && merged.staysInParent(reference.target, base)
                guard isKept || isLost else { continue }
                merged.contents.items[reference.owner]?[item.key.id]?[column] = base
            }
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
                level.links.values.contains { $0.key.tie == key.tie && $0.value.pair == link.pair }
            )
            let isParent = parent.targets(of: link.source, key.tie).contains(link.target)
            if isChild, !isBase, !isParent {
                _ = merged.contents.link(link.source, link.target, key.tie)
            } else if isBase, !isChild {
                if merged.staysInParent(key.tie.source, link.source)
                    || merged.staysInParent(key.tie.target, link.target)
                {
                    continue
                }
                merged.contents.unlink(link.source, link.target, key.tie)
            } else if key.tie == .wishes, isChild, isBase || isParent {
                merged.doubts.append("a link moved on both sides")
            }
        }
    }

    /// Deletes what the child has deleted, and what the rules say of items that the child did not see.
    ///
    /// What the child has made refer to one of those still does, which is a conflict.
    private func follow(
        _ gone: inout Contents.Gone, _ level: Level, _ parent: Contents, _ merged: inout Merged
    ) {
        let asked = gone
        noteDenied(asked, level, parent, &merged)
        while merged.contents.follow(&gone, since: parent) {}
        for (kind, kept) in merged.kept.items {
            for id in kept where gone.contains(kind, id) { merged.add(ItemKey(kind: kind, id: id), nil) }
        }
        for kind in Kind.allCases {
            for id in (gone.items[kind] ?? []).subtracting(asked.items[kind] ?? [])
            where level.items.bases[ItemKey(kind: kind, id: id)] != nil {
                merged.doubts.append("\(kind) \(id) is changed by the child and follows a deletion")
            }
        }
        merged.isDenied = merged.contents.isDenied(gone, since: parent)
        if merged.isDenied { merged.add(ItemKey(kind: .club, id: -1), nil) }
        merged.contents.remove(gone, since: parent)
    }

    /// The deletions with which an item that the policy keeps would go, or that are denied as it stays, by what the
    /// child has seen when it deleted them.
    private func noteDenied(
        _ asked: Contents.Gone, _ level: Level, _ parent: Contents, _ merged: inout Merged
    ) {
        for case (let key, let base?) in level.items.bases where level.items.values[key] == nil {
            guard let theirs = parent.items[key.kind]?[key.id] else { continue }
            let last = level.items.lasts[key] ?? base
            for reference in Reference.all where reference.owner == key.kind {
                let column = reference.column
                guard theirs[column] == base[column], let target = last[column] else { continue }
                let goesAlong =
                    reference.rule == .cascade && merged.kept.contains(key.kind, key.id)
                    && asked.contains(reference.target, target)
                let isNeeded =
                    (reference.takesTarget || reference.needsTarget) && asked.contains(key.kind, key.id)
                    && merged.kept.contains(reference.target, target)
                if goesAlong || isNeeded { merged.add(key, nil) }
            }
        }
    }

    private func judge(since before: Contents, _ merged: inout Merged) {
        for (kind, id, columns) in merged.contents.clashes(since: before) {
            merged.add(ItemKey(kind: kind, id: id), nil, columns)
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
    fileprivate mutating func add(
        _ key: CrossingModel.ItemKey, _ what: MergeConflict.Kind?, _ columns: [Int] = []
    ) {
        conflicts.append(CrossingModel.Conflict(kind: key.kind, id: key.id, what: what, columns: columns))
    }

    /// True if nothing but what both sides have changed in items is to be settled.
    var isOfItems: Bool { conflicts.allSatisfy { $0.what != nil } }

    /// True if a merge must be refused for the values that its policy gives: one for two columns that are unique
    /// together.
    func isRefused(by policy: Policy) -> Bool {
        let broken = conflicts.filter { $0.what == nil }
        return doubts.isEmpty && policy.givesValues && !broken.isEmpty
            && broken.allSatisfy { conflict in
                guard conflict.columns.count > 1 else { return false }
                return policy.choice(conflict.kind, conflict.id, conflict.columns) == .value(0)
            }
    }

    /// True if it may be refused for that: also because of what comes of other conflicts.
    func mayBeRefused(by policy: Policy) -> Bool {
        policy.givesValues && !(isOfItems && doubts.isEmpty)
    }

    /// What both sides have changed in an item.
    var ofItems: Set<String> {
        Set(conflicts.compactMap { $0.what == nil ? nil : $0.description })
    }
}

extension Contents {
    /// The items to which more than one refers, by a reference that one alone may have.
    func sharedTargets(of reference: Reference) -> Set<Int64> {
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
