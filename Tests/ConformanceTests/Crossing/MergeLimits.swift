import Larder

/// The limits of what a merge may change, whatever it has settled: a second line of defence for a merge whose
/// result the model does not know.
///
/// What one side alone has changed is taken over or left, what both have changed is as the policy says, and
/// what no side has changed stays, unless a delete rule explains it.
struct MergeLimits {
    /// The parent before and after it.
    let before: Contents
    let after: Contents
    /// What the child has shown.
    let child: Contents
    let level: CrossingModel.Level
    let policy: Policy
    /// What may go with the items that the child has deleted.
    private let goers: Contents.Gone
    /// The items that both sides have inserted and the child has deleted, and what may have gone with them in the child.
    private let strangers: Contents.Gone

    init(
        before: Contents, after: Contents, child: Contents, _ level: CrossingModel.Level, _ policy: Policy
    ) {
        (self.before, self.after, self.child, self.level, self.policy) = (before, after, child, level, policy)
        var gone = Contents.Gone()
        for (key, base) in level.items.bases
        where base != nil && level.items.values[key] == nil && before.has(key.kind, key.id) {
            _ = gone.add(key.kind, key.id)
        }
        goers = gone.following(in: [before, child])
        var strangers = Contents.Gone()
        for (key, base) in level.items.bases
        where base == nil && level.items.values[key] == nil && before.has(key.kind, key.id) {
            _ = strangers.add(key.kind, key.id)
        }
        self.strangers = strangers.following(in: [before, child])
    }

    /// What is outside of them, in words.
    func breaches() -> [String] {
        var breaches: [String] = []
        for kind in Kind.allCases {
            for id in ids(kind) {
                guard let breach = breach(Versions(kind, id, self)) else { continue }
                breaches.append("\(kind) \(id) \(breach)")
            }
        }
        for tie in Tie.allCases { breaches += linkBreaches(tie) }
        return breaches + orderBreaches()
    }

    /// The numbers of items that were inserted, changed and deleted; nil if one may have come and gone.
    func counts() -> [Int]? {
        var counts = [0, 0, 0]
        for kind in Kind.allCases {
            for id in ids(kind) {
                switch (before.items[kind]?[id], after.items[kind]?[id]) {
                case (nil, nil): if goers.contains(kind, id) { return nil }
                case (nil, _?): counts[0] += 1
                case (_?, nil): counts[2] += 1
                case (let old?, let new?): if old != new { counts[1] += 1 }
                }
            }
        }
        return counts
    }

    private func ids(_ kind: Kind) -> [Int64] {
        Set(before.ids(kind) + after.ids(kind) + child.ids(kind)).sorted()
    }

    /// True if the merge has taken over everything that the child has staged.
    private var takesAll: Bool { policy == .fail || policy == .childWins }
}

// MARK: Items

extension MergeLimits {
    /// An item on all sides.
    private struct Versions {
        let kind: Kind
        let id: Int64
        let isTouched: Bool
        let base: Cells?
        let child: Cells?
        let old: Cells?
        let new: Cells?

        init(_ kind: Kind, _ id: Int64, _ limits: MergeLimits) {
            (self.kind, self.id) = (kind, id)
            let known = limits.level.items.bases[CrossingModel.ItemKey(kind: kind, id: id)]
            isTouched = known != nil
            base = known ?? nil
            child = limits.child.items[kind]?[id]
            old = limits.before.items[kind]?[id]
            new = limits.after.items[kind]?[id]
        }

        /// True if the child has deleted it.
        var isDeletion: Bool { isTouched && base != nil && child == nil }

        /// True if the child has inserted or changed it.
        var isChange: Bool { isTouched && child != nil && child != base }
    }

    private func breach(_ item: Versions) -> String? {
        let choice = policy.choice(item.kind, item.id)
        guard let new = item.new else { return breach(ofGone: item, choice) }
        let mayStay = strangers.contains(item.kind, item.id)
        if item.isDeletion, takesAll, !mayStay, item.old != nil {
            return "was deleted in the child, and stays"
        }
        if item.old == nil {
            if !item.isChange { return "comes from nowhere" }
            if item.base != nil, choice == .parent { return "was deleted in the parent, and comes back" }
        }
        for column in 1..<item.kind.width {
            let allowed = values(item, column)
            let isFreed = new[column] == nil && allowed.contains { mayBeFreed(item, column, from: $0) }
            if allowed.contains(new[column]) || isFreed { continue }
            let sides = [item.base, item.child, item.old].map { $0.map { text($0) } ?? "none" }
            return "has \(text(new)), where column \(column) would be one of \(text(allowed)) "
                + "(base \(sides[0]), child \(sides[1]), parent before \(sides[2]))"
        }
        return nil
    }

    private func breach(ofGone item: Versions, _ choice: Policy.Choice) -> String? {
        guard let old = item.old else {
            let isMissing = item.isChange && takesAll && !goers.contains(item.kind, item.id)
            return isMissing ? "does not come" : nil
        }
        if item.isDeletion {
            return old != item.base && choice == .parent ? "was changed in the parent, and goes" : nil
        }
        return goers.contains(item.kind, item.id) ? nil : "goes without a reason"
    }

    /// The values that a column may have, apart from a reference to an item that goes.
    private func values(_ item: Versions, _ column: Int) -> [Int64?] {
        guard item.isTouched, let child = item.child else { return [item.old.flatMap { $0[column] }] }
        let reference = Reference.at(item.kind, column)
        var given: [Int64?] = []
        // A unique value that another item has gets one of the policy.
        let isUnique = item.kind.uniques.contains([column]) || reference?.isOneToOne ?? false
        let choice = policy.choice(item.kind, item.id, [column])
        if isUnique, case .value(let value) = choice { given = [value] }
        guard let old = item.old else { return [child[column]] + given }
        let isChild = child[column] != (item.base ?? old)[column]
        let isParent = item.base.map { old[column] != $0[column] } ?? isChild
        if !isChild { return [old[column]] }
        if isParent, child[column] != old[column] {
            switch choice {
            case .parent: return [old[column]]
            // What comes of a value, or of a number that is taken, is the policy's too.
            case .child: return policy.givesValues ? [child[column], old[column]] + given : [child[column]]
            case .value(let value): return [value, child[column], old[column]]
            }
        }
        // The child may have freed a holder in favor of one that does not get the target.
        let isOfStranger = reference.map { reference in
            old[column].map { strangers.contains(reference.target, $0) } ?? false
        }
        if takesAll, !(reference?.isOneToOne ?? false), isOfStranger != true { return [child[column]] }
        return [child[column], old[column]] + given
    }

    /// True if a reference to an item may have been made nil.
    private func mayBeFreed(_ item: Versions, _ column: Int, from target: Int64?) -> Bool {
        guard let target, let reference = Reference.at(item.kind, column), !reference.isRequired else {
            return false
        }
        if reference.rule != .noAction, !after.has(reference.target, target) { return true }
        // The parent's holder is freed only if the child's one wins.
        if !reference.isOneToOne || policy == .parentWins && item.old != nil { return false }
        return after.rows(item.kind).contains { $0.key != item.id && $0.value[column] == target }
    }
}

// MARK: Links

extension MergeLimits {
    private func linkBreaches(_ tie: Tie) -> [String] {
        let (stored, old) = (before.pairs(of: tie), before.whole.pairs(of: tie))
        let new = after.whole.pairs(of: tie)
        let (bases, own) = (touchedPairs(tie), level.links.values.pairs(of: tie))
        return old.union(new).union(own).compactMap { pair in
            let isThere = new.contains(pair)
            let hasEnds = after.has(tie.source, pair.source) && after.has(tie.target, pair.target)
            let title = "\(tie) of \(pair.source) to \(pair.target)"
            switch (bases.contains(pair), own.contains(pair)) {
            case (false, true):
                if !isThere, hasEnds, old.contains(pair) || takesAll { return "\(title) does not come" }
            case (true, false):
                let mayStay =
                    strangers.contains(tie.source, pair.source) || strangers.contains(tie.target, pair.target)
                if isThere, takesAll && !mayStay || !stored.contains(pair) { return "\(title) stays" }
            case (false, false), (true, true):
                if isThere, !stored.contains(pair) { return "\(title) comes from nowhere" }
                if !isThere, hasEnds, old.contains(pair) { return "\(title) goes without a reason" }
            }
            return nil
        }
    }

    /// Links that the child has not touched keep their order.
    private func orderBreaches() -> [String] {
        let touched = touchedPairs(.wishes).union(level.links.values.pairs(of: .wishes))
        return after.sources(.wishes).compactMap { source in
            let lists = [before.whole, after.whole].map { contents in
                contents.targets(of: source, .wishes).filter {
                    !touched.contains(Contents.Pair(source: source, target: $0))
                }
            }
            let old = lists[0].filter { lists[1].contains($0) }
            let new = lists[1].filter { lists[0].contains($0) }
            return old == new ? nil : "wishes of \(source) have the order \(new), and had \(old)"
        }
    }

    /// The links that were there when the child first touched them.
    private func touchedPairs(_ tie: Tie) -> Set<Contents.Pair> {
        level.links.bases.compactMapValues { $0 }.pairs(of: tie)
    }
}

extension [CrossingModel.LinkKey: CrossingModel.Link] {
    fileprivate func pairs(of tie: Tie) -> Set<Contents.Pair> {
        Set(filter { $0.key.tie == tie }.map { $0.value.pair })
    }
}

extension Contents {
    fileprivate func pairs(of tie: Tie) -> Set<Pair> {
        Set(
            sources(tie).flatMap { source in
                targets(of: source, tie).map { Pair(source: source, target: $0) }
            })
    }
}

extension Contents.Gone {
    /// These items and all that may go with them, by what any of some contents has.
    fileprivate func following(in all: [Contents]) -> Contents.Gone {
        var gone = self
        var isMore = true
        while isMore {
            isMore = false
            for contents in all {
                for reference in Reference.all {
                    for (id, row) in contents.rows(reference.owner) {
                        guard let target = row[reference.column] else { continue }
                        if reference.rule == .cascade, gone.contains(reference.target, target) {
                            if gone.add(reference.owner, id) { isMore = true }
                        }
                        if reference.takesTarget, gone.contains(reference.owner, id) {
                            if gone.add(reference.target, target) { isMore = true }
                        }
                    }
                }
                for pair in contents.pairs[.partners] ?? [] where gone.contains(.club, pair.source) {
                    if gone.add(.club, pair.target) { isMore = true }
                }
            }
        }
        return gone
    }
}
