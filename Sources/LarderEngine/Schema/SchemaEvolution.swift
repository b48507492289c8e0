public import LarderKernel
import LarderPattern
public import struct Foundation.UUID

/// The lightweight changes, inferred, that make a store fit the app's item types.
///
/// Attributes may be added (with a default, or optional), dropped, renamed by `originalName`, made optional
/// and widened; relationships may be added, dropped and renamed; indexes may come and go; whole types may be
/// added, and renamed by `originalName`. Anything else is `.schemaMismatch`, with
/// all differences. A pure function of two schemas; the adapters carry it out in one transaction.
public struct SchemaEvolution: Sendable {
    /// The schema to store once the changes are made.
    public let target: StoredSchema
    /// One for each item type of the app, in its order.
    public let entities: [EntityEvolution]

    /// The stored entities that go, before anything else changes: the links of relationships that the app no
    /// longer declares, and the types that a schema step has read.
    ///
    /// Links go, as the values of an attribute do: the store could not keep them right, as deleting an item
    /// would leave links that lead to it. An item type that is no longer declared stays unchanged.
    public let removed: [StoredSchema.Entity]
    /// The relationships of the app's schema whose stored values nothing has kept right so far.
    let uncheckedRelationships: [StoreRelationship]

    /// True if anything has to change.
    public let isNeeded: Bool
    /// True if the store has no identity yet, and ``target`` gives it one: a new store, or one of an early
    /// version.
    public let givesIdentity: Bool
    /// True if the store lacks something that ``target`` adds and no row depends on: its identity, or the name
    /// of the app's version.
    ///
    /// A store that is opened for writing stores ``target`` then, even if nothing else is needed. Its
    /// generation stays, unless it had the name of another version.
    public let completesStore: Bool

    /// Compares what is stored with what the app declares.
    ///
    /// - Parameter newIdentity: The identity for a store that has none.
    /// - Throws: `.schemaMismatch` saying what differs; `.incompleteTransfer` for a store that an unfinished
    ///   transfer is filling.
    public init(
        from stored: StoredSchema, to schema: StoreSchema, newIdentity: @autoclosure () -> UUID = UUID()
    ) throws(DataStoreError) {
        try self.init(
            from: stored, to: schema, by: SchemaAdjustment(), isOfStep: false, newIdentity: newIdentity())
    }

    /// The adding of types to a schema, without indexes, for the time of a step.
    package init(adding added: [StoredSchema.Entity], to stored: StoredSchema) {
        var target = stored
        target.entities += added
        target.nextEntityNumber += added.count
        self.target = target
        entities = added.enumerated().map { position, entity in
            EntityEvolution(entity: stored.entities.count + position, old: nil, new: entity, columns: [])
        }
        removed = []
        uncheckedRelationships = []
        isNeeded = !added.isEmpty
        givesIdentity = false
        completesStore = false
    }

    /// - Parameters:
    ///   - adjustment: The names and removals of a schema step.
    ///   - isOfStep: True if links stay whose relationship is not stored: a step over a part of a store does not know the
    ///     ones that lead to another part.
    package init(
        from original: StoredSchema, to schema: StoreSchema, by adjustment: SchemaAdjustment,
        isOfStep: Bool = true, newIdentity: @autoclosure () -> UUID = UUID()
    ) throws(DataStoreError) {
        // The store under the names that the app declares; positions are positions in `kept`.
        let kept = original.removing(adjustment.removed)
        let stored = kept.renaming(try adjustment.names(in: kept, for: schema))
        var target = stored
        givesIdentity = stored.identity == nil
        if givesIdentity { target.identity = newIdentity() }
        target.transfer = try schema.purpose.transfer(into: stored)
        var differences: [SchemaDifference] = []
        var entities: [EntityEvolution] = []
        var names = FreeNames(besides: stored.entities.map(\.storageName))
        for (number, entity) in schema.entities.enumerated() {
            var comparison = EntityComparison(
                entity: entity, number: number, keepsFoldings: schema.purpose == .inspection,
                originalNames: adjustment.attributeNames[UTF8Key(entity.name)])
            let position = target.position(of: entity, in: schema)
            let old = position.map { $0 < kept.entities.count ? kept.entities[$0] : target.entities[$0] }
            var new = try comparison.compare(with: old, number: target.nextEntityNumber, &names)
            new.relationships = schema.relationships[number].map { StoredSchema.Relationship($0, in: schema) }
            differences += comparison.differences
            if let position {
                target.entities[position] = new
            } else {
                target.entities.append(new)
                target.nextEntityNumber += 1
            }
            entities.append(comparison.evolution(from: old, to: new))
        }
        differences += stored.relationshipDifferences(to: schema, by: entities, adjustment)
        differences += stored.relationshipsOfUndeclaredTypes(besides: schema)
        if !differences.isEmpty {
            throw .mismatch(differences)
        }
        let links = target.removeUndeclaredRelationships(
            besides: schema, storedBefore: stored, isOfStep: isOfStep)
        let removed = original.entities.filter { entity in
            adjustment.removed.contains(entity.number) || links.contains { $0.number == entity.number }
        }
        self.removed = removed
        uncheckedRelationships = schema.relationships(uncheckedIn: stored, adjustment)
        isNeeded =
            entities.contains(where: \.isNeeded) || !removed.isEmpty || target.transfer != stored.transfer
            || target.entities.map(\.relationships) != stored.entities.map(\.relationships)
        // A schema that is changed without a history no longer belongs to the version.
        target.version = schema.version ?? (isNeeded ? nil : stored.version)
        let isRenamed = target.version.map { UTF8Key($0) } != stored.version.map { UTF8Key($0) }
        completesStore = givesIdentity || isRenamed
        // A process that knows the earlier version must not continue, even if only values have changed.
        if isNeeded || (isRenamed && stored.version != nil) { target.generation += 1 }
        self.target = target
        self.entities = entities
    }
}

/// The changes of one item type.
public struct EntityEvolution: Sendable {
    /// The number of the item type in the app's schema.
    public let entity: Int
    /// The present stored form, or nil if the type is new.
    public let old: StoredSchema.Entity?
    /// The new stored form.
    public let new: StoredSchema.Entity
    /// For each new column where its values come from.
    public let columns: [ColumnSource]

    /// The source of a column's values.
    public enum ColumnSource: Sendable, Hashable {
        /// From a stored attribute, by its position in the old entity.
        case stored(Int)
        /// From a constant: the attribute is new.
        case constant(Constant)
        /// From the text in another of the new columns, as a folding makes it; that column comes before.
        case folded(FoldedColumn)
    }

    /// True if the store keeps it under another name from now on.
    public var isRenamed: Bool {
        guard let old else { return false }
        return !UTF8Text.areEqual(old.storageName, new.storageName)
    }

    /// True if every row has to be rewritten.
    public var changesRows: Bool {
        guard let old else { return false }
        return old.attributes != new.attributes
    }

    /// The indexes to build, whether rows change or not.
    public var addedIndexes: [StoredSchema.Index] {
        guard let old else { return new.indexes }
        return new.indexes.filter { index in !old.indexes.contains(index) }
    }

    /// The indexes to build whose values must be unique from now on.
    ///
    /// - Parameter entity: The new stored form as a schema.
    package func addedUniqueIndexes(in entity: EntitySchema) -> [IndexSchema] {
        let added = addedIndexes.filter(\.isUnique)
        return entity.indexes.filter { index in
            if index.isUnique, index.columns.contains(where: hasOtherValues) { return true }
            let names = index.columns.map { entity.attributes[$0].name }
            return added.contains { $0.attributes.elementsEqual(names, by: UTF8Text.areEqual) }
        }
    }

    /// True if a column does not keep the values that were stored under its name: the change folds them, or a step has given
    /// the name to another attribute.
    private func hasOtherValues(_ column: Int) -> Bool {
        guard let old, columns.indices.contains(column) else { return false }
        switch columns[column] {
        case .constant, .folded: return true
        case .stored(let position):
            return !UTF8Text.areEqual(old.attributes[position].name, new.attributes[column].name)
        }
    }

    /// The indexes that are no longer wanted.
    public var droppedIndexes: [StoredSchema.Index] {
        guard let old else { return [] }
        return old.indexes.filter { index in !new.indexes.contains(index) }
    }

    package var isNeeded: Bool { old != new }
}

/// The comparison of one declared item type with its stored form.
private struct EntityComparison {
    let entity: EntitySchema
    let number: Int
    /// The stored names of attributes, by the declared ones, as a schema step gives them.
    let originalNames: [UTF8Key: String]?
    /// True if stored texts that other Unicode tables have folded stay.
    let keepsFoldings: Bool
    var differences: [SchemaDifference] = []
    private var columns: [EntityEvolution.ColumnSource] = []

    init(entity: EntitySchema, number: Int, keepsFoldings: Bool, originalNames: [UTF8Key: String]?) {
        self.entity = entity
        self.number = number
        self.originalNames = originalNames
        self.keepsFoldings = keepsFoldings
    }

    mutating func compare(
        with old: StoredSchema.Entity?, number nextNumber: Int, _ entityNames: inout FreeNames
    ) throws(DataStoreError) -> StoredSchema.Entity {
        var attributes: [StoredSchema.Attribute] = []
        var names = FreeNames(besides: old?.attributes.map(\.storageName) ?? [])
        let positions = old?.positions(of: entity.attributes, renamed: originalNames ?? [:])
        for (column, attribute) in entity.declaredAttributes.enumerated() {
            if let old, let position = positions?[column] {
                let stored = old.attributes[position]
                if !entity.isLink {
                    differences += [SchemaDifference(attribute, of: entity.name, storedAs: stored)]
                        .compactMap(\.self)
                }
                columns.append(.stored(position))
                let isRenamed = !UTF8Text.areEqual(stored.name, attribute.name)
                let name = isRenamed ? names.take(attribute.name) : stored.storageName
                attributes.append(Self.stored(attribute, storageName: name))
            } else {
                if let old { columns.append(.constant(try fill(attribute, of: old))) }
                attributes.append(Self.stored(attribute, storageName: names.take(attribute.name)))
            }
        }
        for column in entity.foldedColumns {
            if let attribute = fold(column, of: old, &names) { attributes.append(attribute) }
        }
        let indexes = entity.indexes.map { index in
            StoredSchema.Index(
                attributes: index.columns.map { entity.attributes[$0].name }, isUnique: index.isUnique)
        }
        let kept = old.flatMap { UTF8Text.areEqual($0.name, entity.name) ? $0.storageName : nil }
        return StoredSchema.Entity(
            number: old?.number ?? nextNumber, name: entity.name,
            storageName: kept ?? entityNames.take(entity.name), attributes: attributes, indexes: indexes,
            isLink: entity.isLink)
    }

    func evolution(from old: StoredSchema.Entity?, to new: StoredSchema.Entity) -> EntityEvolution {
        EntityEvolution(entity: number, old: old, new: new, columns: columns)
    }

    /// The stored form of the column with a folded text, which stays if the same text was folded in the same way.
    private mutating func fold(
        _ column: Int, of old: StoredSchema.Entity?, _ names: inout FreeNames
    ) -> StoredSchema.Attribute? {
        let attribute = entity.attributes[column]
        guard let folded = attribute.folded, var folding = entity.folding(at: column, by: TextFolding.tables)
        else { return nil }
        let known = old.flatMap { old -> Int? in
            guard case .stored(let text) = columns[folded.source] else { return nil }
            return old.attributes.firstIndex { stored in
                guard let known = stored.folding, known.matching == folding.matching else { return false }
                return UTF8Text.areEqual(known.text, old.attributes[text].name)
                    && (keepsFoldings || UTF8Text.areEqual(known.tables, folding.tables))
            }
        }
        let same = old?.attributes.first { $0.folding != nil && UTF8Text.areEqual($0.name, attribute.name) }
        if let old, let known, let kept = old.attributes[known].folding { folding.tables = kept.tables }
        if old != nil { columns.append(known.map { .stored($0) } ?? .folded(folded)) }
        var stored = Self.stored(
            attribute, storageName: same?.storageName ?? names.take(folding.storageName))
        stored.folding = folding
        return stored
    }

    private mutating func fill(
        _ attribute: AttributeSchema, of old: StoredSchema.Entity
    ) throws(DataStoreError) -> Constant {
        do {
            if let value = try attribute.defaultValue() { return value }
        } catch {
            throw error.about(itemType: entity.name, attribute: attribute.propertyName)
        }
        if !attribute.isOptional && !entity.isLink {
            differences.append(SchemaDifference(new: attribute, of: entity, in: old))
        }
        return .null
    }

    private static func stored(_ attribute: AttributeSchema, storageName: String) -> StoredSchema.Attribute {
        StoredSchema.Attribute(
            name: attribute.name, storageName: storageName, type: attribute.type,
            isOptional: attribute.isOptional)
    }
}

extension StoredSchema.Folding {
    /// The name for SQL of the column with a folded text: `name_folded`, `name_plain`, or both.
    package var storageName: String {
        text + (matching.contains(.caseInsensitive) ? "_folded" : "")
            + (matching.contains(.diacriticInsensitive) ? "_plain" : "")
    }
}

extension StoredSchema.Entity {
    /// The positions of the stored forms of declared attributes, nil for one that has none.
    ///
    /// No stored attribute becomes two: a name that a step gives to another attribute comes first, then the own
    /// names, then those that attributes had before. Folded texts have none.
    ///
    /// - Parameter renamed: The stored names of attributes, by the declared ones, as a schema step gives them.
    package func positions(of declared: [AttributeSchema], renamed: [UTF8Key: String]) -> [Int?] {
        let stored = Dictionary(
            attributes.enumerated().filter { $1.folding == nil }.map { (UTF8Key($1.name), $0) },
            uniquingKeysWith: { first, _ in first })
        var positions = [Int?](repeating: nil, count: declared.count)
        var taken: Set<Int> = []
        func take(_ name: (AttributeSchema) -> String?) {
            for (column, attribute) in declared.enumerated()
            where positions[column] == nil && attribute.folded == nil {
                guard let position = name(attribute).flatMap({ stored[UTF8Key($0)] }),
                    taken.insert(position).inserted
                else { continue }
                positions[column] = position
            }
        }
        if !renamed.isEmpty { take { renamed[UTF8Key($0.name)] } }
        take(\.name)
        take(\.originalName)
        return positions
    }
}

/// Names under which something may be stored: none differs from another in case only, as SQLite's do not.
package struct FreeNames {
    private var taken: Set<UTF8Key>

    package init(besides names: [String]) {
        taken = Set(minimumCapacity: names.count + 8)
        for name in names { taken.insert(Self.key(name)) }
    }

    /// The name, with a number appended if it is already taken; it is taken from now on.
    package mutating func take(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !taken.insert(Self.key(candidate)).inserted {
            candidate = "\(name)~\(number)"
            number += 1
        }
        return candidate
    }

    private static func key(_ name: String) -> UTF8Key { UTF8Key(CaseFolding.folded(name)) }
}
