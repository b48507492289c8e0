public import LarderKernel
import LarderEngine

/// The shape of a schema: its item types with their attributes, indexes and relationships, in one order.
///
///     let shape = try SchemaVersion("2", storing: [Recipe.self]).shape()
///     print(shape.hash)  // 4f0c… (32 digits)
///     print(shape)       // Recipe
///                        //   id: itemID
///                        //   name: string
///                        //   unique name
///
/// Two schemas have one shape if a store of the one is, unchanged, a store of the other. So the order of
/// declaration, the Swift names of the types, defaults, original names, and the numbers and names that an
/// engine gives to tables do not count; nor does the form of the JSON of a `CodableAttribute`, which no schema
/// knows. Delete rules count, as a store keeps them.
///
/// *Rule:* a value. Its text can be read again by ``init(text:)``.
public struct SchemaShape: Sendable {
    /// The item types without links, in the order of their names, each with the order of its parts that does
    /// not depend on the declaration.
    let entities: [StoredSchema.Entity]

    /// The shape of a stored schema.
    public init(_ stored: StoredSchema) {
        entities = stored.entities.filter { !$0.isLink }
            .sorted { UTF8Text.precedes($0.name, $1.name) }
            .enumerated().map { StoredSchema.Entity(shapeOf: $1, number: $0 + 1) }
    }

    /// The shape of the schema of an app.
    public init(_ schema: StoreSchema) {
        self.init(StoredSchema(describing: schema))
    }

    /// The schema that a store of this shape has.
    ///
    /// It has no app's types, so a store that is opened with it is read by names.
    ///
    /// - Throws: `.invalidSchema` if no store can have this shape.
    public func schema() throws(DataStoreError) -> StoreSchema {
        try StoreSchema(of: stored)
    }

    /// The shape as a stored schema, whose names of tables are the names of the types.
    var stored: StoredSchema { StoredSchema(shape: entities) }

    /// The names of the item types.
    public var itemTypes: [String] { entities.map(\.name) }

    /// The shape, without its relationships if only rows are compared.
    func form(byRows: Bool) -> SchemaShape {
        if !byRows { return self }
        var rows = entities
        for position in rows.indices { rows[position].relationships = [] }
        return SchemaShape(StoredSchema(shape: rows))
    }
}

// MARK: Hash

extension SchemaShape {
    /// "Larder schema v1", in two little-endian halves.
    private static let key: (UInt64, UInt64) = (0x7320_7265_6472_614C, 0x3176_2061_6D65_6863)

    /// The hash of the shape: 32 hexadecimal digits, the same in every process, on every platform and with
    /// every version of Unicode.
    ///
    /// *Cost:* makes the text of the shape.
    public var hash: String {
        let hash = hashedText.withBytes { SipHash.hash($0, key: Self.key) }
        return RowDigest(low: hash.low, high: hash.high).description
    }
}

extension SchemaShape: Hashable {
    public static func == (left: SchemaShape, right: SchemaShape) -> Bool {
        UTF8Text.areEqual(left.hashedText, right.hashedText)
    }

    public func hash(into hasher: inout Hasher) {
        UTF8Text.hash(hashedText, into: &hasher)
    }
}

extension StoredSchema {
    /// The schema of an app, as a new store would keep it; names of tables are the names of the types.
    package init(describing schema: StoreSchema) {
        self.init(
            shape: schema.entities.enumerated().map { number, entity in
                Entity(
                    describing: entity, number: number + 1,
                    relationships: schema.relationships[number].map { Relationship($0, in: schema) })
            })
    }

    /// The schema of these types as no store keeps it.
    init(shape entities: [Entity]) {
        self.init(generation: 0, entities: entities, nextEntityNumber: entities.count + 1)
    }
}

extension StoredSchema.Entity {
    /// The item type, or the links, as a new store would keep them.
    init(describing entity: EntitySchema, number: Int, relationships: [StoredSchema.Relationship]) {
        self.init(
            number: number, name: entity.name, storageName: entity.name,
            attributes: entity.attributes.enumerated().map { column, attribute in
                StoredSchema.Attribute(
                    name: attribute.name, storageName: attribute.name, type: attribute.type,
                    isOptional: attribute.isOptional, folding: entity.folding(at: column))
            },
            indexes: entity.indexes.map { index in
                StoredSchema.Index(
                    attributes: index.columns.map { entity.attributes[$0].name }, isUnique: index.isUnique)
            },
            relationships: relationships, isLink: entity.isLink)
    }

    /// The same item type with its parts in one order and without what an engine adds.
    fileprivate init(shapeOf entity: StoredSchema.Entity, number: Int) {
        let identifier = entity.attributes.prefix(1)
        let others = entity.attributes.dropFirst().sorted { left, right in
            if (left.folding == nil) != (right.folding == nil) { return left.folding == nil }
            return UTF8Text.precedes(left.name, right.name)
        }
        // A store keeps an index for each reference, whether one is declared or not.
        let references = entity.relationships.filter { $0.kind == .toOne }
            .map { StoredSchema.Index(attributes: [$0.name], isUnique: false) }
            .filter { index in
                !entity.indexes.contains {
                    $0.attributes.elementsEqual(index.attributes, by: UTF8Text.areEqual)
                }
            }
        self.init(
            number: number, name: entity.name, storageName: entity.name,
            attributes: (identifier + others).map { attribute in
                // The tables that have folded a text are the process's and not the schema's.
                StoredSchema.Attribute(
                    name: attribute.name, storageName: attribute.name, type: attribute.type,
                    isOptional: attribute.isOptional,
                    folding: attribute.folding.map {
                        StoredSchema.Folding(text: $0.text, matching: $0.matching)
                    })
            },
            indexes: (entity.indexes + references).sorted { $0.attributes.precedes($1.attributes) },
            relationships: entity.relationships.sorted { UTF8Text.precedes($0.name, $1.name) })
    }
}

extension [String] {
    /// True if the texts come before others, by their bytes.
    fileprivate func precedes(_ others: [String]) -> Bool {
        for (text, other) in zip(self, others) where !UTF8Text.areEqual(text, other) {
            return UTF8Text.precedes(text, other)
        }
        return count < others.count
    }
}
