/// The item types of one store, each with its number.
///
/// *Rule:* immutable; belongs to the store, so that two stores may know one type in two ways.
public struct StoreSchema: Sendable {
    // One reference, as a schema is passed on with every request and every row.
    @usableFromInline let contents: Contents

    /// The item types in the order the store was made with, then the links of many-to-many relationships;
    /// the index is the entity's number.
    @inlinable public var entities: [EntitySchema] { contents.entities }
    /// For each entity its relationships.
    @inlinable public var relationships: [[StoreRelationship]] { contents.relationships }
    /// The purpose of opening a store with this schema.
    package var purpose: StorePurpose { contents.purpose }
    /// The name of the version that a store has once it is opened with this schema; nil if nothing is said.
    package var version: String? { contents.version }
    /// True if an item type keeps folded texts.
    var hasFoldedColumns: Bool { contents.hasFoldedColumns }
    /// The number of cells that hold a row of any item type: the columns of the widest, and at least one.
    package var rowWidth: Int { contents.rowWidth }
    /// The app's types of ``entities``; none if the schema is the store's own.
    package var types: [any DataStoreItem.Type] { contents.types }

    @usableFromInline
    final class Contents: Sendable {
        @usableFromInline let entities: [EntitySchema]
        @usableFromInline let relationships: [[StoreRelationship]]
        let purpose: StorePurpose
        let version: String?
        let types: [any DataStoreItem.Type]
        let numbers: [ObjectIdentifier: Int]
        let hasFoldedColumns: Bool
        let rowWidth: Int

        init(
            _ entities: [EntitySchema], _ relationships: [[StoreRelationship]], purpose: StorePurpose = .app,
            version: String? = nil, types: [any DataStoreItem.Type] = [],
            numbers: [ObjectIdentifier: Int] = [:]
        ) {
            self.entities = entities
            self.relationships = relationships
            self.purpose = purpose
            self.version = version
            self.types = types
            self.numbers = numbers
            hasFoldedColumns = entities.contains { $0.foldedCount > 0 }
            rowWidth = entities.reduce(1) { max($0, $1.attributes.count) }
        }
    }

    /// The schema of these item types.
    ///
    /// - Throws: `.invalidSchema` when a declaration is inconsistent, or two types share a name or an original name.
    public init(storing types: [any DataStoreItem.Type]) throws(DataStoreError) {
        var entities: [EntitySchema] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        var known: [any DataStoreItem.Type] = []
        var names: Set<UTF8Key> = []
        var heirs: [UTF8Key: String] = [:]
        for type in types where numbers[ObjectIdentifier(type)] == nil {
            let entity = type.schema
            guard names.insert(UTF8Key(entity.name)).inserted else {
                throw DataStoreError(
                    .invalidSchema, "Two item types are stored under the name \"\(entity.name)\".",
                    advice: "Give one of them another name: @StoredItem(\"OtherName\").",
                    itemType: entity.name)
            }
            // The rows would belong to the type that is listed first.
            if let original = entity.originalName,
                let other = heirs.updateValue(entity.name, forKey: UTF8Key(original))
            {
                throw DataStoreError(
                    .invalidSchema, "\(other) and \(entity.name) have one original name, \"\(original)\".",
                    advice: "Remove it from the type that does not take over the items of \(original).",
                    itemType: entity.name)
            }
            try entity.requireNoProblem()
            numbers[ObjectIdentifier(type)] = entities.count
            entities.append(entity)
            known.append(type)
        }
        let graph = try GraphResolution(entities, numbers: numbers)
        contents = Contents(graph.entities, graph.relationships, types: known, numbers: numbers)
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
        contents = Contents(graph.entities, graph.relationships, version: stored.version)
    }

    /// The schema of the changes that a child has staged: rows without relationships, and no rules.
    package init(rows entities: [EntitySchema]) {
        contents = Contents(entities, entities.map { _ in [] }, purpose: .staging)
    }

    /// The schema of one item type, which has no problem.
    package init(of entity: EntitySchema) {
        contents = Contents([entity], [[]])
    }

    /// The schema of some of the item types, with the relationships between the types of a second list.
    package func only(
        _ names: Set<UTF8Key>, relating related: Set<UTF8Key>
    ) throws(DataStoreError) -> StoreSchema {
        var kept: [EntitySchema] = []
        for (number, entity) in entities.enumerated() where names.contains(UTF8Key(entity.name)) {
            if entity.isLink { continue }
            let inside = relationships[number].filter { relationship in
                related.contains(UTF8Key(entity.name))
                    && related.contains(UTF8Key(relationship.targetSchema.name))
            }
            let named = inside.map { RelationshipSchema($0, in: self) }
            kept.append(EntitySchema(entity, relationships: named))
        }
        let graph = try GraphResolution(kept, numbers: [:])
        return StoreSchema(contents: Contents(graph.entities, graph.relationships, version: version))
    }

    /// The same schema with rows at its end that have no relationships.
    package func adding(rows added: [EntitySchema]) -> StoreSchema {
        StoreSchema(
            contents: Contents(
                entities + added, relationships + added.map { _ in [] }, purpose: purpose))
    }

    private init(contents: Contents) {
        self.contents = contents
    }

    /// The same schema for another purpose.
    package func opened(for purpose: StorePurpose) -> StoreSchema {
        changed(purpose: purpose)
    }

    /// The same schema for a child store, in which references and links may lead to items that are gone: a later
    /// commit of the parent deletes them, and does not change what the child has staged (contract rule 18).
    func ofChild() -> StoreSchema {
        var relationships = relationships
        for entity in relationships.indices {
            for number in relationships[entity].indices { relationships[entity][number].ends = .mayBeGone }
        }
        return changed(relationships: relationships)
    }

    /// The same schema as the one of a version; for nil, of the version that it has.
    package func named(_ version: String?) -> StoreSchema {
        changed(version: version)
    }

    private func changed(
        relationships: [[StoreRelationship]]? = nil, purpose: StorePurpose? = nil, version: String? = nil
    ) -> StoreSchema {
        StoreSchema(
            contents: Contents(
                entities, relationships ?? self.relationships, purpose: purpose ?? self.purpose,
                version: version ?? self.version, types: types, numbers: contents.numbers))
    }

    /// The number of an item type, or nil when the store does not store it.
    public func number(of type: any DataStoreItem.Type) -> Int? {
        contents.numbers[ObjectIdentifier(type)]
    }
}
