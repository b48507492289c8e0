import Larder
import LarderConformance

@testable import AdapterTestSupport

/// The items that a value is given for a relationship.
struct Gift {
    /// In words; empty if there are none.
    var title = ""
    /// The errors for which it may be refused.
    var refusals: Set<DataStoreError.Code> = []
    /// The items that the owner loses to a later value, which refers to it again.
    var written: Set<CrossingModel.ItemKey> = []

    var isNothing: Bool { title.isEmpty }
}

extension CrossingRun {
    /// Gives one of some values items for a relationship, sometimes an empty list, and mostly nothing.
    ///
    /// - Parameters:
    ///   - id: The identifier of the item that gets the value; nil for that of the value.
    ///   - after: What the store shows with the columns of the values.
    func give<Item: Piece>(
        _ items: inout [Item], as id: Int64? = nil, _ before: Contents, _ after: inout Contents
    ) -> Gift {
        if !generator.oneIn(3) { return Gift() }
        guard let window = generator.pickKnown(Item.windows), !items.isEmpty else { return Gift() }
        let position = generator.number(below: items.count)
        let owner = id ?? items[position].id
        let ids = (0..<generator.number(below: 4)).map { _ in known(window.other, after) }
        var gift = Gift()
        switch window.form {
        case .links(let tie, let isReversed):
            gift.refusals = link(ids, with: owner, tie, isReversed, &after)
        case .referrers(let kind, let column):
            let present = after.rows(kind).filter { $0.value[column] == owner }.keys.sorted()
            // Those of a new item stay: itself, and in a child those of an item that its parent has deleted.
            if !before.has(Item.kind, owner), !present.isEmpty { return Gift() }
            // A value that refers to a missing item and is given to some owner may be refused or not.
            let listed = Set(items.map(\.id) + [owner])
            if !after.dangling(since: before).isEmpty, !listed.isDisjoint(with: ids) { return Gift() }
            // Values that come after it refer to it again.
            let later: Set<Int64> = kind == Item.kind ? Set(items[(position + 1)...].map(\.id)) : []
            let left = present.filter { !ids.contains($0) }
            gift.written = Set(left.filter(later.contains).map { CrossingModel.ItemKey(kind: kind, id: $0) })
            let removed = left.filter { !later.contains($0) }
            if !removed.isEmpty, !kind.optionals.contains(column) { gift.refusals.insert(.invalidValue) }
            if ids.contains(where: { !after.has(kind, $0) }) { gift.refusals.insert(.itemNotFound) }
            gift.refusals.formUnion(refer(removed, ids, kind, column, to: owner, &after))
        }
        let asValues = generator.oneIn(2)
        window.give(&items[position], ids, asValues)
        gift.title = ", \(owner) given the \(window.name) \(ids)\(asValues ? " as values" : "")"
        return gift
    }

    /// Links an item with others, and no more with those that it was linked with.
    private func link(
        _ ids: [Int64], with owner: Int64, _ tie: Tie, _ isReversed: Bool, _ after: inout Contents
    ) -> Set<DataStoreError.Code> {
        let other = isReversed ? tie.source : tie.target
        let present = isReversed ? after.sources(of: owner, tie) : after.targets(of: owner, tie)
        // The list of an owner gets a new order.
        let isOrdered = tie == .wishes && !isReversed
        for id in present where isOrdered || !ids.contains(id) {
            isReversed ? after.unlink(id, owner, tie) : after.unlink(owner, id, tie)
        }
        var codes: Set<DataStoreError.Code> = []
        for id in ids {
            let isNew = isReversed ? after.link(id, owner, tie) : after.link(owner, id, tie)
            if isNew, !after.has(other, id), !present.contains(id) { codes.insert(.targetNotFound) }
        }
        return codes
    }

    /// Inserts a club with members, and lockers of some of them, in one call.
    func grouping(_ before: Contents) -> Call? {
        let club = cells(.club, newID(.club, before), before)
        var members: [Cells] = []
        for id in Set((0..<generator.number(below: 4)).map { _ in newID(.member, before) }).sorted() {
            var row = cells(.member, id, before)
            row[3] = club[0]
            members.append(row)
        }
        var lockers: [Cells] = []
        for id in Set((0..<generator.number(below: 3)).map { _ in newID(.locker, before) }).sorted() {
            var row = cells(.locker, id, before)
            if let member = generator.pickKnown(members) { row[2] = member[0] }
            lockers.append(row)
        }
        var rows: [(kind: Kind, cells: Cells)] = [(.club, club)]
        for row in members { rows.append((.member, row)) }
        for row in lockers { rows.append((.locker, row)) }
        var after = before
        let codes = after.insert(rows)
        var item = Club(club)
        var others = members.map { Member($0) }
        // They refer to it already.
        let isGiven = generator.oneIn(2)
        if isGiven { item.members = ToMany(ids: others.map(\.id)) }
        // From both ends, which agree.
        let isAdmired = generator.oneIn(3)
        if isAdmired { admire(&item, by: &others, &after) }
        let title =
            "insert club \(text(club)) with members \(text(members)), lockers \(text(lockers))"
            + (isGiven ? ", given its members" : "") + (isAdmired ? ", which admire it" : "")
        let (owner, given, last) = (item, others, lockers.map { Locker($0) })
        return Call(title: title, after: after, refusals: codes) { accessor in
            try accessor.insert(owner, with: given, last)
        }
    }

    /// Gives members to a club and the club to them, for one relationship.
    private func admire(_ club: inout Club, by members: inout [Member], _ after: inout Contents) {
        let ids = members.map(\.id)
        club.fans = ToMany(ids: ids)
        _ = link(ids, with: club.id, .admired, true, &after)
        for position in members.indices {
            members[position].admired = ToMany(ids: [club.id])
            _ = link([club.id], with: ids[position], .admired, false, &after)
        }
    }
}
