/// The deletions that others forbid unless they are deleted too.
///
/// Judged after the last wave. *Cost:* memory for the items in question; those that have gone are forgotten
/// from time to time.
struct PendingDenials {
    private typealias Reference = ReferenceGraph.Reference

    /// The values by which others referred to deleted items, by the column of these.
    private var referredTo: [Place: (name: String, reference: Reference, values: Set<Constant>)] = [:]
    /// Items that must go too, each with a deleted one that they forbid to delete, by the relationship.
    private var required: [Place: (name: String, deletedType: Int, items: [Constant: Constant])] = [:]
    private var room = 4096

    /// A column, and the item type at one of its ends.
    private struct Place: Hashable {
        let entity: Int
        let column: Int
        let itemType: Int

        func precedes(_ other: Place) -> Bool {
            (entity, column, itemType) < (other.entity, other.column, other.itemType)
        }
    }

    /// The number of items that are remembered.
    private(set) var count = 0

    /// Adds deleted items, to some of which others refer by the column of a consequence.
    mutating func add(
        _ identifiers: [Constant], to consequence: ReferenceGraph.Consequence, in pipeline: RowPipeline
    ) throws(DataStoreError) {
        let reference = consequence.reference
        let place = Place(
            entity: reference.entity, column: reference.column, itemType: reference.target)
        referredTo[place, default: (consequence.name, reference, [])].values
            .formUnion(reference.values(of: identifiers, in: pipeline.resources.schema))
        try noteGrowth(by: identifiers.count, in: pipeline)
    }

    /// Adds an item that must go, as a deleted one was linked with it or has referred to it.
    mutating func add(
        _ item: Constant, of entity: Int, by deleted: (item: Constant, type: Int),
        _ reference: ReferenceGraph.Reference, name: String, in pipeline: RowPipeline
    ) throws(DataStoreError) {
        let place = Place(entity: reference.entity, column: reference.column, itemType: entity)
        required[place, default: (name, deleted.type, [:])].items[item] = deleted.item
        try noteGrowth(by: 1, in: pipeline)
    }

    /// Forgets those that no longer forbid anything, each time twice as many have gathered.
    private mutating func noteGrowth(by number: Int, in pipeline: RowPipeline) throws(DataStoreError) {
        count += number
        if count < room { return }
        try pipeline.judging { reading throws(DataStoreError) in try forgetGone(reading) }
        count =
            referredTo.values.reduce(0) { $0 + $1.values.count }
            + required.values.reduce(0) { $0 + $1.items.count }
        room = max(4096, 2 * count)
    }

    private mutating func forgetGone(_ reading: RuleReading) throws(DataStoreError) {
        for (place, entry) in referredTo {
            var kept: Set<Constant> = []
            for part in sorted(entry.values, place.entity, place.column, reading).plannedParts
            where try referrer(by: part, place, reading) != nil {
                for value in part where try referrer(by: [value], place, reading) != nil {
                    kept.insert(value)
                }
            }
            referredTo[place]?.values = kept
        }
        for (place, entry) in required {
            let all = sorted(entry.items.keys, place.itemType, 0, reading)
            let gone = Set(try reading.missing(all, of: place.itemType))
            required[place]?.items = entry.items.filter { !gone.contains($0.key) }
        }
    }
}

// MARK: Judging

/// A deleted item, and another one that is there and forbids its deletion.
package struct Denial {
    package let item: Constant
    package let itemType: Int
    let other: Constant
    let otherType: Int
    /// The relationship with the rule.
    let name: String

    package init(item: Constant, itemType: Int, other: Constant, otherType: Int, name: String) {
        (self.item, self.itemType) = (item, itemType)
        (self.other, self.otherType, self.name) = (other, otherType, name)
    }

    package func error(in schema: StoreSchema) -> DataStoreError {
        func title(_ identifier: Constant, _ entity: Int) -> (String, AnyItemID?) {
            let schema = schema.entities[entity]
            let identifier = identifier.withCell { AnyItemID($0, type: schema.attributes[0].type) }
            return ("\(schema.name) \(identifier.map(\.description) ?? "nil")", identifier)
        }
        let (deleted, identifier) = title(item, itemType)
        // A reference to any of several types has its rule itself.
        let isOfDeleted = schema.relationships[itemType].contains { $0.propertyName == name }
        return DataStoreError(
            .deletionDenied,
            """
            The \(deleted) cannot be deleted while the \(title(other, otherType).0) is not, by the delete rule \
            of \(schema.entities[isOfDeleted ? itemType : otherType].name).\(name).
            """,
            itemType: schema.entities[itemType].name, attribute: name, identifier: identifier)
    }
}

extension PendingDenials {
    /// The denied deletions, at most so many; each deleted item once for each relationship that forbids it.
    func found(in pipeline: RowPipeline, limit: Int = .max) throws(DataStoreError) -> [Denial] {
        if referredTo.isEmpty, required.isEmpty { return [] }
        return try pipeline.judging { reading throws(DataStoreError) in
            var denials: [Denial] = []
            for (place, entry) in referredTo.sorted(by: { $0.key.precedes($1.key) }) {
                for part in sorted(entry.values, place.entity, place.column, reading).plannedParts {
                    var rest = part[...]
                    while denials.count < limit,
                        let (row, value) = try referrer(by: Array(rest), place, reading)
                    {
                        let item = value.withCell { entry.reference.item($0, in: reading.schema) }
                        denials.append(
                            Denial(
                                item: item ?? .null, itemType: place.itemType, other: row,
                                otherType: place.entity, name: entry.name))
                        rest = rest.drop { $0 != value }.dropFirst()
                    }
                }
            }
            for (place, entry) in required.sorted(by: { $0.key.precedes($1.key) }) {
                let all = sorted(entry.items.keys, place.itemType, 0, reading)
                let gone = Set(try reading.missing(all, of: place.itemType))
                for item in all where denials.count < limit && !gone.contains(item) {
                    guard let deleted = entry.items[item] else { continue }
                    denials.append(
                        Denial(
                            item: deleted, itemType: entry.deletedType, other: item,
                            otherType: place.itemType, name: entry.name))
                }
            }
            return denials
        }
    }

    private func sorted(
        _ values: some Sequence<Constant>, _ entity: Int, _ column: Int, _ reading: RuleReading
    ) -> [Constant] {
        Array(values).sortedAndDistinct(reading.schema.entities[entity].storage(ofColumn: column))
    }

    /// The first row that refers by one of some values, and that value.
    private func referrer(
        by values: [Constant], _ place: Place, _ reading: RuleReading
    ) throws(DataStoreError) -> (row: Constant, value: Constant)? {
        if values.isEmpty { return nil }
        let schema = reading.schema.entities[place.entity]
        let plan = RequestPlan(
            entity: place.entity, schema: schema, columns: .some([0, place.column]),
            predicate: .oneOf(values, inColumn: place.column),
            order: [RequestPlan.SortTerm(column: place.column, isAscending: true)], limit: 1)
        var found: (row: Constant, value: Constant)?
        try reading.forEachRow(of: plan) { cells in
            found = (
                Constant(cells[0], storage: schema.storage(ofColumn: 0)),
                Constant(cells[1], storage: schema.storage(ofColumn: place.column))
            )
        }
        return found
    }
}
