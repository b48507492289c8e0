import LarderKernel

/// A snapshot of every part, all of one moment.
class RoutedReading: StorageReading {
    final let schema: RoutedSchema
    /// The transactions of the first parts; of all parts unless the transaction writes.
    final var parts: [any StorageReading] = []

    init(_ schema: RoutedSchema) { self.schema = schema }

    /// The transaction of a part.
    func transaction(of part: Int) throws(DataStoreError) -> any StorageReading { parts[part] }

    /// True if a part has the last commit over several parts that the first part knows of it.
    final func hasCommit(_ part: Int) throws(DataStoreError) -> Bool {
        let name = schema.names[part]
        // The first part is asked first: a server begins then, and an upgrade locks the parts in this order.
        let known = try PartRecord(of: name, in: parts[0], schema.record(of: 0))
        let own = try PartRecord(of: name, in: parts[part], schema.record(of: part))
        return known == nil || own?.commit == known?.commit
    }

    /// True if rows may change while a cursor is open.
    var isChanging: Bool { false }

    final func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        for place in schema.places[entity]
        where try transaction(of: place.part).row(at: identifier, of: place.entity, into: cells) {
            return true
        }
        return false
    }

    final func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let places = schema.places[entity]
        if places.count == 1 {
            return try transaction(of: places[0].part).forEachRow(
                at: identifiers, of: places[0].entity, into: cells, body)
        }
        // The body is called in the order of the list, whatever part a row is in.
        let width = schema.whole.entities[entity].attributes.count
        let arena = RowArena()
        var found = [UnsafeMutablePointer<Cell>?](repeating: nil, count: identifiers.count)
        for place in places {
            try transaction(of: place.part).forEachRow(at: identifiers, of: place.entity, into: cells) {
                position throws(DataStoreError) in
                found[position] = try arena.copy(row: cells, width)
            }
        }
        for (position, row) in found.enumerated() {
            guard let row else { continue }
            cells.update(from: row, count: width)
            try body(position)
        }
        withExtendedLifetime(arena) {}
    }

    /// The core finds related items by plans about one item type each, wherever they are.
    final func runsWhole(_ plan: RequestPlan) -> Bool { false }

    final func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        let places = try schema.places(for: plan)
        if places.count == 1 {
            return try transaction(of: places[0].part).rows(for: plan.moved(to: places[0].entity))
        }
        return try PartRows(of: plan, in: places, of: self, isChanging: isChanging)
    }

    final func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        let places = try schema.places(for: plan)
        if places.count == 1 {
            return try transaction(of: places[0].part).count(for: plan.moved(to: places[0].entity))
        }
        let asked = plan.untilWindowEnd
        var count = 0
        for place in places {
            count += try transaction(of: place.part).count(for: asked.moved(to: place.entity))
        }
        return plan.countInWindow(of: count)
    }

    /// Groups that may be in several parts are left to the core, whose answer does not depend on where rows are.
    final func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        let places = try schema.places(for: plan.rows)
        guard places.count == 1 else { return nil }
        return try transaction(of: places[0].part).groups(for: plan.moved(to: places[0].entity))
    }

    final func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        let places = try schema.places(for: plan)
        if places.count == 1 {
            return try transaction(of: places[0].part).explain(plan.moved(to: places[0].entity))
        }
        let asked = plan.untilWindowEnd
        var lines: [String] = []
        for place in places {
            for line in try transaction(of: place.part).explain(asked.moved(to: place.entity)) {
                lines.append("part \"\(schema.names[place.part])\": \(line)")
            }
        }
        return lines + ["merge \(places.count) parts"]
    }

    final func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        let places = try schema.places(for: plan.rows)
        guard places.count == 1 else { return nil }
        return try transaction(of: places[0].part).explain(plan.moved(to: places[0].entity))
    }

    func end() {
        for part in parts { part.end() }
        parts = []
    }

    /// Each block begins new transactions, as all parts begin in one moment.
    final func beginAgain() -> Bool { false }
}

extension AggregatePlan {
    fileprivate func moved(to entity: Int) -> AggregatePlan {
        AggregatePlan(rows.moved(to: entity), keys: keys, terms: terms)
    }
}
