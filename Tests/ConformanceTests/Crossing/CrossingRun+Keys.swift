import Larder
import LarderConformance

@testable import AdapterTestSupport

/// The calls that find an item by its unique values.
private struct KeyCalls<Item: Piece> {
    typealias Call = (DataStoreReadWriteAccessor, Item) throws -> Void

    let columns: [Int]
    let findOrInsert: Call
    let upsert: Call
    let upsertAll: Call
}

private var clubKey: KeyCalls<Club> {
    KeyCalls(
        columns: [1],
        findOrInsert: { accessor, club in try accessor.findOrInsert(club, by: \.name) },
        upsert: { accessor, club in try accessor.upsert(club, by: \.name) },
        upsertAll: { accessor, club in try accessor.upsert(contentsOf: [club], by: \.name) })
}

private var memberKey: KeyCalls<Member> {
    KeyCalls(
        columns: [3, 1],
        findOrInsert: { accessor, member in try accessor.findOrInsert(member, by: \.number, \.club) },
        upsert: { accessor, member in try accessor.upsert(member, by: \.club, \.number) },
        upsertAll: { accessor, member in try accessor.upsert(contentsOf: [member], by: \.number, \.club) })
}

private var badgeKey: KeyCalls<Badge> {
    KeyCalls(
        columns: [1, 2],
        findOrInsert: { accessor, badge in try accessor.findOrInsert(badge, by: \.color, \.number) },
        upsert: { accessor, badge in try accessor.upsert(badge, by: \.number, \.color) },
        upsertAll: { accessor, badge in try accessor.upsert(contentsOf: [badge], by: \.color, \.number) })
}

extension Contents {
    /// False where a child and its parent have given one value to two items, so that it names either of them.
    func hasUniqueValues(_ kind: Kind, _ columns: [Int]) -> Bool {
        let values = rows(kind).values.map { kind.compared($0, columns) }.filter { !$0.contains(nil) }
        return Set(values).count == values.count
    }

    /// The item with some unique values of a row; nil if there is none, or one of them is nil.
    func item(_ kind: Kind, like row: Cells, in columns: [Int]) -> Int64? {
        let values = kind.compared(row, columns)
        if values.contains(nil) { return nil }
        return rows(kind).first { kind.compared($1, columns) == values }?.key
    }

    /// The club with a name, whatever its case.
    func club(named name: Int64) -> Int64? { item(.club, like: [nil, name], in: [1]) }
}

extension CrossingRun {
    /// Finds a club, a member or a badge by its unique values.
    func keyed(_ before: Contents) -> Call? {
        switch generator.number(below: 3) {
        case 0: keyed(by: clubKey, before)
        case 1: keyed(by: memberKey, before)
        default: keyed(by: badgeKey, before)
        }
    }

    private func keyed<Item: Piece>(by calls: KeyCalls<Item>, _ before: Contents) -> Call? {
        let (kind, columns) = (Item.kind, calls.columns)
        guard before.hasUniqueValues(kind, columns) else { return nil }
        var row = cells(kind, newID(kind, before), before)
        // Chance finds few of them.
        if generator.oneIn(2), let stored = before.items[kind]?[known(kind, before)] {
            for column in columns { row[column] = stored[column] }
            if kind.hasLetters(columns[0]) { row[columns[0]] = inAnyCase(row[columns[0]] ?? 0) }
        }
        let found = before.item(kind, like: row, in: columns)
        var after = before
        if generator.oneIn(3) {
            let codes = found == nil ? after.insert(kind, [row]) : []
            let item = Item(row)
            return Call(
                title: "find or insert \(kind) \(text(row)) by \(columns)", after: after, refusals: codes
            ) { accessor in
                try calls.findOrInsert(accessor, item)
            }
        }
        let stored = [found ?? row[0]] + row.dropFirst()
        var codes = found == nil ? after.insert(kind, [row]) : after.put([(kind, stored)])
        var values = [Item(row)]
        let gift = give(&values, as: stored[0], before, &after)
        codes.formUnion(gift.refusals)
        let (item, isAll) = (values[0], generator.oneIn(2))
        return Call(
            title: "upsert \(isAll ? "all " : "")\(kind) \(text(row)) by \(columns)\(gift.title)",
            after: after, refusals: codes, written: before.written(by: [(kind, stored)])
        ) { accessor in
            try (isAll ? calls.upsertAll : calls.upsert)(accessor, item)
        }
    }
}
