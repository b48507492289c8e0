/// The item types of one store, each with its number.
///
/// *Rule:* immutable; belongs to the store, so that two stores may know one type in two ways.
public struct StoreSchema: Sendable {
    /// The item types in the order the store was made with, then the links of many-to-many relationships;
    /// the index is the entity's number.
    public let entities: [EntitySchema]
    /// For each entity its relationships.
    public private(set) var relationships: [[StoreRelationship]]
    /// The purpose of opening a store with this schema.
    package private(set) var purpose = StorePurpose.app
    /// The name of the version that a store has once it is opened with this schema; nil if nothing is said.
    package private(set) var version: String?
    /// The app's types of ``entities``; none if the schema is the store's own.
    package let types: [any DataStoreItem.Type]
    private let numbers: [ObjectIdentifier: Int]

    /// The schema of these item types.
    ///
    /// - Throws: `.invalidSchema` when a declaration is inconsistent, or two types share a name.
    public init(storing types: [any DataStoreItem.Type]) throws(DataStoreError) {
        var entities: [EntitySchema] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var known: [any DataStoreItem.Type] = []
        var names: Set<UTF8Key> = []
        for type in types where numbers[ObjectIdentifier(type)] == nil {
            let entity = type.schema
            guard names.insert(UTF8Key(entity.name)).inserted else {
                throw DataStoreError(
                    .invalidSchema, "Two item types are stored under the name \"\(entity.name)\".",
                    advice: "Give one of them another name: @StoredItem(\"OtherName\").",
                    itemType: entity.name)
            }
            try entity.requireNoProblem()
            numbers[ObjectIdentifier(type)] = entities.count
            entities.append(entity)
            known.append(type)
        }
        self.types = known
        self.numbers = numbers
        let graph = try GraphResolution(entities, numbers: numbers)
        self.entities = graph.entities
        relationships = graph.relationships
    }

    /// The schema of a store as it describes itself, for tools that do not have the app's types.
    ///
    ///     if let stored = try adapter.storedSchema() { try adapter.open(StoreSchema(of: stored)) }
    ///
    /// It has the store's names, types and indexes, so that opening it changes nothing.
    ///
    /// - Throws: `.invalidSchema` when the description is inconsistent.
    public init(of stored: StoredSchema) throws(DataStoreError) {
        let entities = stored.entities.map(EntitySchema.init)
        for entity in entities { try entity.requireNoProblem() }
        let graph = try GraphResolution(entities, numbers: [:])
        self.entities = graph.entities
        relationships = graph.relationships
        version = stored.version
        numbers = [:]
        types = []
    }

    /// The schema of some rows without relationships, which nothing keeps right but those who write them.
    package init(rows entities: [EntitySchema]) {
        self.entities = entities
        relationships = entities.map { _ in [] }
        numbers = [:]
        types = []
    }

    /// The schema of one item type, which has no problem.
    package init(of entity: EntitySchema) {
        entities = [entity]
        relationships = [[]]
        numbers = [:]
        types = []
    }

    /// The same schema with rows at its end that have no relationships.
    package func adding(rows added: [EntitySchema]) -> StoreSchema {
        StoreSchema(
            entities: entities + added, relationships: relationships + added.map { _ in [] },
            purpose: purpose)
    }

    private init(
        entities: [EntitySchema], relationships: [[StoreRelationship]], purpose: StorePurpose
    ) {
        self.entities = entities
        self.relationships = relationships
        self.purpose = purpose
        numbers = [:]
        types = []
    }

    /// The same schema for another purpose.
    package func opened(for purpose: StorePurpose) -> StoreSchema {
        var copy = self
        copy.purpose = purpose
        return copy
    }

    /// The same schema for a child store, in which references and links may lead to items that are gone: a later
    /// commit of the parent deletes them, and does not change what the child has staged (contract rule 18).
    func ofChild() -> StoreSchema {
        var copy = self
        for entity in relationships.indices {
            for number in relationships[entity].indices {
                copy.relationships[entity][number].ends = .mayBeGone
            }
        }
        return copy
    }

    /// The same schema as the one of a version.
    package func named(_ version: String) -> StoreSchema {
        var copy = self
        copy.version = version
        return copy
    }

    /// The number of an item type, or nil when the store does not store it.
    public func number(of type: any DataStoreItem.Type) -> Int? {
        numbers[ObjectIdentifier(type)]
    }
}
