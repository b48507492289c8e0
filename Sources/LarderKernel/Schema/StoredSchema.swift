public import Foundation
public import LarderPattern

/// The schema a store carries in itself, so that tools can open it without the app's types.
///
/// Kept as JSON, whose keys `JSONObject` lists. The number of an entity is never reused for another.
public struct StoredSchema: Hashable, Sendable {
    /// Grows by one with each change, so that other processes notice.
    public var generation: Int
    public var entities: [Entity]
    /// The number for the next entity.
    public var nextEntityNumber: Int
    /// The identity that distinguishes this store from every other, independent of its place; nil only in
    /// ``empty``, and in stores of early versions until they are next opened for writing.
    ///
    /// Made with the store and never changed. A backup of a store has the identity of the store; the
    /// destination of a transfer or an import has one of its own.
    public var identity: UUID?
    /// The name of the version of the app's schema that the store has; nil if the app has no
    /// ``SchemaHistory``, or something has changed the schema without one since.
    public var version: String?
    /// The transfer that has filled the store, or is filling it; nil for a store that was never its
    /// destination.
    public var transfer: Transfer?

    public struct Entity: Hashable, Sendable {
        /// Never changes and is never reused; engines may name their tables after it.
        public var number: Int
        public var name: String
        /// The name for engines whose names ignore case: ``name``, made different if it has to be.
        public var storageName: String
        public var attributes: [Attribute]
        public var indexes: [Index]
        public var relationships: [Relationship]
        /// True if it holds the links of a many-to-many relationship.
        public var isLink: Bool

        public init(
            number: Int, name: String, storageName: String, attributes: [Attribute], indexes: [Index],
            relationships: [Relationship] = [], isLink: Bool = false
        ) {
            self.number = number
            self.name = name
            self.storageName = storageName
            self.attributes = attributes
            self.indexes = indexes
            self.relationships = relationships
            self.isLink = isLink
        }
    }

    public struct Relationship: Hashable, Sendable {
        public var name: String
        public var kind: RelationshipSchema.Kind
        /// The name of the item type at the other end.
        public var target: String
        /// The name of the other end's relationship that this one is derived from.
        public var inverse: String?
        public var deleteRule: DeleteRule

        public init(
            name: String, kind: RelationshipSchema.Kind, target: String, inverse: String? = nil,
            deleteRule: DeleteRule
        ) {
            self.name = name
            self.kind = kind
            self.target = target
            self.inverse = inverse
            self.deleteRule = deleteRule
        }
    }

    public struct Attribute: Hashable, Sendable {
        public var name: String
        /// The name for engines whose names ignore case.
        public var storageName: String
        public var type: AttributeType
        public var isOptional: Bool
        /// The text that the attribute keeps folded, for an index; nil for an attribute of the app.
        ///
        /// Those with one come last.
        public var folding: Folding?

        public init(
            name: String, storageName: String, type: AttributeType, isOptional: Bool, folding: Folding? = nil
        ) {
            self.name = name
            self.storageName = storageName
            self.type = type
            self.isOptional = isOptional
            self.folding = folding
        }
    }

    /// The folding of a text that an attribute keeps.
    public struct Folding: Hashable, Sendable {
        /// The name of the attribute with the text.
        public var text: String
        public var matching: TextMatching
        /// The number of the Unicode tables that have folded the stored texts; empty in a schema that no store keeps.
        public var tables: String

        public init(text: String, matching: TextMatching, tables: String = "") {
            self.text = text
            self.matching = matching
            self.tables = tables
        }
    }

    public struct Index: Hashable, Sendable {
        public var attributes: [String]
        public var isUnique: Bool

        public init(attributes: [String], isUnique: Bool) {
            self.attributes = attributes
            self.isUnique = isUnique
        }
    }

    public init(
        generation: Int, entities: [Entity], nextEntityNumber: Int, identity: UUID? = nil,
        version: String? = nil, transfer: Transfer? = nil
    ) {
        self.generation = generation
        self.entities = entities
        self.nextEntityNumber = nextEntityNumber
        self.identity = identity
        self.version = version
        self.transfer = transfer
    }

    /// The schema of a store that holds nothing yet.
    public static let empty = StoredSchema(generation: 0, entities: [], nextEntityNumber: 1)

    /// The stored entity of this name.
    public func entity(named name: String) -> Entity? {
        entities.first { UTF8Text.areEqual($0.name, name) }
    }
}
