import LarderKernel

/// The schema of the memory in which a child store stages its changes.
///
/// For each item type of the parent, under the same number, the rows as the child shows them; and after all of
/// them, for each item type, the parent's rows when the child first touched them. An item
/// with such a base row is *touched*: the child shows its own row of it, or none if it has deleted it. The last version of
/// each item that the child has changed and then deleted is kept too: it says with what the item may have gone, and what it
/// has taken from others. The last version of an item that is there has the references that were made nil.
struct StagingSchema: Sendable {
    /// The schema to open the staging adapter with; no relationships, as the child's own rules keep them.
    let schema: StoreSchema
    /// The number of item types, including the types of links.
    let count: Int
    /// By item type the entity that holds the last versions of its deleted rows.
    private let lasts: [Int: Int]

    /// - Parameter parent: Keeps the schema, which is made once for all children and children of these.
    init(of schema: StoreSchema, in parent: StoreCoordinator) {
        count = schema.entities.count
        self.schema = parent.stagedSchema {
            let bases = schema.entities.enumerated().map { Self.base(of: $1, number: $0) }
            let graph = ReferenceGraph(of: schema)
            let lasts = schema.entities.indices.filter {
                !schema.entities[$0].isLink && !graph.references[$0].isEmpty
            }.map {
                Self.rows(named: "\(Self.last)\($0)", of: schema.entities[$0], number: $0)
            }
            return StoreSchema(rows: schema.entities + bases + lasts)
        }
        let entities = self.schema.entities
        lasts = Dictionary(
            uniqueKeysWithValues: entities.indices.dropFirst(2 * count).compactMap { number in
                Int(entities[number].name.dropFirst(Self.last.count)).map { ($0, number) }
            })
    }

    /// The number of the entity that holds the last versions of items; nil for links, and if the type refers to no other.
    func last(of entity: Int) -> Int? { lasts[entity] }

    private static let last = "last of "

    /// The number of the entity that holds the base rows of an item type.
    func base(of entity: Int) -> Int { count + entity }

    /// The base rows of an item type: its own columns, then the columns of ``BaseRow``.
    private static func base(of entity: EntitySchema, number: Int) -> EntitySchema {
        let exists = StoredSchema.Attribute(
            name: "exists", storageName: "exists", type: .bool, isOptional: false)
        return rows(named: "base of \(number)", of: entity, number: number, with: [exists])
    }

    /// Rows with the columns of an item type, all optional, and then others.
    private static func rows(
        named name: String, of entity: EntitySchema, number: Int, with others: [StoredSchema.Attribute] = []
    ) -> EntitySchema {
        let attributes = entity.attributes.enumerated().map { column, attribute in
            StoredSchema.Attribute(
                name: column == 0 ? "id" : "\(column)", storageName: "\(column)", type: attribute.type,
                isOptional: column > 0)
        }
        // A link is looked up by its ends too.
        let ends = entity.isLink ? [LinkEntity.source, LinkEntity.target].map { attributes[$0].name } : []
        return EntitySchema(
            StoredSchema.Entity(
                number: number, name: name, storageName: name, attributes: attributes + others,
                indexes: ends.isEmpty ? [] : [StoredSchema.Index(attributes: ends, isUnique: false)]))
    }
}

/// The columns of a base row after its item type's columns.
struct BaseRow {
    /// The number of the item type's own columns.
    let width: Int

    /// The column that says whether the parent had the item.
    var exists: Int { width }
    /// The number of all columns.
    var count: Int { width + 1 }

    init(of entity: EntitySchema) {
        width = entity.attributes.count
    }
}
