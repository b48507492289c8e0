import LarderEngine
import LarderKernel

/// The parts of a ``PreparedStep``: the rows that its mappings read and make, and the references and links that need care.
struct StepPlan {
    let stage: MigrationPlan.Stage
    let stored: StoredSchema
    /// The mappings that read rows, those among them that follow from others.
    private var reading: [EntityMapping] = []
    /// The target's types whose rows are made, by their number, and their place in the working schema.
    private(set) var made: [Int: DestinationEntity] = [:]
    private var names: FreeNames

    var adjustment = SchemaAdjustment()
    /// The interim tables and the lists, after the stored ones in the working schema.
    private(set) var added: [StoredSchema.Entity] = []
    /// The mappings that go through rows, in their order.
    private(set) var runs: [PreparedStep.MappingRun] = []
    private(set) var destinations: [DestinationEntity] = []
    /// The links that replace the links of old rows.
    private(set) var explicitLinks: [PreparedStep.ExplicitLinks] = []
    /// The old links that cannot stay, for which the step must make new ones.
    private(set) var replacedLinks: [PreparedStep.ReplacedLinks] = []
    /// The lists of rows that get another identifier.
    private(set) var moves: [MovedRows] = []
    /// The numbers of the target's types whose rows were made, or whose old rows went.
    private(set) var changed: Set<Int> = []
    /// True if old rows went although their type stays.
    private(set) var losesRows = false
    /// The references to a deleted type whose name another one takes, in stored rows that stay: none may have a value when
    /// the step begins.
    var lostReferences: [PreparedStep.Place] = []
    /// The lists of references to rows that the step makes, which stay.
    private(set) var keptReferences: [FollowedReference] = []
    /// The stored types that the step deletes and whose names others take: nothing leads to them any more.
    var takenNames: Set<UTF8Key> = []

    init(_ stage: MigrationPlan.Stage, from stored: StoredSchema) {
        self.stage = stage
        self.stored = stored
        names = FreeNames(besides: stored.entities.flatMap { [$0.name, $0.storageName] })
    }

    var step: SchemaStep { stage.step }
    var target: StoreSchema { stage.target }

    mutating func prepare() throws(DataStoreError) {
        try validate()
        try findReadingMappings()
        adjustNames()
        findTakenNames()
        for mapping in reading {
            for name in mapping.destinations { try addDestination(name) }
        }
        removeSources()
        removeLinksToTakenNames()
        for mapping in reading { runs.append(try run(of: mapping)) }
    }

    func targetNumber(_ name: String) -> Int? {
        target.entities.firstIndex { UTF8Text.areEqual($0.name, name) && !$0.isLink }
    }

    func sourceNumber(_ name: String) -> Int? {
        stored.entities.firstIndex { UTF8Text.areEqual($0.name, name) && !$0.isLink }
    }

    /// The number of the stored links of a relationship.
    func linkNumber(_ relationship: String, of owner: String) -> Int? {
        let name = LinkEntity.name(for: relationship, of: owner)
        return stored.entities.firstIndex { $0.isLink && UTF8Text.areEqual($0.name, name) }
    }

    /// A type that stays and also gets rows from a mapping is made row by row too.
    private mutating func findReadingMappings() throws(DataStoreError) {
        let reading = step.mappings.filter(\.readsRows)
        let made = Set(reading.flatMap(\.destinations).map { UTF8Key($0) })
        var implied: [EntityMapping] = step.mappings.filter { mapping in
            !mapping.readsRows && mapping.destinations.contains { made.contains(UTF8Key($0)) }
        }
        for entity in target.entities where made.contains(UTF8Key(entity.name)) {
            guard let name = formerName(of: entity), !isMapped(name) else { continue }
            try requireMeant(name, as: entity)
            implied.append(EntityMapping(.keep, sources: [name], destinations: [entity.name]))
        }
        self.reading = implied + reading
    }

    /// The names that types and attributes have from now on.
    private mutating func adjustNames() {
        for mapping in step.mappings {
            for source in sourcesOfClosure(of: mapping) {
                // Rows of the first destination continue the old ones.
                adjustment.successors[UTF8Key(source), default: []]
                    .formUnion(mapping.destinations.prefix(1).map { UTF8Key($0) })
            }
            adjustment.leftNames.formUnion(namesLeft(by: mapping).map { UTF8Key($0) })
            guard let new = mapping.destinations.first, let old = mapping.sources.first else { continue }
            // Also a type that keeps its name: a mapping comes before an original name.
            if !mapping.readsRows {
                adjustment.entityNames[UTF8Key(new)] = old
            }
            if mapping.kind != .split, mapping.kind != .join, !UTF8Text.areEqual(old, new) {
                adjustment.targetNames[UTF8Key(old)] = new
            }
            // A type that is made row by row has the new names from the start.
            let isMade = reading.contains { $0.destinations.contains { UTF8Text.areEqual($0, new) } }
            for renamed in mapping.renamedAttributes where !isMade {
                adjustment.attributeNames[UTF8Key(new), default: [:]][UTF8Key(renamed.new)] = renamed.old
            }
        }
        for entity in target.entities {
            guard let old = formerName(of: entity), !UTF8Text.areEqual(old, entity.name), !isMapped(old)
            else { continue }
            adjustment.targetNames[UTF8Key(old)] = entity.name
        }
    }

    private mutating func addDestination(_ name: String) throws(DataStoreError) {
        guard let number = targetNumber(name), made[number] == nil else { return }
        let entity = target.entities[number]
        let interim = interimForm(of: entity, isLink: false)
        let table = add(interim)
        adjustment.entityNames[UTF8Key(name)] = interim.name
        adjustment.made.insert(UTF8Key(name))
        let followed = addKeptReferences(of: number, in: table)
        let destination = DestinationEntity(
            EntitySchema(interim), named: name, number: table, links: try addLinks(of: number, in: table),
            followed: followed, movingType: moves(number) ? number : nil)
        made[number] = destination
        destinations.append(destination)
        changed.insert(number)
    }

    /// True for a type whose rows may get other identifiers.
    private func moves(_ number: Int) -> Bool {
        reading.contains { mapping in
            mapping.kind != .keep && mapping.kind != .rename && !mapping.sources.isEmpty
                && UTF8Text.areEqual(mapping.destinations[0], target.entities[number].name)
        }
    }

    /// Adds the lists of rows whose references stay, one for each column.
    private mutating func addKeptReferences(of number: Int, in table: Int) -> [FollowedReference] {
        let entity = target.entities[number]
        return target.relationships[number].compactMap { relationship in
            guard case .reference(let column) = relationship.form, moves(relationship.target) else {
                return nil
            }
            return addKept(
                entity.name, in: table, column: column, to: relationship.target,
                of: entity.attributes[0].type)
        }
    }

    /// Adds a list of the rows, or links, of an entity whose reference stays.
    private mutating func addKept(
        _ entity: String, in table: Int, column: Int, to type: Int, of identifiers: AttributeType
    ) -> FollowedReference {
        let list = addList(named: entity + "~kept", [("id", identifiers)])
        keptReferences.append(FollowedReference(entity: table, column: column, type: type, list: list))
        return keptReferences[keptReferences.count - 1]
    }

    /// Adds a list of the step, which goes when it ends, and returns its number.
    private mutating func addList(named name: String, _ attributes: [(String, AttributeType)]) -> Int {
        let name = names.take(name)
        let entity = StoredSchema.Entity(
            number: stored.nextEntityNumber + added.count, name: name, storageName: name,
            attributes: attributes.map { name, type in
                StoredSchema.Attribute(name: name, storageName: name, type: type, isOptional: false)
            }, indexes: [])
        adjustment.removed.insert(entity.number)
        return add(entity)
    }

    private mutating func add(_ entity: StoredSchema.Entity) -> Int {
        added.append(entity)
        return stored.entities.count + added.count - 1
    }

    private mutating func interimForm(
        of entity: EntitySchema, isLink: Bool, marksOwners: Bool = false
    ) -> StoredSchema.Entity {
        var free = FreeNames(besides: [])
        let name = names.take(entity.name + "~new")
        let attributes = entity.attributes.enumerated().map { column, attribute in
            let folding = entity.folding(at: column, by: StoredSchema.Folding.ownTables)
            return StoredSchema.Attribute(
                name: attribute.name, storageName: free.take(folding?.storageName ?? attribute.name),
                type: attribute.type,
                isOptional: attribute.isOptional || (marksOwners && column > LinkEntity.source),
                folding: folding)
        }
        return StoredSchema.Entity(
            number: stored.nextEntityNumber + added.count, name: name, storageName: name,
            attributes: attributes, indexes: [], isLink: isLink)
    }

    /// The interim tables for the links of a type's own relationships.
    ///
    /// - Parameter rows: The number of the interim table of the type's rows.
    private mutating func addLinks(
        of number: Int, in rows: Int
    ) throws(DataStoreError) -> [DestinationLinks] {
        var tables: [DestinationLinks] = []
        for relationship in target.relationships[number] {
            guard case .links(let side) = relationship.form, !side.isReversed else { continue }
            let entity = target.entities[side.entity]
            let known = storedLinks(of: relationship)
            let kept = known.first { stays($0, as: relationship, entity) }
            let form = kept.map { EntitySchema(stored.entities[$0.position]) } ?? entity
            let interim = interimForm(of: form, isLink: kept == nil, marksOwners: kept != nil)
            let table = add(interim)
            if let kept {
                adjustment.entityNames[UTF8Key(entity.name)] = stored.entities[kept.position].name
                adjustment.removed.insert(interim.number)
                explicitLinks.append(
                    PreparedStep.ExplicitLinks(made: table, stored: kept.position, source: kept.owner))
            } else {
                adjustment.entityNames[UTF8Key(entity.name)] = interim.name
            }
            for links in known where links.position != kept?.position && !isLost(links.relationship) {
                replacedLinks.append(
                    PreparedStep.ReplacedLinks(
                        made: table, stored: links.position, source: links.owner,
                        relationship: relationship.number, owner: number,
                        later: links.isFirst ? nil : rows))
            }
            let followed =
                moves(relationship.target)
                ? addKept(
                    entity.name, in: table, column: LinkEntity.target, to: relationship.target,
                    of: form.attributes[0].type) : nil
            tables.append(
                DestinationLinks(
                    name: relationship.name, entity: table,
                    targetType: relationship.targetSchema.attributes[0].type,
                    isOrdered: form.attributes.count > LinkEntity.rank, marksOwners: kept != nil,
                    followed: followed))
        }
        return tables
    }

    /// Stored links: their position, the position of the type that they start from, their relationship, and whether the
    /// mapping of that type names the new owner first.
    private typealias StoredLinks = (
        position: Int, owner: Int, relationship: StoredSchema.Relationship, isFirst: Bool
    )

    /// The stored links of a relationship of the types that its owner is made of.
    ///
    /// The own name comes first, as for attributes; links of another relationship's name are not taken.
    private func storedLinks(of relationship: StoreRelationship) -> [StoredLinks] {
        let owner = target.entities[relationship.owner]
        let declared = owner.relationships[relationship.number]
        let mappings = reading.filter { mapping in
            mapping.destinations.contains { UTF8Text.areEqual($0, owner.name) }
        }
        let original: String? = declared.originalName.flatMap { name in
            owner.relationships.contains { UTF8Text.areEqual($0.name, name) } ? nil : name
        }
        return mappings.compactMap { mapping -> StoredLinks? in
            guard let old = mapping.sources.first, let source = sourceNumber(old) else { return nil }
            let isFirst = UTF8Text.areEqual(mapping.destinations[0], owner.name)
            for name in [declared.name, original].compactMap(\.self) {
                let known = stored.entities[source].relationships.first { UTF8Text.areEqual($0.name, name) }
                guard let position = linkNumber(name, of: old), let known else { continue }
                return (position: position, owner: source, relationship: known, isFirst: isFirst)
            }
            return nil
        }
    }

    /// True if stored links can become the links of a relationship: they lead to the same type, between
    /// identifiers of the same types, and have an order if the relationship has one.
    private func stays(_ links: StoredLinks, as relationship: StoreRelationship, _ entity: EntitySchema)
        -> Bool
    {
        if !links.isFirst || isLost(links.relationship) { return false }
        let types = stored.entities[links.position].attributes.map(\.type)
        return adjustment.continues(links.relationship.target, as: relationship.targetSchema.name)
            && types.starts(with: entity.attributes.map(\.type))
    }

    /// Removes the types whose rows are read, and their links, unless these stay.
    private mutating func removeSources() {
        var gone = Set(reading.compactMap(\.sources.first).compactMap(sourceNumber))
        for mapping in step.mappings {
            switch mapping.kind {
            case .delete:
                gone.formUnion(mapping.sources.compactMap(sourceNumber))
                guard let number = mapping.sources.first.flatMap(targetNumber) else { continue }
                changed.insert(number)
                losesRows = true
            case .join:
                let stays = target.entities.contains { entity in
                    formerName(of: entity).map { UTF8Text.areEqual($0, mapping.sources[1]) } ?? false
                }
                if stays && !consumesSecondType(mapping) { continue }
                gone.formUnion([mapping.sources[1]].compactMap(sourceNumber))
            case .keep, .rename, .insert, .transform, .split: break
            }
        }
        let keptLinks = Set(explicitLinks.map(\.stored))
        for position in gone {
            let entity = stored.entities[position]
            adjustment.removed.insert(entity.number)
            for relationship in entity.relationships where relationship.ownsLinks {
                guard let links = linkNumber(relationship.name, of: entity.name), !keptLinks.contains(links)
                else { continue }
                adjustment.removed.insert(stored.entities[links].number)
            }
        }
    }

    /// Adds the lists of the rows of a mapping that get another identifier.
    private mutating func addMoves(from source: Int, to target: Int) -> MovedRows {
        let old = stored.entities[source]
        let type = self.target.entities[target].attributes[0].type
        let lists = MovedRows(
            source: source, target: target,
            identifiers: addList(
                named: old.name + "~ids", [("id", old.attributes[0].type), ("new", type)]),
            taken: addList(named: old.name + "~taken", [("id", type)]))
        moves.append(lists)
        return lists
    }

    private mutating func run(of mapping: EntityMapping) throws(DataStoreError) -> PreparedStep.MappingRun {
        let source = mapping.sources.first.flatMap(sourceNumber)
        var outputs: [DestinationMapping.Output] = []
        for (position, name) in mapping.destinations.enumerated() {
            guard let number = targetNumber(name), let destination = made[number] else { continue }
            outputs.append(
                try output(destination, number, from: source, position == 0 ? mapping.originalNames : [:]))
        }
        let isKept = mapping.kind == .keep || mapping.kind == .rename
        if isKept, case .none = mapping.body { try requireInferable(mapping) }
        var moves: MovedRows?
        if let source, !isKept, let target = mapping.destinations.first.flatMap(targetNumber) {
            moves = addMoves(from: source, to: target)
        }
        return PreparedStep.MappingRun(
            mapping: mapping, source: source,
            other: mapping.sources.count > 1 ? sourceNumber(mapping.sources[1]) : nil,
            destination: DestinationMapping(outputs, fills: mapping.fills, moves: moves))
    }

    /// The output to a destination, with the values that its rows begin with.
    ///
    /// - Parameters:
    ///   - number: The number of the destination in the target.
    ///   - renamed: The stored names of attributes, by the declared ones.
    private func output(
        _ destination: DestinationEntity, _ number: Int, from source: Int?, _ renamed: [UTF8Key: String]
    ) throws(DataStoreError) -> DestinationMapping.Output {
        let entity = target.entities[number]
        let old = source.map { stored.entities[$0] }
        let positions = old?.positions(of: entity.attributes, renamed: renamed)
        var types: [Int: String] = [:]
        for relationship in target.relationships[number] {
            guard case .reference(let column) = relationship.form else { continue }
            types[column] = relationship.targetSchema.name
        }
        var kept: [(column: Int, source: Int)] = []
        var constants: [(column: Int, value: Constant)] = []
        var lost: [(column: Int, source: Int)] = []
        for (column, attribute) in entity.attributes.enumerated().dropFirst() {
            if let old, let position = positions?[column],
                old.attributes[position].type.widens(to: attribute.type)
            {
                if let type = types[column], old.isLost(position, where: { !leads($0, to: type) }) {
                    lost.append((column, position))
                } else {
                    kept.append((column, position))
                }
            } else if let constant = try attribute.defaultValue() {
                constants.append((column, constant))
            }
        }
        return DestinationMapping.Output(
            destination, keepsIdentifiers: old?.attributes[0].type == entity.attributes[0].type,
            stored: kept, constants: constants, lost: lost)
    }
}

extension EntityMapping {
    /// The old names of the attributes that it renames, by the new ones.
    var originalNames: [UTF8Key: String] {
        Dictionary(renamedAttributes.map { (UTF8Key($0.new), $0.old) }, uniquingKeysWith: { $1 })
    }
}
