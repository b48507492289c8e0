import LarderKernel

/// The schema of a routed store and of each of its parts.
///
/// A part knows rows and no relationships: the core judges these, on the whole.
struct RoutedSchema: Sendable {
    let whole: StoreSchema
    /// For each part its entities, then ``PartRecord/entity``, and in the first part ``CommitJournal/entity``.
    let parts: [StoreSchema]
    /// For each entity of the whole its parts in their order, and its number there; several if it has a partition.
    let places: [[Place]]
    /// For each entity of the whole how its items are dealt out; nil if it is in one part.
    let partitions: [Partition?]
    /// The names of the parts.
    let names: [String]

    struct Place: Sendable {
        let part: Int
        let entity: Int
    }

    /// - Throws: `.invalidSchema` when no part keeps a type, when a part keeps another one, when two parts keep one without
    ///   a key, or when a key does not fit.
    init(
        _ schema: StoreSchema, over parts: [StorePart], partitionedBy keys: [PartKey]
    ) throws(DataStoreError) {
        let keys = try Self.keys(keys, of: schema)
        var owners: [UTF8Key: [Int]] = [:]
        for (number, part) in parts.enumerated() {
            for type in part.coordinator.itemTypes {
                let name = type.schema.name
                if schema.number(named: name) == nil {
                    throw DataStoreError(
                        .invalidSchema,
                        "The part \"\(part.name)\" keeps \(name), which the current version does not have.",
                        advice: "Name the types of the history's current version in the parts' stores.",
                        itemType: name)
                }
                let known = owners[UTF8Key(name)] ?? []
                if known.last == number { continue }
                owners[UTF8Key(name)] = known + [number]
                guard let other = known.last, keys[UTF8Key(name)] == nil else { continue }
                throw DataStoreError(
                    .invalidSchema,
                    "The parts \"\(parts[other].name)\" and \"\(part.name)\" both keep \(name).",
                    advice: "Name the type in one part, or give a PartKey by which its items are dealt out.",
                    itemType: name)
            }
        }
        // Links are beside the items that they start from, or in the first part of these.
        for relationship in schema.relationships.joined() {
            guard let links = relationship.linkEntity, !relationship.isDerived else { continue }
            let owner = owners[UTF8Key(schema.entities[relationship.owner].name)]
            owners[UTF8Key(schema.entities[links].name)] = owner.map { Array($0.prefix(1)) }
        }
        var entities: [[EntitySchema]] = parts.map { _ in [] }
        var places: [[Place]] = []
        var partitions: [Partition?] = []
        for entity in schema.entities {
            guard let owners = owners[UTF8Key(entity.name)] else {
                throw DataStoreError(
                    .invalidSchema, "No part keeps \(entity.name).",
                    advice: "Name the type in the store of one part.", itemType: entity.name)
            }
            places.append(owners.map { Place(part: $0, entity: entities[$0].count) })
            partitions.append(
                keys[UTF8Key(entity.name)].map { key in
                    Partition(key, of: entity, among: owners.map { parts[$0].name })
                })
            for part in owners { entities[part].append(entity) }
        }
        self.places = places
        self.partitions = partitions
        names = parts.map(\.name)
        self.parts = entities.enumerated().map { number, entities in
            let own = [PartRecord.entity] + (number == 0 ? [CommitJournal.entity] : [])
            return StoreSchema(rows: entities + own).opened(for: schema.purpose).named(schema.version)
        }
        whole = schema
    }

    /// The schema of the library's own rows, which every part has in every version, beside the one that the store is to have.
    init(recordsBeside schema: RoutedSchema) {
        (names, whole) = (schema.names, schema.whole)
        (places, partitions) = ([], [])
        parts = schema.names.indices.map { number in
            let own = [PartRecord.entity] + (number == 0 ? [CommitJournal.entity] : [])
            return StoreSchema(rows: own).opened(for: .app)
        }
    }

    /// The keys by the names of their types.
    private static func keys(
        _ keys: [PartKey], of schema: StoreSchema
    ) throws(DataStoreError) -> [UTF8Key: PartKey] {
        var known: [UTF8Key: PartKey] = [:]
        for key in keys {
            let name = key.itemType.schema.name
            func refusal(_ message: String, _ advice: String) -> DataStoreError {
                DataStoreError(.invalidSchema, message, advice: advice, itemType: name)
            }
            if schema.number(named: name) == nil {
                throw refusal(
                    "No part keeps \(name), which has a PartKey.", "Name the type in the stores of its parts."
                )
            }
            if !key.isText {
                let attribute = key.itemType.schema.attributes[key.column].propertyName
                throw refusal(
                    "The attribute \(attribute) of \(name) cannot name parts, as it is not stored as text.",
                    "Use a string, or an enum with strings as raw values.")
            }
            if known.updateValue(key, forKey: UTF8Key(name)) != nil {
                throw refusal("The type \(name) has two PartKeys.", "Give one.")
            }
        }
        return known
    }

    /// The places that can have rows of a plan.
    ///
    /// - Throws: `.invalidRequest` when it names a part that does not exist.
    func places(for plan: RequestPlan) throws(DataStoreError) -> [Place] {
        let places = places[plan.entity]
        guard let partition = partitions[plan.entity] else { return places }
        let positions = try partition.positions(passing: plan.predicate, isLookUp: plan.isLookUp)
        return positions.sorted().map { places[$0] }
    }

    /// True if a row of the first part's records is about a part that the store is opened without.
    func isLeftOut(_ name: UTF8Key) -> Bool {
        let isPart = [RoutedAdapter.recordPrefix, FirstPart.ownPrefix].allSatisfy { !name.text.hasPrefix($0) }
        return isPart && !names.contains { UTF8Key($0) == name }
    }

    /// The entities of which a part that is left out may have items: references and links may lead there.
    ///
    /// - Parameter records: The first part's records by their names.
    func entitiesElsewhere(_ records: [UTF8Key: PartRecord]) -> Set<Int> {
        if !records.keys.contains(where: isLeftOut) { return [] }
        return Set(partitions.indices.filter { partitions[$0] != nil })
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
