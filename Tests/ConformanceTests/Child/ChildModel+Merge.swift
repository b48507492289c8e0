import Larder

extension ChildModel {
    /// Takes over what the parent has now in columns that a child has not changed.
    mutating func refresh(_ number: Int) {
        guard var level = levels[number], let parent = level.parent else { return }
        for entity in level.bases.indices {
            for (id, base) in level.bases[entity] {
                guard var old = base.row, var own = level.rows[entity][id] else { continue }
                if own == old {
                    level.bases[entity][id] = nil
                    level.rows[entity][id] = nil
                } else if let new = row(entity, id, at: parent) {
                    for column in own.indices where own[column] == old[column] {
                        (own[column], old[column]) = (new[column], new[column])
                    }
                    level.rows[entity][id] = own
                    level.bases[entity][id] = Base(row: old, asked: base.asked)
                }
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
    struct Conflict: Equatable {
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
    }

    /// Merges a child into its parent, or does nothing where there are conflicts.
    mutating func merge(_ number: Int, _ policy: Policy) -> Outcome {
        guard let level = levels[number], let parent = level.parent else { return Outcome() }
        var merge = ChildMerge(from: level, into: view(parent), policy)
        let mutations = merge.run()
        if merge.outcome.conflicts.isEmpty {
            apply(mutations, at: parent)
            removeStaged(number)
        }
        return merge.outcome
    }

    mutating func removeStaged(_ number: Int) {
        guard let level = levels[number] else { return }
        levels[number] = Level(
            parent: level.parent, changes: level.changes + 1, start: changes(above: number))
    }
}

/// Three versions of everything that a child has touched.
struct ChildMerge {
    private typealias Model = ChildModel
    private let child: ChildModel.Level
    private let parent: [ChildModel.Rows]
    private let policy: ChildModel.Policy
    private var changes: [ChildModel.Mutation?] = []
    private(set) var outcome = ChildModel.Outcome()

    init(from child: ChildModel.Level, into parent: [ChildModel.Rows], _ policy: ChildModel.Policy) {
        self.child = child
        self.parent = parent
        self.policy = policy
    }

    /// - Returns: The changes for the parent.
    mutating func run() -> [ChildModel.Mutation] {
        for entity in [Model.grower, Model.plant] {
            for (id, base) in child.bases[entity].sorted(by: { $0.key < $1.key }) {
                compare(entity, id, base)
            }
        }
        compareLinks()
        while settleClashes() {}
        let mutations = changes.compactMap(\.self)
        if outcome.conflicts.isEmpty {
            for mutation in mutations where mutation.entity != Model.link {
                switch mutation.change {
                case .insert: outcome.counts[0] += 1
                case .update: outcome.counts[1] += 1
                case .delete: outcome.counts[2] += 1
                }
            }
        }
        return mutations
    }

    private mutating func add(_ entity: Int, _ id: Int64, _ change: ChildModel.Change) {
        changes.append(ChildModel.Mutation(entity, id, change))
    }

    /// - Returns: True if the child's side is stored.
    private mutating func settle(
        _ entity: Int, _ id: Int64, _ kind: MergeConflict.Kind, canChildWin: Bool = true
    ) -> Bool {
        let conflict = ChildModel.Conflict(
            itemType: Model.names[entity], identifier: .integer(id), kind: kind)
        if policy == .fail || policy == .childWins && !canChildWin {
            outcome.conflicts.append(conflict)
        } else {
            outcome.settled.append(conflict)
        }
        return policy == .childWins && canChildWin
    }

    /// True if an item that a row refers to is deleted in the child, so that what the rules have done to the
    /// row follows in the parent by itself.
    private func followsAgain(_ entity: Int, _ row: ChildModel.Row, columns: Set<Int>) -> Bool {
        Model.references.contains { reference in
            guard reference.entity == entity, columns.contains(reference.column),
                let target = row[reference.column].number
            else { return false }
            return child.bases[reference.target][target]?.row != nil
                && child.rows[reference.target][target] == nil
        }
    }
}

// MARK: Items

extension ChildMerge {
    private mutating func compare(_ entity: Int, _ id: Int64, _ base: ChildModel.Base) {
        let (mine, theirs) = (child.rows[entity][id], parent[entity][id])
        guard let mine else {
            guard let old = base.row, let theirs else { return }
            let isAsked = base.asked.contains(0) || !followsAgain(entity, old, columns: [Model.owner])
            if !isAsked { return }
            if old == theirs || settle(entity, id, .deletedInChild) { add(entity, id, .delete) }
            return
        }
        guard let old = base.row else {
            guard let theirs else { return add(entity, id, .insert(mine)) }
            return update(entity, id, mine, theirs, Set(mine.indices), base: nil)
        }
        var columns = Set(mine.indices.filter { mine[$0] != old[$0] })
        if !base.asked.contains(0) {
            columns = columns.filter { column in
                base.asked.contains(column)
                    || !followsAgain(entity, old, columns: [column])
                        && (theirs.map { $0[column] == old[column] } ?? false)
            }
        }
        if columns.isEmpty { return }
        guard let theirs else {
            if settle(entity, id, .deletedInParent) { add(entity, id, .insert(mine)) }
            return
        }
        update(entity, id, mine, theirs, columns, base: old)
    }

    private mutating func update(
        _ entity: Int, _ id: Int64, _ mine: ChildModel.Row, _ theirs: ChildModel.Row, _ columns: Set<Int>,
        base: ChildModel.Row?
    ) {
        var values: [Int: ChildModel.Value] = [:]
        for column in columns.sorted() where mine[column] != theirs[column] {
            let kind = MergeConflict.Kind.changedOnBothSides(attribute: Model.columns[entity][column])
            if base?[column] == theirs[column] || settle(entity, id, kind) { values[column] = mine[column] }
        }
        if !values.isEmpty { add(entity, id, .update(values)) }
    }
}

// MARK: Links

extension ChildMerge {
    private typealias Ends = [ChildModel.Value]

    private mutating func compareLinks() {
        let bases = child.bases[Model.link].sorted { $0.key < $1.key }
        var order: [Ends] = []
        var links: [Ends: (base: Bool, mine: ChildModel.Row?, isRemovalAsked: Bool)] = [:]
        for (id, base) in bases {
            let mine = child.rows[Model.link][id]
            guard let row = base.row ?? mine else { continue }
            let ends = Array(row[1...])
            if links[ends] == nil { order.append(ends) }
            var link = links[ends] ?? (false, nil, false)
            if base.row != nil { link.base = true }
            if let mine {
                link.mine = mine
            } else if base.asked.contains(0) || !followsAgain(Model.link, row, columns: [1, 2]) {
                link.isRemovalAsked = true
            }
            links[ends] = link
        }
        for ends in order {
            guard let link = links[ends] else { continue }
            let theirs = parent[Model.link].filter { Array($0.value[1...]) == ends }.keys.sorted()
            if let mine = link.mine {
                if !link.base, theirs.isEmpty, let id = mine[0].number { add(Model.link, id, .insert(mine)) }
            } else if link.base, link.isRemovalAsked {
                for id in theirs { add(Model.link, id, .delete) }
            }
        }
    }
}

// MARK: Clashes

extension ChildMerge {
    /// Settles what the parent's rules would refuse.
    ///
    /// - Returns: True if other changes may clash now.
    private mutating func settleClashes() -> Bool {
        let positions = changes.indices.filter { changes[$0] != nil }
        let mutations = changes.compactMap(\.self)
        let model = ChildModel()
        let (conflicts, settled) = (outcome.conflicts.count, outcome.settled.count)
        for clash in model.clashes(mutations, parent) + model.dangling(mutations, parent) {
            let position = positions[clash.position]
            guard let change = changes[position] else { continue }
            // A link is a matter of the item whose relationship it is.
            let isLink = change.entity == Model.link
            let owner = isLink ? change.value(1)?.number ?? 0 : change.id
            _ = settle(isLink ? Model.plant : change.entity, owner, clash.kind, canChildWin: false)
            if policy == .parentWins { changes[position] = dropping(clash.columns, from: change) }
        }
        return outcome.conflicts.count == conflicts && outcome.settled.count > settled
    }

    /// The change without some columns; nil if nothing is left of it.
    private func dropping(_ columns: [Int], from change: ChildModel.Mutation) -> ChildModel.Mutation? {
        var change = change
        switch change.change {
        case .update(let values):
            let left = values.filter { !columns.contains($0.key) }
            change.change = .update(left)
            return left.isEmpty ? nil : change
        case .insert(var row):
            guard change.entity == Model.plant, columns == [Model.helper] else { return nil }
            row[Model.helper] = .none
            change.change = .insert(row)
            return change
        case .delete: return change
        }
    }
}
