import Larder
import LarderConformance

@testable import AdapterTestSupport

/// A change of the items at the other end of a relationship.
enum Edit {
    case add([Int64])
    case remove(Int64)
    case removeAll
    case replace([Int64])
    case assign([Int64])

    var ids: [Int64] {
        switch self {
        case .add(let ids), .replace(let ids), .assign(let ids): ids
        case .remove(let id): [id]
        case .removeAll: []
        }
    }

    var dooms: Bool { if case .assign = self { true } else { false } }
}

/// A relationship, the kind of the items that it leads to, and their column where it is stored in one.
struct Focus {
    let edit: Int
    let kind: Kind
    let column: Int?
    /// The item that most of these references lead to.
    var target: Int64?

    private static let places: [(Kind, Int?)] = [
        (.club, 3), (.member, 3), (.member, 3), (.member, 4), (.member, 5), (.badge, 4), (.badge, 3),
        (.locker, 2), (.club, nil), (.club, nil), (.member, nil), (.member, nil), (.badge, nil),
        (.badge, nil),
    ]

    /// Each relationship, and those with one item or an order more often.
    static let all = (Array(places.indices) + [6, 7, 13, 13, 13]).map { edit in
        Focus(edit: edit, kind: places[edit].0, column: places[edit].1)
    }
}

extension CrossingRun {
    /// - Parameter edit: The number of a relationship, one of ``Focus/all``.
    func editing(_ before: Contents, _ edit: Int) -> Call? {
        switch edit {
        case 0: referring(\Club.branches, .club, 3, before) { ToMany(ids: $0) }
        case 1, 2: referring(\Club.members, .member, 3, before) { ToMany(ids: $0) }
        case 3: referring(\Club.sponsored, .member, 4, before) { ToMany(ids: $0) }
        case 4: referring(\Member.pupils, .member, 5, before) { ToMany(ids: $0) }
        case 5: referring(\Club.badges, .badge, 4, before) { ToMany(ids: $0) }
        case 6: holding(\Member.badge, .badge, 3, before)
        case 7: holding(\Member.locker, .locker, 2, before)
        case 12: linking(\Locker.tools, .tools, false, before) { ToMany(ids: $0) }
        case 8: linking(\Club.partners, .partners, false, before) { ToMany(ids: $0) }
        case 9: linking(\Member.admired, .admired, false, before) { ToMany(ids: $0) }
        case 10: linking(\Club.fans, .admired, true, before) { ToMany(ids: $0) }
        case 11: linking(\Badge.wishers, .wishes, true, before) { ToMany(ids: $0) }
        default:
            generator.oneIn(2)
                ? linking(\Member.wishes, .wishes, false, before) { OrderedToMany(ids: $0) }
                : arranging(before)
        }
    }

    /// Gives a member several wishes.
    func wishing(_ before: Contents) -> Call? {
        let badges = before.ids(.badge).filter { _ in !generator.oneIn(4) }
        return linking(\Member.wishes, .wishes, false, before, by: .add(badges)) { OrderedToMany(ids: $0) }
    }

    private func edit(_ kind: Kind, _ before: Contents) -> Edit {
        let ids = (0..<generator.number(below: 4)).map { _ in known(kind, before) }
        switch generator.number(below: 8) {
        case 0, 1, 2: return .add(generator.oneIn(2) ? [known(kind, before)] : ids)
        case 3, 4: return .remove(known(kind, before))
        case 5: return .removeAll
        case 6: return .replace(ids)
        default: return .assign(ids)
        }
    }

    private func call<Owner: Piece, Value: ToManyRelationship>(
        _ edit: Edit, of path: WritableKeyPath<Owner, Value>, _ owner: Int64, _ after: Contents,
        _ refusals: Set<DataStoreError.Code>, _ make: @escaping ([Int64]) -> Value
    ) -> Call where Value.Target.ID == Int64 {
        Call(
            title: "\(path) of \(owner): \(edit)", after: after, refusals: refusals, dooms: edit.dooms
        ) { accessor in
            guard let handle = try accessor.mutableItem(id: owner, of: Owner.self) else { return }
            let editor: RelationshipEditor<Owner, Value> =
                handle[dynamicMember: path as KeyPath<Owner, Value>]
            switch edit {
            case .add(let ids):
                if ids.count == 1 { try editor.add(id: ids[0]) } else { try editor.add(ids: ids) }
            case .remove(let id): try editor.remove(id: id)
            case .removeAll: try editor.removeAll()
            case .replace(let ids): try editor.replace(byIDs: ids)
            case .assign(let ids): handle[dynamicMember: path] = make(ids)
            }
            _ = try accessor.countItems(for: Club.all)
        }
    }

    /// Changes the items that refer to one by a column.
    private func referring<Owner: Piece, Target: Piece>(
        _ path: WritableKeyPath<Owner, ToMany<Target>>, _ kind: Kind, _ column: Int, _ before: Contents,
        _ make: @escaping ([Int64]) -> ToMany<Target>
    ) -> Call? {
        let owner = known(Owner.kind, before)
        guard before.has(Owner.kind, owner) else { return nil }
        let edit = edit(kind, before)
        let present = before.rows(kind).filter { $0.value[column] == owner }.keys.sorted()
        var (removed, added): ([Int64], [Int64]) = ([], [])
        switch edit {
        case .add(let ids): added = ids
        case .remove(let id): removed = present.filter { $0 == id }
        case .removeAll: removed = present
        case .replace(let ids), .assign(let ids):
            (removed, added) = (present.filter { !ids.contains($0) }, ids)
        }
        var codes: Set<DataStoreError.Code> = []
        if !removed.isEmpty, !kind.optionals.contains(column) { codes.insert(.invalidValue) }
        if added.contains(where: { !before.has(kind, $0) }) { codes.insert(.itemNotFound) }
        var after = before
        codes.formUnion(refer(removed, added, kind, column, to: owner, &after))
        return call(edit, of: path, owner, after, codes, make)
    }

    /// Makes items refer to an owner, and others no more; the errors that this may throw.
    func refer(
        _ removed: [Int64], _ added: [Int64], _ kind: Kind, _ column: Int, to owner: Int64,
        _ after: inout Contents
    ) -> Set<DataStoreError.Code> {
        var rows: [(kind: Kind, cells: Cells)] = []
        for (ids, value) in [(removed, Int64?.none), (added, owner)] {
            for id in ids where !rows.contains(where: { $0.cells[0] == id }) {
                guard var cells = after.items[kind]?[id] else { continue }
                cells[column] = value
                rows.append((kind, cells))
            }
        }
        return after.put(rows)
    }

    /// Sets the one item that refers to another.
    private func holding<Target: Piece>(
        _ path: WritableKeyPath<Member, ToOneInverse<Target>>, _ kind: Kind, _ column: Int,
        _ before: Contents
    ) -> Call? {
        let owner = known(.member, before)
        guard before.has(.member, owner) else { return nil }
        let new = generator.oneIn(3) ? nil : known(kind, before)
        let present = before.rows(kind).filter { $0.value[column] == owner }.keys.sorted()
        let removed = present.filter { $0 != new }
        var codes: Set<DataStoreError.Code> = []
        if !removed.isEmpty, !kind.optionals.contains(column) { codes.insert(.invalidValue) }
        if let new, !before.has(kind, new) { codes.insert(.itemNotFound) }
        var after = before
        codes.formUnion(refer(removed, new.map { [$0] } ?? [], kind, column, to: owner, &after))
        let isAssigned = generator.oneIn(2)
        return Call(
            title: "\(isAssigned ? "assign" : "set") \(path) of \(owner) to \(new.map(String.init) ?? "nil")",
            after: after, refusals: codes, dooms: isAssigned
        ) { accessor in
            guard let handle = try accessor.mutableItem(id: owner, of: Member.self) else { return }
            if isAssigned {
                handle[dynamicMember: path] = new.map { ToOneInverse(id: $0) } ?? nil
            } else {
                let editor: RelationshipEditor<Member, ToOneInverse<Target>> =
                    handle[dynamicMember: path as KeyPath<Member, ToOneInverse<Target>>]
                try editor.set(id: new)
            }
            _ = try accessor.countItems(for: Club.all)
        }
    }

    /// Changes the links of an item, from either end.
    private func linking<Owner: Piece, Value: ToManyRelationship>(
        _ path: WritableKeyPath<Owner, Value>, _ tie: Tie, _ isReversed: Bool, _ before: Contents,
        by given: Edit? = nil, _ make: @escaping ([Int64]) -> Value
    ) -> Call? where Value.Target.ID == Int64 {
        let owner = known(Owner.kind, before)
        guard before.has(Owner.kind, owner) else { return nil }
        let other = isReversed ? tie.source : tie.target
        let edit = given ?? edit(other, before)
        var after = before
        let present = isReversed ? before.sources(of: owner, tie) : before.targets(of: owner, tie)
        var removed: [Int64] = []
        switch edit {
        case .add: removed = []
        case .remove(let id): removed = [id]
        case .removeAll: removed = present
        case .replace(let ids), .assign(let ids):
            removed = tie == .wishes && !isReversed ? present : present.filter { !ids.contains($0) }
        }
        var codes: Set<DataStoreError.Code> = []
        for id in removed { isReversed ? after.unlink(id, owner, tie) : after.unlink(owner, id, tie) }
        if case .remove = edit {
            return call(edit, of: path, owner, after, codes, make)
        }
        for id in edit.ids {
            let isNew = isReversed ? after.link(id, owner, tie) : after.link(owner, id, tie)
            if isNew, !before.has(other, id), !present.contains(id) { codes.insert(.targetNotFound) }
        }
        return call(edit, of: path, owner, after, codes, make)
    }

    /// Gives an item of a list another position.
    func arranging(_ before: Contents) -> Call? {
        let owner = known(.member, before)
        let linked = before.lists[owner] ?? []
        // Positions count the items that are there.
        let list = linked.filter { before.has(.badge, $0) }
        let position = generator.number(below: list.count + 3) - 1
        let badge = generator.oneIn(2) ? known(.badge, before) : generator.pickKnown(list) ?? id()
        guard before.has(.member, owner), list.contains(badge) || !linked.contains(badge) else { return nil }
        var new = list.filter { $0 != badge }
        let isThere = list.contains(badge)
        let isInside = position >= 0 && position <= list.count
        let isInsertion = generator.oneIn(2)
        var codes: Set<DataStoreError.Code> = []
        if isInsertion || isThere, !isInside { codes.insert(.invalidRequest) }
        if isInsertion, !isThere, !before.has(.badge, badge) { codes.insert(.targetNotFound) }
        if isInsertion || isThere, isInside { new.insert(badge, at: min(position, new.count)) }
        var after = before
        after.lists[owner] = new
        let title =
            "\(isInsertion ? "insert" : "move") badge \(badge) in the wishes of \(owner) at \(position)"
        return Call(title: title, after: after, refusals: codes) { accessor in
            guard let handle = try accessor.mutableItem(id: owner, of: Member.self) else { return }
            if isInsertion {
                try handle.wishes.insert(id: badge, at: position)
            } else if let start = list.firstIndex(of: badge), position % 2 == 0 {
                try handle.wishes.move(from: start, to: position)
            } else {
                try handle.wishes.move(id: badge, to: position)
            }
        }
    }
}
