import Larder

/// What a store shows, as dictionaries, with the rules of the contract written down plainly.
struct Contents: Equatable {
    struct Pair: Hashable {
        let source: Int64
        let target: Int64
    }

    var items: [Kind: [Int64: Cells]] = [:]
    /// The pairs of the relationships without an order.
    var pairs: [Tie: Set<Pair>] = [:]
    /// The targets of each source of the relationship with an order.
    var lists: [Int64: [Int64]] = [:]

    typealias Code = DataStoreError.Code

    func has(_ kind: Kind, _ id: Int64) -> Bool { items[kind]?[id] != nil }
    func ids(_ kind: Kind) -> [Int64] { (items[kind] ?? [:]).keys.sorted() }
    func rows(_ kind: Kind) -> [Int64: Cells] { items[kind] ?? [:] }
}

/// The relationships that are kept as links.
enum Tie: String, CaseIterable {
    case partners, admired, tools, wishes

    static let unordered = [Tie.partners, .admired, .tools]

    var source: Kind {
        switch self {
        case .partners: .club
        case .tools: .locker
        case .admired, .wishes: .member
        }
    }

    var target: Kind {
        switch self {
        case .partners, .admired: .club
        case .tools, .wishes: .badge
        }
    }
}

/// A column that refers to an item, and what happens when that is deleted.
struct Reference {
    enum Rule { case cascade, deny, nullify, noAction }

    let owner: Kind
    let column: Int
    let target: Kind
    var rule = Rule.nullify
    /// True if no two items may refer to one.
    var isOneToOne = false
    /// True if the target goes with the owner.
    var takesTarget = false
    /// True if the owner does not go without its target.
    var needsTarget = false

    static let all = [
        Reference(owner: .club, column: 3, target: .club, rule: .cascade),
        Reference(owner: .member, column: 3, target: .club, rule: .cascade),
        Reference(owner: .member, column: 4, target: .club, rule: .deny),
        Reference(owner: .member, column: 5, target: .member),
        Reference(owner: .member, column: 6, target: .member, takesTarget: true),
        Reference(owner: .badge, column: 3, target: .member, isOneToOne: true),
        Reference(owner: .badge, column: 4, target: .club),
        Reference(owner: .locker, column: 2, target: .member, rule: .cascade, isOneToOne: true),
        Reference(owner: .locker, column: 3, target: .club, rule: .noAction),
        Reference(owner: .locker, column: 4, target: .badge, needsTarget: true),
    ]

    static func at(_ kind: Kind, _ column: Int) -> Reference? {
        all.first { $0.owner == kind && $0.column == column }
    }

    var isRequired: Bool { !owner.optionals.contains(column) }
}

// MARK: Values

extension Contents {
    /// Inserts items as one list; the errors that this may throw, none if it succeeds.
    mutating func insert(_ kind: Kind, _ rows: [Cells]) -> Set<Code> { insert(rows.map { (kind, $0) }) }

    /// Inserts items of several types in one call.
    mutating func insert(_ rows: [(kind: Kind, cells: Cells)]) -> Set<Code> {
        let isTaken = rows.contains { has($0.kind, $0.cells[0] ?? 0) }
        let codes = put(rows)
        // Rules are judged before identifiers, and beside the items that are there.
        return isTaken ? [.duplicateIdentifier, .uniqueViolation, .targetNotFound] : codes
    }

    /// Gives items these values as one list.
    ///
    /// - Parameter oneByOne: True if each is given its values by itself: one that keeps a value takes it back from those
    ///   before it, and one that is given another value later has freed the holder of the first.
    mutating func put(_ rows: [(kind: Kind, cells: Cells)], oneByOne: Bool = false) -> Set<Code> {
        let before = self
        for (kind, cells) in rows { items[kind, default: [:]][cells[0] ?? 0] = cells }
        var order: [(Kind, Int64)] = []
        for (kind, cells) in rows { order.append((kind, cells[0] ?? 0)) }
        var codes: Set<Code> = []
        var judged = before.touched(by: rows, leaving: self)
        for reference in Reference.all where oneByOne && reference.isOneToOne && !reference.isRequired {
            freeOneByOne(rows, reference, before, &judged)
        }
        // Rule 15: a reference that the list gives is judged, even if a later row of the list takes its target.
        if !dangling(since: judged).isEmpty { codes.insert(.targetNotFound) }
        if !freeHolders(order, before, judged, oneByOne) { codes.insert(.uniqueViolation) }
        return codes.union(refusals(since: judged))
    }

    /// The same with other values in the columns that a list of rows changes and then changes back, as these are given too.
    private func touched(by rows: [(kind: Kind, cells: Cells)], leaving after: Contents) -> Contents {
        var touched = self
        for (kind, cells) in rows {
            guard let id = cells[0], has(kind, id), let last = after.items[kind]?[id] else { continue }
            for column in cells.indices where cells[column] != last[column] {
                touched.items[kind]?[id]?[column] = cells[column]
            }
        }
        return touched
    }

    /// The items that a list of values changes, even if they are what they were when it is stored.
    ///
    /// Rule 15: each is stored as if by itself. So an item that gets a target and loses it to a later one of the
    /// list has changed twice, and so has one that loses its target to an earlier one of the list and takes it back.
    /// Rule 18: a child has touched both. An item that must have a target does not lose it: the earlier one waits.
    func written(by rows: [(kind: Kind, cells: Cells)]) -> Set<CrossingModel.ItemKey> {
        var written: Set<CrossingModel.ItemKey> = []
        for (position, (kind, cells)) in rows.enumerated() {
            let takesBack = Reference.all.contains { reference in
                reference.isOneToOne && !reference.isRequired && reference.owner == kind
                    && cells[reference.column] != nil
                    && rows[..<position].contains {
                        $0.kind == kind && $0.cells[0] != cells[0]
                            && $0.cells[reference.column] == cells[reference.column]
                    }
            }
            let id = cells[0] ?? 0
            if takesBack || items[kind]?[id] != cells {
                written.insert(CrossingModel.ItemKey(kind: kind, id: id))
            }
        }
        return written
    }

    /// The errors of a change of values.
    func refusals(since before: Contents) -> Set<Code> {
        var codes: Set<Code> = []
        if !clashes(since: before).isEmpty { codes.insert(.uniqueViolation) }
        if !dangling(since: before).isEmpty { codes.insert(.targetNotFound) }
        return codes
    }

    /// Rule 11: the items that have taken a value which another one has, with the columns of the value.
    func clashes(since before: Contents) -> [(kind: Kind, id: Int64, columns: [Int])] {
        var clashes: [(kind: Kind, id: Int64, columns: [Int])] = []
        for (kind, id, row) in changed(since: before) {
            let old = before.items[kind]?[id]
            for columns in kind.uniques where old == nil || columns.contains(where: { old?[$0] != row[$0] }) {
                let values = kind.compared(row, columns)
                if values.contains(nil) { continue }
                if rows(kind).contains(where: { $0 != id && kind.compared($1, columns) == values }) {
                    clashes.append((kind, id, columns))
                }
            }
        }
        return clashes
    }

    /// Rule 15: the items that were made to refer to one that is not there.
    ///
    /// - Parameter mayDangle: True if those without a rule may refer to an item that is gone.
    func dangling(since before: Contents, mayDangle: Bool = false) -> [(kind: Kind, id: Int64)] {
        var dangling: [(kind: Kind, id: Int64)] = []
        for (kind, id, row) in changed(since: before) {
            for reference in Reference.all where reference.owner == kind {
                if mayDangle, reference.rule == .noAction { continue }
                guard let target = row[reference.column], !has(reference.target, target) else { continue }
                if before.items[kind]?[id]?[reference.column] != target { dangling.append((kind, id)) }
            }
        }
        return dangling
    }

    private func changed(since before: Contents) -> [(kind: Kind, id: Int64, cells: Cells)] {
        Kind.allCases.flatMap { kind in
            rows(kind).filter { before.items[kind]?[$0] != $1 }.sorted { $0.key < $1.key }
                .map { (kind, $0, $1) }
        }
    }

    /// Rule 15: frees the holder of each target that the rows give, one after the other, and in what is judged too.
    private mutating func freeOneByOne(
        _ rows: [(kind: Kind, cells: Cells)], _ reference: Reference, _ before: Contents,
        _ judged: inout Contents
    ) {
        let (owner, column) = (reference.owner, reference.column)
        var targets = before.rows(owner).mapValues { $0[column] }
        for (position, row) in rows.enumerated() where row.kind == owner {
            let (id, target) = (row.cells[0] ?? 0, row.cells[column])
            let isChanged = targets.updateValue(target, forKey: id) != .some(target)
            let isContested = rows[..<position].contains {
                $0.kind == owner && $0.cells[0] != id && $0.cells[column] == target
            }
            guard target != nil, isChanged || isContested else { continue }
            for (other, held) in targets where other != id && held == target {
                targets.updateValue(nil, forKey: other)
                judged.items[owner]?[other]?[column] = nil
            }
        }
        for (id, target) in targets { items[owner]?[id]?[column] = target }
    }

    /// Rule 15: of several items that refer to one, the last that was made to keeps it.
    ///
    /// - Returns: False if one of the others must refer to an item.
    private mutating func freeHolders(
        _ order: [(Kind, Int64)], _ before: Contents, _ judged: Contents, _ oneByOne: Bool
    ) -> Bool {
        for reference in Reference.all where reference.isOneToOne {
            var winners: [Int64: Int64] = [:]
            for (kind, id) in order where kind == reference.owner {
                guard let target = items[kind]?[id]?[reference.column] else { continue }
                // Two that keep a target which a child shows twice (rule 18) take it from no other.
                let isContested =
                    oneByOne
                    && order.contains { other in
                        other.0 == kind && other.1 != id && items[kind]?[other.1]?[reference.column] == target
                            && [id, other.1].contains {
                                judged.items[kind]?[$0]?[reference.column] != target
                            }
                    }
                if isContested || before.items[kind]?[id]?[reference.column] != target {
                    winners[target] = id
                }
            }
            for (id, row) in rows(reference.owner) {
                guard let target = row[reference.column], let winner = winners[target], winner != id else {
                    continue
                }
                if reference.isRequired { return false }
                items[reference.owner]?[id]?[reference.column] = nil
            }
        }
        return true
    }
}

// MARK: Deleting

extension Contents {
    /// Rule 16: deletes items and all that follow, or nothing.
    mutating func delete(_ kind: Kind, _ asked: some Sequence<Int64>) -> Set<Code> {
        var gone = Gone()
        gone.items[kind] = Set(asked.filter { has(kind, $0) })
        while follow(&gone) {}
        if isDenied(gone) { return [.deletionDenied] }
        remove(gone)
        return []
    }

    struct Gone {
        var items: [Kind: Set<Int64>] = [:]

        func contains(_ kind: Kind, _ id: Int64) -> Bool { items[kind]?.contains(id) ?? false }

        mutating func add(_ kind: Kind, _ id: Int64) -> Bool {
            items[kind, default: []].insert(id).inserted
        }
    }

    /// Adds what goes with the items that go; false if there is nothing more.
    ///
    /// - Parameter before: What a merge found. What it has made refer to an item does not go with that.
    func follow(_ gone: inout Gone, since before: Contents? = nil) -> Bool {
        var isMore = false
        for reference in Reference.all {
            for (id, row) in rows(reference.owner) {
                guard let target = row[reference.column] else { continue }
                if reference.rule == .cascade, gone.contains(reference.target, target),
                    !isNew(target, reference, of: id, since: before)
                {
                    if gone.add(reference.owner, id) { isMore = true }
                }
                if reference.takesTarget, gone.contains(reference.owner, id), has(reference.target, target) {
                    if gone.add(reference.target, target) { isMore = true }
                }
            }
        }
        for pair in pairs[.partners] ?? []
        where gone.contains(.club, pair.source) && has(.club, pair.target)
            && !isNew(pair, .partners, since: before)
        {
            if gone.add(.club, pair.target) { isMore = true }
        }
        return isMore
    }

    func isDenied(_ gone: Gone, since before: Contents? = nil) -> Bool {
        for reference in Reference.all {
            for (id, row) in rows(reference.owner) {
                guard let target = row[reference.column] else { continue }
                let (ownerGoes, targetGoes) = (
                    gone.contains(reference.owner, id), gone.contains(reference.target, target)
                )
                if reference.rule == .deny, targetGoes, !ownerGoes { return true }
                if reference.needsTarget, ownerGoes, !targetGoes, has(reference.target, target) {
                    return true
                }
            }
        }
        return (pairs[.tools] ?? []).contains {
            gone.contains(.locker, $0.source) && !gone.contains(.badge, $0.target)
                && has(.badge, $0.target) && !isNew($0, .tools, since: before)
        }
    }

    private func isNew(
        _ target: Int64, _ reference: Reference, of id: Int64, since before: Contents?
    ) -> Bool {
        before.map { $0.items[reference.owner]?[id]?[reference.column] != target } ?? false
    }

    private func isNew(_ pair: Pair, _ tie: Tie, since before: Contents?) -> Bool {
        before.map { !$0.targets(of: pair.source, tie).contains(pair.target) } ?? false
    }

    /// Removes items, and what refers to them.
    ///
    /// - Parameter before: What a merge found. What it has made refer to an item still does.
    mutating func remove(_ gone: Gone, since before: Contents? = nil) {
        for (kind, ids) in gone.items {
            for id in ids { items[kind]?[id] = nil }
        }
        for reference in Reference.all where reference.rule != .noAction {
            for (id, row) in rows(reference.owner) {
                if let target = row[reference.column], gone.contains(reference.target, target),
                    !isNew(target, reference, of: id, since: before)
                {
                    items[reference.owner]?[id]?[reference.column] = nil
                }
            }
        }
        for tie in Tie.unordered {
            pairs[tie] = pairs[tie]?.filter { isStaying($0, tie, without: gone, since: before) }
        }
        for (source, list) in lists {
            lists[source] = list.filter {
                isStaying(Pair(source: source, target: $0), .wishes, without: gone, since: before)
            }
        }
    }

    private func isStaying(_ pair: Pair, _ tie: Tie, without gone: Gone, since before: Contents?) -> Bool {
        isNew(pair, tie, since: before)
            || !gone.contains(tie.source, pair.source) && !gone.contains(tie.target, pair.target)
    }
}

// MARK: Links

extension Contents {
    func targets(of source: Int64, _ tie: Tie) -> [Int64] {
        if tie == .wishes { return lists[source] ?? [] }
        return (pairs[tie] ?? []).filter { $0.source == source }.map(\.target).sorted()
    }

    func sources(of target: Int64, _ tie: Tie) -> [Int64] {
        if tie == .wishes { return lists.filter { $0.value.contains(target) }.keys.sorted() }
        return (pairs[tie] ?? []).filter { $0.target == target }.map(\.source).sorted()
    }

    /// Links two items; true if they were not linked.
    mutating func link(_ source: Int64, _ target: Int64, _ tie: Tie) -> Bool {
        if targets(of: source, tie).contains(target) { return false }
        if tie == .wishes {
            lists[source, default: []].append(target)
        } else {
            pairs[tie, default: []].insert(Pair(source: source, target: target))
        }
        return true
    }

    mutating func unlink(_ source: Int64, _ target: Int64, _ tie: Tie) {
        lists[source]?.removeAll { tie == .wishes && $0 == target }
        if tie != .wishes { pairs[tie]?.remove(Pair(source: source, target: target)) }
    }

    /// True if a link leads from or to an item that is not there.
    var hasDanglingLinks: Bool {
        Tie.allCases.contains { tie in
            sources(tie).contains { source in
                let targets = targets(of: source, tie)
                return !targets.isEmpty && !has(tie.source, source)
                    || targets.contains { !has(tie.target, $0) }
            }
        }
    }

    /// True if no rule is broken.
    var isSound: Bool {
        clashes(since: Contents()).isEmpty && dangling(since: Contents(), mayDangle: true).isEmpty
            && !hasDanglingLinks
            && Reference.all.allSatisfy { !$0.isOneToOne || sharedTargets(of: $0).isEmpty }
    }

    /// The same without links whose ends are not there.
    var whole: Contents {
        var whole = self
        for tie in Tie.unordered {
            whole.pairs[tie] = (pairs[tie] ?? []).filter {
                has(tie.source, $0.source) && has(tie.target, $0.target)
            }
        }
        whole.lists = lists.filter { has(.member, $0.key) }.mapValues { $0.filter { has(.badge, $0) } }
            .filter { !$0.value.isEmpty }
        for kind in Kind.allCases { whole.items[kind] = items[kind] ?? [:] }
        return whole
    }
}
