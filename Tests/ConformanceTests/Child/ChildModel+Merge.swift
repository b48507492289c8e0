import Larder

extension ChildModel {
    /// Takes over what the parent has now in columns that a child has not changed.
    mutating func refresh(_ number: Int) {
        guard var level = levels[number], let parent = level.parent else { return }
        for entity in level.bases.indices {
            for (id, base) in level.bases[entity] {
                guard var old = base.row, var own = level.rows[entity][id] else { continue }
                if let new = row(entity, id, at: parent) {
                    // Also what both have set alike is the parent's from now on.
                    for column in own.indices where own[column] == old[column] || own[column] == new[column] {
                        (own[column], old[column]) = (new[column], new[column])
                    }
                }
                level.rows[entity][id] = own == old ? nil : own
                level.bases[entity][id] = own == old ? nil : Base(row: old)
            }
        }
        level.changes += 1
        levels[number] = level
    }
}

extension ChildModel {
    enum Policy: CaseIterable {
        case fail, childWins, parentWins

        var policy: MergePolicy {
            switch self {
            case .fail: .fail
            case .childWins: .childWins
            case .parentWins: .parentWins
            }
        }
    }

    /// A conflict as the result of a merge tells it.
    struct Conflict: Hashable {
        let itemType: String
        let identifier: AnyItemID
        let kind: MergeConflict.Kind
    }

    /// The outcome of a merge.
    struct Outcome: Equatable {
        var settled: [Conflict] = []
        var conflicts: [Conflict] = []
        /// The numbers of items inserted, updated and deleted.
        var counts = [0, 0, 0]

        /// With the conflicts in an order that does not depend on how they were found.
        var sorted: Outcome {
            func sorted(_ list: [Conflict]) -> [Conflict] { list.sorted { "\($0)" < "\($1)" } }
            return Outcome(settled: sorted(settled), conflicts: sorted(conflicts), counts: counts)
        }
    }

    /// Merges a child into its parent, or does nothing where there are conflicts.
    mutating func merge(_ number: Int, _ policy: Policy) -> Outcome {
        guard let level = levels[number], let parent = level.parent else { return Outcome() }
        var merge = ChildMerge(from: level, into: view(parent), policy)
        merge.run()
        if merge.outcome.conflicts.isEmpty {
            for mutation in merge.mutations { write(mutation, at: parent) }
            removeStaged(number)
        }
        return merge.outcome.sorted
    }
}

/// Three versions of everything that a child has touched.
struct ChildMerge {
    private typealias Model = ChildModel
    private let child: ChildModel.Level
    private let parent: [ChildModel.Rows]
    private let policy: ChildModel.Policy
    private var known: Set<Known> = []
    private(set) var outcome = ChildModel.Outcome()
    /// What the policy has decided to leave as the parent has it: whole rows, or columns of them.
    private var left: [Key: Set<Int>] = [:]
    /// The rows whose deletion the parent's rules deny.
    private var denied: Set<Key> = []

    // Of one attempt:
    /// The changes for the parent, and then what follows from them.
    private(set) var mutations: [ChildModel.Mutation] = []
    /// The rows that the child has deleted and the parent keeps.
    private var kept: Set<Key> = []
    /// The rows that both sides have inserted and the child has deleted, and those that have gone with them.
    private var unseen: Set<Key> = []

    private struct Key: Hashable {
        let entity: Int
        let id: Int64
    }

    /// A conflict that was settled.
    ///
    /// By the row, as two new links of one item that is gone are two conflicts, which only their rows tell apart.
    private struct Known: Hashable {
        let key: Key
        let kind: MergeConflict.Kind
    }

    /// Something that the parent's rules refuse.
    private struct Finding {
        let key: Key
        let kind: MergeConflict.Kind
        var columns: [Int] = []

        var isDenial: Bool { if case .deletionDenied = kind { true } else { false } }
    }

    init(from child: ChildModel.Level, into parent: [ChildModel.Rows], _ policy: ChildModel.Policy) {
        self.child = child
        self.parent = parent
        self.policy = policy
    }

    mutating func run() {
        while true {
            (mutations, kept, unseen, outcome.counts) = ([], [], [], [0, 0, 0])
            for entity in [Model.grower, Model.plant] {
                for (id, base) in child.bases[entity].sorted(by: { $0.key < $1.key }) {
                    compare(entity, id, base)
                }
            }
            leaveFollowers()
            compareLinks()
            let findings = apply()
            let isRefused = !outcome.conflicts.isEmpty
            settle(findings)
            if findings.isEmpty || isRefused || !outcome.conflicts.isEmpty { return leaveOverruled() }
        }
    }

    /// Takes out the deletions that the policy has settled for the child, of items that stay with another one.
    private mutating func leaveOverruled() {
        let staying = Set(policy == .childWins ? unseen.map { [Model.names[$0.entity], "\($0.id)"] } : [])
        outcome.settled.removeAll {
            $0.kind == .deletedInChild && staying.contains([$0.itemType, "\($0.identifier)"])
        }
    }

    /// - Returns: True if the child's side is stored.
    private mutating func settle(
        _ key: Key, _ kind: MergeConflict.Kind, canChildWin: Bool = true
    ) -> Bool {
        // A link is a matter of the item whose relationship it is.
        let isLink = key.entity == Model.link
        let owner = isLink ? child.rows[Model.link][key.id]?[1].number ?? 0 : key.id
        let conflict = ChildModel.Conflict(
            itemType: Model.names[isLink ? Model.plant : key.entity], identifier: .integer(owner), kind: kind)
        if known.insert(Known(key: key, kind: kind)).inserted {
            if policy == .fail || policy == .childWins && !canChildWin {
                outcome.conflicts.append(conflict)
            } else {
                outcome.settled.append(conflict)
            }
        }
        return policy == .childWins && canChildWin
    }

    /// Denied deletions come first, and alone: what stays with such an item may be what the other findings miss.
    ///
    /// So what was decided about those before is taken back.
    private mutating func settle(_ findings: [Finding]) {
        let denials = findings.filter(\.isDenial)
        let mayBeStale = left.keys.contains { !denied.contains($0) }
        let count = denied.count
        for finding in denials { settle(finding) }
        if denials.isEmpty || !outcome.conflicts.isEmpty {
            for finding in findings where !finding.isDenial { settle(finding) }
        }
        if mayBeStale, denied.count > count, outcome.conflicts.isEmpty {
            left = left.filter { denied.contains($0.key) }
            known = known.filter { !Self.isOfState($0.kind) }
            outcome.settled.removeAll { Self.isOfState($0.kind) }
        }
    }

    /// True if a conflict is found in the merged state, and not by comparing three versions of an item.
    private static func isOfState(_ kind: MergeConflict.Kind) -> Bool {
        switch kind {
        case .notUnique, .targetNotFound: true
        default: false
        }
    }

    private mutating func settle(_ finding: Finding) {
        if let left = left[finding.key], left.contains(0) || left.isSuperset(of: finding.columns) { return }
        _ = settle(finding.key, finding.kind, canChildWin: false)
        guard policy == .parentWins else { return }
        if finding.isDenial { denied.insert(finding.key) }
        let isNew = mutations.contains { mutation in
            guard case .insert = mutation.change else { return false }
            return mutation.entity == finding.key.entity && mutation.id == finding.key.id
        }
        let isWhole = finding.columns.isEmpty || isNew && finding.columns != [Model.helper]
        left[finding.key, default: []].formUnion(
            isWhole || finding.key.entity == Model.link ? [0] : Set(finding.columns))
    }

    private mutating func add(_ entity: Int, _ id: Int64, _ change: ChildModel.Change) {
        let key = Key(entity: entity, id: id)
        let left = left[key] ?? []
        if left.contains(0) {
            if case .delete = change { kept.insert(key) }
            return
        }
        var change = change
        switch change {
        case .insert(var row):
            for column in left { row[column] = .none }
            change = .insert(row)
        case .update(let values):
            let rest = values.filter { !left.contains($0.key) }
            if rest.isEmpty { return }
            change = .update(rest)
        case .delete: break
        }
        mutations.append(ChildModel.Mutation(entity, id, change))
    }
}

// MARK: Comparing

extension ChildMerge {
    private mutating func compare(_ entity: Int, _ id: Int64, _ base: ChildModel.Base) {
        let key = Key(entity: entity, id: id)
        switch (base.row, child.rows[entity][id], parent[entity][id]) {
        case (_, nil, nil): return
        case (nil, nil, _?): unseen.insert(key)
        case (nil, let mine?, nil): add(entity, id, .insert(mine))
        case (nil, let mine?, let theirs?): update(entity, id, mine, theirs, Set(mine.indices), base: nil)
        case (let old?, nil, let theirs?):
            if old == theirs || settle(key, .deletedInChild) {
                add(entity, id, .delete)
            } else {
                kept.insert(key)
            }
        case (let old?, let mine?, let theirs):
            let columns = Set(mine.indices.filter { mine[$0] != old[$0] })
            if columns.isEmpty { return }
            if let theirs { return update(entity, id, mine, theirs, columns, base: old) }
            if settle(key, .deletedInParent) { add(entity, id, .insert(mine)) }
        }
    }

    private mutating func update(
        _ entity: Int, _ id: Int64, _ mine: ChildModel.Row, _ theirs: ChildModel.Row, _ columns: Set<Int>,
        base: ChildModel.Row?
    ) {
        var values: [Int: ChildModel.Value] = [:]
        for column in columns.sorted() where mine[column] != theirs[column] {
            let kind = MergeConflict.Kind.changedOnBothSides(attribute: Model.columns[entity][column])
            if base?[column] == theirs[column] || settle(Key(entity: entity, id: id), kind) {
                values[column] = mine[column]
            }
        }
        if !values.isEmpty { add(entity, id, .update(values)) }
    }

    /// Leaves out what has followed in the child from a deletion that is left out.
    private mutating func leaveFollowers() {
        func isReferred(in rows: Set<Key>, _ row: ChildModel.Row?, _ column: Int) -> Bool {
            guard let id = row?[column].number else { return false }
            return rows.contains(Key(entity: Model.grower, id: id))
        }
        let list = mutations
        mutations = list.compactMap { mutation in
            guard mutation.entity == Model.plant else { return mutation }
            let base = child.bases[Model.plant][mutation.id]?.row
            switch mutation.change {
            case .insert: return mutation
            case .delete:
                let key = Key(entity: Model.plant, id: mutation.id)
                let last = child.lasts[Model.plant][mutation.id] ?? base
                if isReferred(in: kept, last, Model.owner) {
                    kept.insert(key)
                } else if isReferred(in: unseen, base, Model.owner) {
                    unseen.insert(key)
                } else {
                    return mutation
                }
                return nil
            case .update(var values):
                let last = child.lasts[Model.plant][mutation.id]
                let (old, own) = (base?[Model.helper], last?[Model.helper])
                let isSet = old != nil && old != own && own?.number != nil
                // Only what the parent had stays with an item that both sides have inserted.
                let keepers = isSet ? kept : kept.union(unseen)
                if isReferred(in: keepers, isSet ? last : base, Model.helper),
                    values[Model.helper] == ChildModel.Value.none
                {
                    values[Model.helper] = nil
                }
                return values.isEmpty ? nil : ChildModel.Mutation(Model.plant, mutation.id, .update(values))
            }
        }
    }

    private typealias Ends = [ChildModel.Value]

    private mutating func compareLinks() {
        var order: [Ends] = []
        var links: [Ends: (base: Bool, mine: ChildModel.Row?)] = [:]
        for (id, base) in child.bases[Model.link].sorted(by: { $0.key < $1.key }) {
            let mine = child.rows[Model.link][id]
            guard let row = base.row ?? mine else { continue }
            let ends = Array(row[1...])
            if links[ends] == nil { order.append(ends) }
            let link = links[ends] ?? (false, nil)
            links[ends] = (link.base || base.row != nil, mine ?? link.mine)
        }
        for ends in order {
            guard let link = links[ends] else { continue }
            let theirs = parent[Model.link].filter { Array($0.value[1...]) == ends }.keys.sorted()
            if let mine = link.mine {
                if !link.base, theirs.isEmpty, let id = mine[0].number { add(Model.link, id, .insert(mine)) }
            } else if link.base {
                let keys = [(Model.plant, ends[0]), (Model.grower, ends[1])].map {
                    Key(entity: $0, id: $1.number ?? 0)
                }
                if keys.contains(where: kept.union(unseen).contains) { continue }
                for id in theirs { add(Model.link, id, .delete) }
            }
        }
    }
}

// MARK: Applying and judging

extension ChildMerge {
    /// Applies the list and what follows for rows that it has not set.
    ///
    /// - Returns: What the rules refuse in the state after it.
    private mutating func apply() -> [Finding] {
        var rows = parent
        var set: [Key: Set<Int>] = [:]
        var gone: Set<Key> = []
        for mutation in mutations {
            let key = Key(entity: mutation.entity, id: mutation.id)
            switch mutation.change {
            case .insert(let row):
                rows[key.entity][key.id] = row
                set[key] = Set(row.indices)
                count(0, key)
            case .update(let values):
                for (column, value) in values { rows[key.entity][key.id]?[column] = value }
                set[key, default: []].formUnion(values.keys)
                count(1, key)
            case .delete:
                if rows[key.entity].removeValue(forKey: key.id) != nil { gone.insert(key) }
                count(2, key)
            }
        }
        let asked = mutations
        var findings: [Finding] = []
        var freed: Set<Key> = []
        while !gone.isEmpty {
            var next: Set<Key> = []
            for reference in Model.references {
                for (id, row) in rows[reference.entity].sorted(by: { $0.key < $1.key }) {
                    let key = Key(entity: reference.entity, id: id)
                    guard let number = row[reference.column].number,
                        gone.contains(Key(entity: reference.target, id: number)),
                        !(set[key]?.contains(reference.column) ?? false)
                    else { continue }
                    if reference.nullifies {
                        rows[key.entity][id]?[reference.column] = .none
                        mutations.append(
                            ChildModel.Mutation(key.entity, id, .update([reference.column: .none])))
                        freed.insert(key)
                    } else if kept.contains(key) {
                        findings.append(
                            Finding(
                                key: Key(entity: reference.target, id: number),
                                kind: .deletionDenied(reason: "")))
                    } else {
                        next.insert(key)
                    }
                }
            }
            for key in next {
                rows[key.entity][key.id] = nil
                mutations.append(ChildModel.Mutation(key.entity, key.id, .delete))
                count(2, key)
                freed.remove(key)
                if set[key] != nil { count(1, key, by: -1) }
            }
            gone = next
        }
        for key in freed where set[key] == nil { count(1, key) }
        // What stays denies the deletion of the owner that it had in the child, unless the parent has given it another.
        for key in kept where key.entity == Model.plant {
            let base = child.bases[key.entity][key.id]?.row
            let last = child.lasts[key.entity][key.id] ?? base
            let isMoved = base?[Model.owner] != parent[key.entity][key.id]?[Model.owner]
            let owner = Key(entity: Model.grower, id: last?[Model.owner].number ?? -1)
            let isDeleted = asked.contains { $0.isDeletion && $0.entity == owner.entity && $0.id == owner.id }
            if isDeleted, !isMoved { findings.append(Finding(key: owner, kind: .deletionDenied(reason: ""))) }
        }
        // Under another policy the merge fails by the conflict that keeps them.
        if policy != .parentWins { findings = [] }
        let model = ChildModel()
        for clash in model.clashes(asked, rows) + model.dangling(asked, rows) {
            let key = Key(entity: asked[clash.position].entity, id: asked[clash.position].id)
            // A row that goes by a rule clashes with none.
            if rows[key.entity][key.id] == nil { continue }
            findings.append(Finding(key: key, kind: clash.kind, columns: clash.columns))
        }
        return findings
    }

    private mutating func count(_ kind: Int, _ key: Key, by number: Int = 1) {
        if key.entity != Model.link { outcome.counts[kind] += number }
    }
}
