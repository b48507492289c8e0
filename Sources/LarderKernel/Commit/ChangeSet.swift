/// The changes of one commit, each item once.
///
///     for await changes in store.changes {
///         reload(changes.inserted(Recipe.self) + changes.updated(Recipe.self).map(\.id))
///     }
///
/// *Rule:* a value; may be kept and sent anywhere. Holds identifiers, not items.
public struct ChangeSet: Sendable {
    /// The changes, in the order in which the items were first touched.
    public let changes: [Change]
    /// The origin that the write was given; nil if none.
    public let origin: WriteOrigin?

    /// True if there are no changes.
    public var isEmpty: Bool { changes.isEmpty }

    /// The change of one item.
    public struct Change: Sendable, Hashable {
        /// The name under which the item's type is stored.
        public let itemType: String
        public let identifier: AnyItemID
        public let kind: Kind
    }

    /// The kinds of change.
    public enum Kind: Sendable, Hashable {
        case inserted
        /// With the names of the attributes whose values changed, and of the relationships that show other
        /// items.
        case updated(attributes: Set<String>)
        case deleted
    }

    /// The identifiers of new items of a type.
    public func inserted<Item: DataStoreItem>(_ type: Item.Type) -> [Item.ID] {
        of(type) { $0.kind == .inserted ? Item.ID($0.identifier) : nil }
    }

    /// The identifiers of changed items of a type, each with the names of what changed.
    public func updated<Item: DataStoreItem>(
        _ type: Item.Type
    ) -> [(id: Item.ID, attributes: Set<String>)] {
        of(type) { change in
            guard case .updated(let attributes) = change.kind, let id = Item.ID(change.identifier) else {
                return nil
            }
            return (id, attributes)
        }
    }

    /// The identifiers of deleted items of a type.
    public func deleted<Item: DataStoreItem>(_ type: Item.Type) -> [Item.ID] {
        of(type) { $0.kind == .deleted ? Item.ID($0.identifier) : nil }
    }

    private func of<Item: DataStoreItem, Result>(
        _ type: Item.Type, _ transform: (Change) -> Result?
    ) -> [Result] {
        let name = Item.schema.name
        return changes.lazy.filter { UTF8Text.areEqual($0.itemType, name) }.compactMap(transform)
    }
}
