import LarderKernel

/// The schema of a routed store and of each of its parts.
///
/// A part knows rows and no relationships: the core judges these, on the whole.
struct RoutedSchema: Sendable {
    let whole: StoreSchema
    /// For each part its entities, then ``PartRecord/entity``, and in the first part ``CommitJournal/entity``.
    let parts: [StoreSchema]
    /// For each entity of the whole its part, and its number there.
    let places: [Place]

    struct Place: Sendable {
        let part: Int
        let entity: Int
    }

    /// - Throws: `.invalidSchema` when two parts keep one type, or none does.
    init(_ schema: StoreSchema, over parts: [StorePart]) throws(DataStoreError) {
        var owners: [UTF8Key: Int] = [:]
        for (number, part) in parts.enumerated() {
            for type in part.coordinator.itemTypes {
                let name = type.schema.name
                guard let other = owners.updateValue(number, forKey: UTF8Key(name)), other != number else {
                    continue
                }
                throw DataStoreError(
                    .invalidSchema,
                    "The parts \"\(parts[other].name)\" and \"\(part.name)\" both keep \(name).",
                    advice: "Name the type in one part.", itemType: name)
            }
        }
        // Links are beside the items that they start from.
        for relationship in schema.relationships.joined() {
            guard let links = relationship.linkEntity, !relationship.isDerived else { continue }
            owners[UTF8Key(schema.entities[links].name)] =
                owners[UTF8Key(schema.entities[relationship.owner].name)]
        }
        var entities: [[EntitySchema]] = parts.map { _ in [] }
        var places: [Place] = []
        for entity in schema.entities {
            guard let part = owners[UTF8Key(entity.name)] else {
                throw DataStoreError(
                    .invalidSchema, "No part keeps \(entity.name).",
                    advice: "Name the type in the store of one part.", itemType: entity.name)
            }
            places.append(Place(part: part, entity: entities[part].count))
            entities[part].append(entity)
        }
        self.places = places
        self.parts = entities.enumerated().map { number, entities in
            let own = [PartRecord.entity] + (number == 0 ? [CommitJournal.entity] : [])
            return StoreSchema(rows: entities + own).opened(for: schema.purpose)
        }
        whole = schema
    }

    /// The number of ``CommitJournal/entity`` in the first part.
    var journal: Int { parts[0].entities.count - 1 }

    /// The number of ``PartRecord/entity`` in a part.
    func record(of part: Int) -> Int { parts[part].entities.count - (part == 0 ? 2 : 1) }
}

extension StoreSchema {
    /// The number of the entity of this name.
    func number(named name: String) -> Int? {
        entities.firstIndex { UTF8Text.areEqual($0.name, name) }
    }
}

extension RequestPlan {
    /// The same plan for the entity's number in a part.
    ///
    /// Nothing in it is about other items, as no part runs such plans whole.
    func moved(to entity: Int) -> RequestPlan {
        RequestPlan(
            entity: entity, schema: schema, columns: columns, predicate: predicate, order: order,
            offset: offset,
            limit: limit)
    }
}
