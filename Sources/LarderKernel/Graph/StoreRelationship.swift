/// A relationship of a store: its two ends as numbers, and the place where it is stored.
///
/// *Rule:* immutable; made when the ``StoreSchema`` is.
public struct StoreRelationship: Sendable {
    /// The number of the item type whose property it is.
    public let owner: Int
    /// Its place among the relationships of the owner.
    public let number: Int
    /// The name in the store.
    public let name: String
    /// The name of the Swift property; ``name`` in a store that is open without the app's types.
    public let propertyName: String
    /// The number of the item type at the other end.
    public let target: Int
    public let targetSchema: EntitySchema
    public let form: Form
    public let kind: RelationshipSchema.Kind
    public let deleteRule: DeleteRule
    /// The number of the relationship that shows the same from the other end; nil if none does.
    public let inverse: Int?
    public internal(set) var ends: Ends

    /// The certainty with which there is an item at the other end.
    public enum Ends: Sendable, Hashable {
        /// Each reference leads to an item, and there is always one.
        case always
        /// Each reference and each link leads to an item, or the owner has none at all.
        case any
        /// A reference or a link may still lead to an item that was deleted.
        case mayBeGone
    }

    /// The one place where a relationship is stored.
    public enum Form: Sendable, Hashable {
        /// In a column of the owner.
        case reference(column: Int)
        /// In a column of the target, which refers to the owner.
        case referrers(column: Int)
        /// As rows of their own, each with the identifiers of both ends.
        case links(LinkSide)
    }

    /// True if links may lead from or to items that are gone: in a child, those that it has staged if its parent deletes
    /// the item, and those that its parent makes if the child has.
    var linksMayDangle: Bool {
        if case .links = form { ends == .mayBeGone } else { false }
    }

    /// The column of the owner by which it finds the items: a reference, or else its identifier.
    public var ownColumn: Int {
        if case .reference(let column) = form { column } else { 0 }
    }

    /// The rows of a many-to-many relationship, seen from one end.
    public struct LinkSide: Sendable, Hashable {
        /// The number of the entity that holds the links.
        public let entity: Int
        /// True if the owner is the target of the links.
        public let isReversed: Bool
        /// True if each link has a rank, and the owner its items in that order; never of a reversed side.
        public let isOrdered: Bool

        /// The column with the identifier of the owner.
        public var ownerColumn: Int { isReversed ? LinkEntity.target : LinkEntity.source }
        /// The column with the identifier of the item at the other end.
        public var targetColumn: Int { isReversed ? LinkEntity.source : LinkEntity.target }
        /// The column by which the links of an owner are in order.
        package var orderColumn: Int { isOrdered ? LinkEntity.rank : targetColumn }
    }
}

extension StoreRelationship: Hashable {
    public static func == (left: StoreRelationship, right: StoreRelationship) -> Bool {
        left.owner == right.owner && left.number == right.number
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(owner)
        hasher.combine(number)
    }
}

/// The columns of an entity that the library adds for a many-to-many relationship.
///
/// A link has a number of its own as its identifier, and two indexes that lead from each end to the other:
/// three trees, while a table written by hand has two. With the pair as the identifier of a row there would be
/// two, but its text or bytes would be in every row and every entry beside both columns, and in SQLite cost
/// more than the third tree; nor could one request find the links of many sources.
package enum LinkEntity {
    package static let source = 1
    package static let target = 2
    package static let rank = 3

    /// The entity of a relationship.
    ///
    /// - Parameter former: The earlier name of the owner, if no type has it now.
    static func schema(
        for relationship: RelationshipSchema, of owner: EntitySchema, formerly former: String?,
        to target: EntitySchema
    ) -> EntitySchema {
        EntitySchema(
            links: name(for: relationship.name, of: owner.name),
            of: (itemType: owner.name, relationship: relationship.propertyName),
            originalName: relationship.originalName.map { name(for: $0, of: owner.name) }
                ?? former.map { name(for: relationship.name, of: $0) },
            source: owner.attributes[0].type, target: target.attributes[0].type,
            isOrdered: relationship.kind == .orderedToMany)
    }

    /// The name of the entity of a relationship, which has a dot: `Recipe.tags`.
    package static func name(for relationship: String, of owner: String) -> String {
        "\(owner).\(relationship)"
    }
}
