import LarderKernel

/// The schema of the memory in which a child store stages its changes.
///
/// For each item type of the parent, under the same number, the rows as the child shows them; and after all of
/// them, for each item type, the parent's rows when the child first touched them. An item
/// with such a base row is *touched*: the child shows its own row of it, or none if it has deleted it.
struct StagingSchema: Sendable {
    /// The schema to open the staging adapter with; no relationships, as the child's own rules keep them.
    let schema: StoreSchema
    /// The number of item types, including the types of links.
    let count: Int

    /// - Parameter parent: Keeps the schema, which is made once for all children and children of these.
    init(of schema: StoreSchema, in parent: StoreCoordinator) {
        count = schema.entities.count
        self.schema = parent.stagedSchema {
            let bases = schema.entities.enumerated().map { Self.base(of: $1, number: $0) }
            return StoreSchema(rows: schema.entities + bases)
        }
    }

    /// The number of the entity that holds the base rows of an item type.
    func base(of entity: Int) -> Int { count + entity }

    /// The base rows of an item type: its own columns, all optional, then the columns of ``BaseRow``.
    private static func base(of entity: EntitySchema, number: Int) -> EntitySchema {
        var attributes = entity.attributes.enumerated().map { column, attribute in
            StoredSchema.Attribute(
                name: column == 0 ? "id" : "\(column)", storageName: "\(column)", type: attribute.type,
                isOptional: column > 0)
        }
        attributes.append(
            StoredSchema.Attribute(name: "exists", storageName: "exists", type: .bool, isOptional: false))
        // A link is looked up by its ends too.
        let ends = entity.isLink ? [LinkEntity.source, LinkEntity.target].map { attributes[$0].name } : []
        return EntitySchema(
            StoredSchema.Entity(
                number: number, name: "base of \(number)", storageName: "base of \(number)",
                attributes: attributes,
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
