import Larder
import LarderConformance

@testable import AdapterTestSupport

// MARK: Choosing

extension CrossingRun {
    func nextCall(_ before: Contents) -> Call? {
        if let call = firstCall {
            firstCall = nil
            return call(before)
        }
        // Cascades empty a store faster than chance fills it.
        let scarce = Kind.allCases.filter { before.ids($0).count < pool / 2 }
        if let kind = scarce.first, generator.oneIn(2) { return insertion(kind.type, before) }
        var kind = generator.pick(Kind.allCases)
        if let focus, !generator.oneIn(3) {
            if generator.oneIn(focus.column == nil ? 2 : 3) { return editing(before, focus.edit) }
            kind = focus.kind
            if focus.column == nil, generator.oneIn(3) { return deletion(kind.type, before) }
        }
        switch generator.number(below: 27) {
        case 0, 1, 2, 3, 4: return insertion(kind.type, before)
        case 5, 6: return upsert(kind.type, before)
        case 7, 8: return update(kind.type, before)
        case 9: return keyed(before)
        case 10, 11: return sets(before)
        case 12, 13: return assignment(kind.type, before)
        case 14, 15, 16, 17, 18: return editing(before, generator.number(below: 14))
        case 19: return importing(before)
        case 20: return grouping(before)
        case 21: return replacing(before)
        case 22: return walk(kind.type, before)
        default: return deletion(kind.type, before)
        }
    }

    func id() -> Int64 { Int64(generator.number(below: pool)) }

    /// Most often an identifier that no item has.
    func newID(_ kind: Kind, _ contents: Contents) -> Int64 {
        let free = (0..<Int64(pool)).filter { !contents.has(kind, $0) }
        return generator.oneIn(8) ? id() : generator.pickKnown(free) ?? id()
    }

    /// Most often an item that exists, and one time in three, or two, the one that was chosen last: faults lie where
    /// one item is changed twice.
    func known(_ kind: Kind, _ contents: Contents) -> Int64 {
        if let last = last[kind], contents.has(kind, last), generator.oneIn(focus == nil ? 3 : 2) {
            return last
        }
        let known = anyKnown(kind, contents)
        last[kind] = known
        return known
    }

    private func anyKnown(_ kind: Kind, _ contents: Contents) -> Int64 {
        let ids = contents.ids(kind)
        return ids.isEmpty || generator.oneIn(16) ? id() : generator.pick(ids)
    }

    /// A value for a column.
    func value(_ kind: Kind, _ column: Int, _ contents: Contents) -> Int64? {
        if let focus, focus.kind == kind, focus.column == column, let target = focus.target,
            !generator.oneIn(4)
        {
            return target
        }
        if kind.optionals.contains(column), generator.oneIn(2) { return nil }
        if let reference = Reference.at(kind, column) { return known(reference.target, contents) }
        return kind.hasLetters(column) ? letter() : Int64(generator.number(below: 4))
    }

    /// One of so many letters that most clubs find one of their own.
    func letter() -> Int64 { Int64(generator.number(below: pool * 4)) }

    /// A letter, or the same one in the other case.
    func inAnyCase(_ letter: Int64) -> Int64 { generator.oneIn(2) ? letter ^ 1 : letter }

    func cells(_ kind: Kind, _ id: Int64, _ contents: Contents) -> Cells {
        [id] + (1..<kind.width).map { value(kind, $0, contents) }
    }

    /// The cells of a stored item with other values in some columns.
    func changed(_ kind: Kind, _ id: Int64, _ contents: Contents) -> Cells? {
        guard var cells = contents.items[kind]?[id] else { return nil }
        for column in 1..<kind.width
        where generator.oneIn(3) || focus.map({ $0.kind == kind && $0.column == column }) ?? false {
            cells[column] = value(kind, column, contents)
        }
        return cells
    }

    /// A handle of some item, to be compared after calls.
    func handle(
        _ accessor: DataStoreReadWriteAccessor, _ contents: Contents
    ) throws -> HandleCheck? {
        let kind = generator.pick(Kind.allCases)
        return try handle(of: kind.type, anyKnown(kind, contents), accessor)
    }

    private func handle<Item: Piece>(
        of type: Item.Type, _ id: Int64, _ accessor: DataStoreReadWriteAccessor
    ) throws -> HandleCheck? {
        guard let handle = try accessor.mutableItem(id: id, of: type) else { return nil }
        return { [self] contents in
            guard let cells = contents.items[Item.kind]?[id] else { return false }
            try compare(text(handle.item.cells), text(cells), "handle of \(Item.kind) \(id)")
            return true
        }
    }
}

// MARK: Values

extension CrossingRun {
    private func insertion<Item: Piece>(_ type: Item.Type, _ before: Contents) -> Call? {
        let ids = Set((0...generator.number(below: 3)).map { _ in newID(Item.kind, before) }).sorted()
        let rows = ids.map { cells(Item.kind, $0, before) }
        var after = before
        var codes = after.insert(Item.kind, rows)
        var values = rows.map { Item($0) }
        let gift = give(&values, before, &after)
        codes.formUnion(gift.refusals)
        let (items, shown) = (values, after)
        let title = "\(Item.kind) \(text(rows))\(gift.title)"
        switch generator.number(below: 3) {
        case 0 where items.count == 1:
            return Call(title: "insert \(title)", after: after, refusals: codes) { try $0.insert(items[0]) }
        case 1:
            return Call(title: "insert and get \(title)", after: after, refusals: codes) { [self] in
                let handles: [Mutable<Item>] = try $0.insert(items)
                try compare(
                    text(handles.map(\.item.cells)), text(ids.map { shown.items[Item.kind]?[$0] ?? [] }),
                    "handles of an insertion")
            }
        default:
            return Call(title: "insert all of \(title)", after: after, refusals: codes) {
                try $0.insert(contentsOf: items)
            }
        }
    }

    private func upsert<Item: Piece>(_ type: Item.Type, _ before: Contents) -> Call? {
        let isOne = generator.oneIn(2)
        let rows =
            isOne
            ? [rowToUpsert(Item.kind, known(Item.kind, before), before)] : rowsToUpsert(Item.kind, before)
        var after = before
        var codes = after.put(rows.map { (Item.kind, $0) }, oneByOne: !isOne)
        var values = rows.map { Item($0) }
        let gift = give(&values, before, &after)
        let written = before.written(by: rows.map { (Item.kind, $0) }).union(gift.written)
        codes.formUnion(gift.refusals)
        let items = values
        let title = "\(Item.kind) \(text(rows))\(gift.title)"
        if isOne {
            return Call(title: "upsert \(title)", after: after, refusals: codes, written: written) {
                try $0.upsert(items[0])
            }
        }
        return Call(title: "upsert all of \(title)", after: after, refusals: codes, written: written) {
            try $0.upsert(contentsOf: items)
        }
    }

    private func rowToUpsert(_ kind: Kind, _ id: Int64, _ before: Contents) -> Cells {
        changed(kind, id, before) ?? cells(kind, id, before)
    }

    /// Up to seven rows, some of which are of one item; they may refer to items that come later, or never.
    private func rowsToUpsert(_ kind: Kind, _ before: Contents) -> [Cells] {
        let ids = (0...generator.number(below: 7)).map { _ in known(kind, before) }
        var rows: [Cells] = []
        for id in ids {
            var row: Cells
            if let earlier = rows.last(where: { $0[0] == id }) {
                row = earlier
                for column in 1..<kind.width where generator.oneIn(3) {
                    row[column] = value(kind, column, before)
                }
            } else {
                row = rowToUpsert(kind, id, before)
            }
            for column in 1..<kind.width where Reference.at(kind, column)?.target == kind {
                if generator.oneIn(4) { row[column] = generator.oneIn(4) ? self.id() : generator.pick(ids) }
            }
            rows.append(row)
        }
        return rows
    }

    func update<Item: Piece>(_ type: Item.Type, _ before: Contents, to given: Cells? = nil) -> Call? {
        guard let row = given ?? changed(Item.kind, known(Item.kind, before), before) else { return nil }
        let id = row[0] ?? 0
        var after = before
        var codes = after.put([(Item.kind, row)])
        let written = before.written(by: [(Item.kind, row)])
        let spelling = generator.number(below: 3)
        var values = [Item(row)]
        let gift = given == nil && spelling < 2 ? give(&values, before, &after) : Gift()
        codes.formUnion(gift.refusals)
        let item = values[0]
        let title = "\(Item.kind) \(text(row))\(gift.title)"
        switch spelling {
        case 0:
            return Call(title: "update \(title)", after: after, refusals: codes, written: written) {
                try $0.update(item)
            }
        case 1:
            // What is given is written at once.
            return Call(
                title: "replace \(title)", after: after, refusals: codes, dooms: gift.isNothing,
                written: written
            ) { accessor in
                try accessor.mutableItem(id: id, of: type)?.replace(by: item)
                _ = try accessor.countItems(for: Club.all)
            }
        default:
            let names = Item.schema.attributes.map(\.name)
            return Call(
                title: "set values of \(title)", after: after, refusals: codes, dooms: true
            ) { accessor in
                guard let handle = try accessor.mutableItem(id: id, of: type) else { return }
                for column in 1..<row.count where row[column] != before.items[Item.kind]?[id]?[column] {
                    // References have types of their own.
                    if Item.kind.hasLetters(column) {
                        try handle.setValue(row[column].map(Letter.text), forKey: names[column])
                    } else if Reference.at(Item.kind, column) == nil {
                        try handle.setValue(row[column], forKey: names[column])
                    } else {
                        Item.set(column, to: row[column], in: handle)
                    }
                }
                _ = try accessor.countItems(for: Club.all)
            }
        }
    }

    /// Sets columns of up to three handles, which are judged together.
    private func sets(_ before: Contents) -> Call? {
        var rows: [(kind: Kind, cells: Cells)] = []
        for _ in 0...generator.number(below: 3) {
            let kind = generator.pick(Kind.allCases)
            let id = known(kind, before)
            guard !rows.contains(where: { $0.kind == kind && $0.cells[0] == id }),
                let row = changed(kind, id, before), row != before.items[kind]?[id]
            else { continue }
            rows.append((kind, row))
        }
        var after = before
        let codes = after.put(rows)
        return Call(
            title: "set \(rows.map { "\($0.kind) \(text($0.cells))" })", after: after, refusals: codes,
            dooms: true, written: before.written(by: rows)
        ) { accessor in
            // All are looked up first, as a look-up saves what was set before it.
            var settings: [() -> Void] = []
            for (kind, cells) in rows {
                settings.append(try self.setting(kind.type, cells, before, accessor))
            }
            for set in settings { set() }
            _ = try accessor.countItems(for: Club.all)
        }
    }

    /// Sets columns of some items in a walk over all of their type; what no two items share is judged together.
    private func walk<Item: Piece>(_ type: Item.Type, _ before: Contents) -> Call? {
        var rows: [Int64: Cells] = [:]
        for _ in 0...generator.number(below: 6) {
            let id = known(Item.kind, before)
            if let row = changed(Item.kind, id, before), row != before.items[Item.kind]?[id] {
                rows[id] = row
            }
        }
        let list = rows.sorted { $0.key < $1.key }.map { (kind: Item.kind, cells: $0.value) }
        var after = before
        let codes = after.put(list)
        let changed = rows
        return Call(
            title: "walk over \(Item.kind)s, set \(list.map { text($0.cells) })", after: after,
            refusals: codes, dooms: true, written: before.written(by: list)
        ) { accessor in
            try accessor.forEachMutableItem(for: Item.all) { handle in
                guard let row = changed[handle.id], let old = before.items[Item.kind]?[handle.id] else {
                    return
                }
                for column in 1..<row.count where row[column] != old[column] {
                    Item.set(column, to: row[column], in: handle)
                }
            }
        }
    }

    private func setting<Item: Piece>(
        _ type: Item.Type, _ row: Cells, _ before: Contents, _ accessor: DataStoreReadWriteAccessor
    ) throws -> () -> Void {
        let old = before.items[Item.kind]?[row[0] ?? 0] ?? row
        guard let handle = try accessor.mutableItem(id: row[0] ?? 0, of: type) else { return {} }
        return {
            for column in 1..<row.count where row[column] != old[column] {
                type.set(column, to: row[column], in: handle)
            }
        }
    }

    private func assignment<Item: Piece>(_ type: Item.Type, _ before: Contents) -> Call? {
        let column = 1 + generator.number(below: Item.kind.width - 1)
        let new = value(Item.kind, column, before)
        let scanned = Int64(generator.number(below: 4))
        let place = Item.kind == .locker ? 1 : 2
        var rows: [(kind: Kind, cells: Cells)] = []
        for id in before.ids(Item.kind) {
            guard var row = before.items[Item.kind]?[id], row[place] == scanned, row[column] != new else {
                continue
            }
            row[column] = new
            rows.append((Item.kind, row))
        }
        var after = before
        let codes = after.put(rows)
        return Call(
            title:
                "set column \(column) of \(Item.kind)s with \(scanned) to \(new.map(String.init) ?? "nil")",
            after: after, refusals: codes, written: before.written(by: rows)
        ) { try $0.update(Item.request(scanned), Item.assignment(column, to: new)) }
    }
}
