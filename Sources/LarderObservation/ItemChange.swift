public import LarderKernel

/// An item as it has become, and how that differs from what the same observation gave before.
///
///     for try await change in store.changes(ofItem: id, of: Recipe.self) {
///         switch change.kind {
///         case .found, .inserted: show(change.item)
///         case .updated: if let rating = change[\.rating] { animate(from: rating.old, to: rating.new) }
///         case .notFound, .deleted: close()
///         }
///     }
///
/// *Rule:* a value; may be kept and sent anywhere. *Cost:* a copy of the item's row, and of the one before.
public struct ItemChange<Item: DataStoreItem>: Sendable {
    public let kind: Kind
    /// The current item; nil if it is not stored.
    public let item: Item?
    /// The item before the change: nil if it was not stored, and in the first value of an observation.
    public let old: Item?
    let row: RowChange
    /// The related items before and now, in the order in which their relationships were named.
    private let related: (old: [RelatedIdentifiers], new: [RelatedIdentifiers])

    /// The kinds of change.
    public enum Kind: Sendable, Hashable {
        /// The first value of an observation: the item is stored.
        case found
        /// The first value of an observation: the item is not stored.
        case notFound
        case inserted
        /// With the names of the attributes that have other values, and of the relationships that show other items.
        case updated(attributes: Set<String>)
        case deleted
    }

    /// The attributes that have other values, in the order of their declaration; none unless it was updated.
    public var attributeChanges: [AttributeChange] { row.attributeChanges }

    /// The two values of an attribute; nil if they are the same, or the item was not updated.
    ///
    ///     if let rating = change[\.rating] { print("from \(rating.old) to \(rating.new)") }
    ///
    /// *Cost:* both items are encoded again.
    public subscript<Value: AttributeStorable>(
        _ attribute: AttributePath<Item, Value>
    ) -> (old: Value, new: Value)? {
        let column = Item.attributes[keyPath: attribute].column
        // With its type in words: `try?` would make an attribute that may be nil an optional of an optional.
        guard row.columns.contains(column), let old, let new = item,
            let before = try? old.value(at: column, as: Value.self),
            let now = try? new.value(at: column, as: Value.self)
        else { return nil }
        return (before, now)
    }

    /// The identifiers of the related items before and now; nil if they are the same, the observation does not
    /// include the relationship, or the item was not updated.
    public subscript<Value: RelationshipValue>(
        _ relationship: KeyPath<Item.Attributes, RelationshipAttribute<Item, Value>>
    ) -> (old: [Value.Target.ID], new: [Value.Target.ID])? {
        let relationship = Item.attributes[keyPath: relationship]
        guard let before = related.old.first(where: { $0.isOf(relationship) }),
            let now = related.new.first(where: { $0.isOf(relationship) }), before != now
        else { return nil }
        return (before.ids(Value.Target.self), now.ids(Value.Target.self))
    }
}

extension ItemChange: CustomStringConvertible {
    /// Such as `updated Recipe 0ABC: rating 2.0 -> 3.0, tags`.
    public var description: String {
        let title = "\(Item.schema.name) \((item ?? old).map { "\($0.id.anyItemID)" } ?? "")"
        switch kind {
        case .found: return "found \(title)"
        case .notFound: return "found no \(Item.schema.name)"
        case .inserted: return "inserted \(title)"
        case .deleted: return "deleted \(title)"
        case .updated(let names):
            let relationships = names.subtracting(attributeChanges.map(\.attribute)).sorted()
            let parts = attributeChanges.map(\.description) + relationships
            return "updated \(title): \(parts.joined(separator: ", "))"
        }
    }
}

extension ItemChange {
    /// The first value of an observation.
    init(_ state: ItemState<Item>?) {
        kind = state == nil ? .notFound : .found
        item = state?.item
        old = nil
        row = RowChange(old: nil, new: state?.row, columns: ColumnSet())
        related = ([], state?.related ?? [])
    }

    private init(_ kind: Kind, from last: ItemChange, to next: ItemChange, _ columns: ColumnSet = ColumnSet())
    {
        self.kind = kind
        item = next.item
        old = last.item
        row = RowChange(old: last.row.new, new: next.row.new, columns: columns)
        related = (last.related.new, next.related.new)
    }

    /// The change from the last value to this one; nil if nothing differs.
    func following(_ last: ItemChange) -> ItemChange? {
        switch (last.row.new, row.new) {
        case (nil, nil): return nil
        case (nil, _?): return ItemChange(.inserted, from: last, to: self)
        case (_?, nil): return ItemChange(.deleted, from: last, to: self)
        case (let old?, let new?):
            let columns = old.changedColumns(to: new)
            let change = RowChange(old: old, new: new, columns: columns)
            let relationships = zip(last.related.new, related.new).filter { $0 != $1 }.map(\.1.name)
            let names = change.attributes.union(relationships)
            return names.isEmpty
                ? nil : ItemChange(.updated(attributes: names), from: last, to: self, columns)
        }
    }
}

/// An item as one read finds it.
struct ItemState<Item: DataStoreItem>: Sendable {
    let item: Item
    let row: RowValues
    let related: [RelatedIdentifiers]
}

/// The identifiers of the items that a relationship shows.
struct RelatedIdentifiers: Sendable, Equatable {
    let number: Int
    let name: String
    let identifiers: [AnyItemID]

    fileprivate func isOf<Item, Value>(_ relationship: RelationshipAttribute<Item, Value>) -> Bool {
        relationship.ownRelationshipNumber == number
    }

    fileprivate func ids<Target: DataStoreItem>(_ type: Target.Type) -> [Target.ID] {
        identifiers.compactMap { Target.ID($0) }
    }
}

/// Reads the identifiers of the items that a relationship of an item shows.
typealias RelationshipReading<Item: DataStoreItem> =
    @Sendable (Item, DataStoreReadAccessor) throws -> RelatedIdentifiers

extension RelationshipAttribute {
    /// Reads the identifiers of the items that the relationship shows.
    var reading: RelationshipReading<Item> {
        { [self] item, accessor in
            guard let number = ownRelationshipNumber,
                let position = Item.schema.position(ofRelationship: number)
            else {
                throw DataStoreError(
                    .invalidRequest, "A relationship that is observed with an item is not one of its own.",
                    advice: "Observe the item at the end of the reference for itself.",
                    itemType: Item.schema.name)
            }
            let source = RelationshipSource(number, of: item.id.anyItemID, Item.self)
            return RelatedIdentifiers(
                number: number, name: Item.schema.relationships[position].propertyName,
                identifiers: try accessor.ids(for: Value(source).request).map { $0.anyItemID })
        }
    }
}

extension DataStoreReadAccessor {
    /// The item with an identifier, with its row and the identifiers of related items.
    func state<Item: DataStoreItem>(
        of type: Item.Type, id: Item.ID, _ related: [RelationshipReading<Item>]
    ) throws -> ItemState<Item>? {
        guard let cells = try block().findRow(id, of: type) else { return nil }
        let row = RowValues(cells, of: Item.schema)
        let item = try Item(row: RowReader(cells: cells, of: Item.schema))
        return ItemState(item: item, row: row, related: try related.map { try $0(item, self) })
    }
}
