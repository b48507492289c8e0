import LarderKernel

/// A snapshot of every part, all of one moment.
class RoutedReading: StorageReading {
    final let schema: RoutedSchema
    /// The transactions of the first parts; of all parts unless the transaction writes.
    final var parts: [any StorageReading] = []

    init(_ schema: RoutedSchema) { self.schema = schema }

    /// The transaction of a part.
    func transaction(of part: Int) throws(DataStoreError) -> any StorageReading { parts[part] }

    final func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        let place = schema.places[entity]
        return try transaction(of: place.part).row(at: identifier, of: place.entity, into: cells)
    }

    final func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        let place = schema.places[entity]
        try transaction(of: place.part).forEachRow(at: identifiers, of: place.entity, into: cells, body)
    }

    /// The core finds related items by plans about one item type each, wherever they are.
    final func runsWhole(_ plan: RequestPlan) -> Bool { false }

    final func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        let place = schema.places[plan.entity]
        return try transaction(of: place.part).rows(for: plan.moved(to: place.entity))
    }

    final func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        let place = schema.places[plan.entity]
        return try transaction(of: place.part).count(for: plan.moved(to: place.entity))
    }

    final func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? {
        let place = schema.places[plan.rows.entity]
        return try transaction(of: place.part).groups(for: plan.moved(to: place.entity))
    }

    final func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        let place = schema.places[plan.entity]
        return try transaction(of: place.part).explain(plan.moved(to: place.entity))
    }

    final func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? {
        let place = schema.places[plan.rows.entity]
        return try transaction(of: place.part).explain(plan.moved(to: place.entity))
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
