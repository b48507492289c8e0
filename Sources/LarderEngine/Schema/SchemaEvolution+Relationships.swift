public import LarderKernel

extension SchemaEvolution {
    /// True if ``requireRelationships(of:in:cancelledAs:)`` has anything to check.
    public var changesRelationships: Bool { !uncheckedRelationships.isEmpty }

    /// Refuses stored values that lead nowhere when they become references, and references that two items
    /// share when they become one-to-one.
    ///
    /// Called once all changes are made, before the commit. *Cost:* nothing if no relationship
    /// is new or stricter; otherwise reads the references and the identifiers that they lead to.
    ///
    /// - Parameters:
    ///   - schema: The app's schema, which the transaction reads.
    ///   - work: Begins the sentence of the error if the walk ends with the task; nil if it continues.
    /// - Throws: `.targetNotFound`, `.uniqueViolation`, naming the first item; `.cancelled`; errors of the engine.
    public func requireRelationships(
        of schema: StoreSchema, in reading: any StorageReading, cancelledAs work: StaticString? = nil
    ) throws(DataStoreError) {
        for relationship in uncheckedRelationships {
            let fault = try ReferenceFault.first(in: relationship, schema, reading, cancelledAs: work)
            if let fault { throw fault.error }
        }
    }

    /// True if ``requireRelationships(of:in:cancelledAs:)`` checks a relationship of the app's schema.
    package func checks(_ relationship: StoreRelationship) -> Bool {
        uncheckedRelationships.contains { $0.owner == relationship.owner && $0.number == relationship.number }
    }
}

extension StoredSchema {
    /// The position of the stored form of an item type, or of links whose relationship was renamed.
    func position(of entity: EntitySchema, in schema: StoreSchema) -> Int? {
        if let position = entities.firstIndex(where: { UTF8Text.areEqual($0.name, entity.name) }) {
            return position
        }
        guard let original = entity.originalName,
            !schema.entities.contains(where: { UTF8Text.areEqual($0.name, original) })
        else { return nil }
        // A type is called by its new name already.
        return entities.firstIndex { $0.isLink && UTF8Text.areEqual($0.name, original) }
    }

    /// The stored relationships of types that the app does not declare, to types that it does.
    ///
    /// The store could not keep them right: it would not know what refers to an item that is deleted. One that
    /// is derived stores nothing.
    func relationshipsOfUndeclaredTypes(besides schema: StoreSchema) -> [SchemaDifference] {
        if !hasRelationships { return [] }
        let declared = Set(schema.entities.map { UTF8Key($0.name) })
        return entities.filter { !declared.contains(UTF8Key($0.name)) }.flatMap { entity in
            entity.relationships
                .filter { $0.inverse == nil && declared.contains(UTF8Key($0.target)) }
                .map { SchemaDifference(undeclared: entity.name, $0) }
        }
    }

    /// Removes what the app's types no longer declare: the links of their relationships, and what other types
    /// derive from those.
    ///
    /// - Returns: The item types that held the links.
    mutating func removeUndeclaredRelationships(
        besides schema: StoreSchema, storedBefore old: StoredSchema, isOfStep: Bool
    ) -> [Entity] {
        if !old.hasRelationships, isOfStep || !entities.contains(where: \.isLink) { return [] }
        let declared = Set(schema.entities.map { UTF8Key($0.name) })
        var removed: [Entity] = []
        for entity in old.entities where declared.contains(UTF8Key(entity.name)) {
            for relationship in entity.relationships where relationship.ownsLinks {
                let name = "\(entity.name).\(relationship.name)"
                guard !declared.contains(UTF8Key(name)), let links = self.entity(named: name), links.isLink
                else { continue }
                removed.append(links)
                entities.removeAll { $0.number == links.number }
            }
        }
        if !isOfStep {
            // A part of a store keeps links, and no relationship that would name them.
            let others = entities.filter { links in
                guard let owner = links.linkOwner, declared.contains(UTF8Key(owner)) else { return false }
                return !declared.contains(UTF8Key(links.name))
            }
            entities.removeAll { entity in others.contains { $0.number == entity.number } }
            removed += others
        }
        for position in entities.indices where !declared.contains(UTF8Key(entities[position].name)) {
            let name = entities[position].name
            let kept = entities[position].relationships.filter { hasInverse($0, of: name) }
            entities[position].relationships = kept
        }
        return removed
    }

    /// True if a relationship still has the inverse that it is derived from.
    private func hasInverse(_ relationship: Relationship, of owner: String) -> Bool {
        guard let inverse = relationship.inverse else { return true }
        return entity(named: relationship.target)?.relationships.contains { other in
            UTF8Text.areEqual(other.name, inverse) && UTF8Text.areEqual(other.target, owner)
        } ?? false
    }

    /// The rule by which items at the end of a stored relationship go, when the relationship itself refers to
    /// them; nil if none is stored.
    fileprivate func deleteRule(forReferrers relationship: String, of owner: String) -> DeleteRule? {
        for entity in entities {
            for other in entity.relationships where UTF8Text.areEqual(other.target, owner) {
                if let inverse = other.inverse, UTF8Text.areEqual(inverse, relationship) {
                    return other.deleteRule
                }
            }
        }
        return nil
    }

    fileprivate func isOneToOne(_ relationship: String, of owner: String) -> Bool {
        entities.contains { entity in
            entity.relationships.contains { other in
                other.kind == .toOneInverse && UTF8Text.areEqual(other.target, owner)
                    && other.inverse.map { UTF8Text.areEqual($0, relationship) } == true
            }
        }
    }
}

extension StoredSchema {
    /// The stored relationships that do not become the declared ones.
    ///
    /// - Parameters:
    ///   - changes: One for each type of the app, in its order.
    ///   - adjustment: The names and closures of a schema step.
    func relationshipDifferences(
        to schema: StoreSchema, by changes: [EntityEvolution], _ adjustment: SchemaAdjustment
    ) -> [SchemaDifference] {
        var differences: [SchemaDifference] = []
        for change in changes {
            let entity = schema.entities[change.entity]
            guard let number = change.old?.number, let old = entities.first(where: { $0.number == number })
            else { continue }
            if entity.isLink && !old.isLink {
                differences.append(SchemaDifference(linksStoredAsItems: entity.name))
            }
            let renamed = adjustment.attributeNames[UTF8Key(entity.name)]
            for (relationship, declared) in zip(change.new.relationships, entity.relationships) {
                guard var stored = old.relationship(declared, renamed: renamed) else { continue }
                if stored.inverse != nil, relationship.inverse != nil || !isLost(stored, changes) {
                    continue
                }
                // A renamed type is not replaced by another one, even if that is made of a type with the new name.
                let former = change.old?.relationship(declared, renamed: renamed)?.target ?? stored.target
                var advice: String?
                if stored.kind == .toOne, UTF8Text.areEqual(former, stored.target),
                    adjustment.makes(relationship.target, of: former)
                {
                    stored.target = relationship.target
                } else if adjustment.leftNames.contains(UTF8Key(former)),
                    UTF8Text.areEqual(stored.target, relationship.target)
                {
                    stored.target = "the former \(former)"
                    advice = adjustment.advice(for: declared, of: entity.name, stored.kind, toFormer: former)
                }
                // The step may set at the other end what was stored here. It is asked for that when it has run.
                if relationship.inverse != nil, adjustment.made.contains(UTF8Key(relationship.target)) {
                    continue
                }
                if relationship.inverse != nil || relationship.kind.isToMany != stored.kind.isToMany,
                    keepsValues(of: stored, of: old, by: change, among: changes)
                {
                    continue
                }
                let difference = SchemaDifference(
                    relationship, declared.propertyName, of: entity.name, storedAs: stored, advice: advice)
                differences += [difference].compactMap(\.self)
            }
        }
        return differences
    }

    /// True for a derived relationship whose inverse is not declared any more, and whose values do not stay either.
    private func isLost(_ derived: Relationship, _ changes: [EntityEvolution]) -> Bool {
        guard let change = changes.first(where: { UTF8Text.areEqual($0.new.name, derived.target) }),
            let old = entities.first(where: { $0.number == change.old?.number }),
            let name = derived.inverse,
            let inverse = old.relationships.first(where: { UTF8Text.areEqual($0.name, name) })
        else { return false }
        return !change.new.relationships.contains { UTF8Text.areEqual($0.name, name) }
            && !keepsValues(of: inverse, of: old, by: change, among: changes)
    }

    /// True if the values of a relationship stay, under another name.
    package func keepsValues(
        of relationship: Relationship, of owner: Entity, by change: EntityEvolution,
        among changes: [EntityEvolution]
    ) -> Bool {
        if relationship.kind == .toOne {
            let column = owner.attributes.firstIndex { UTF8Text.areEqual($0.name, relationship.name) }
            return column.map { change.columns.contains(.stored($0)) } ?? false
        }
        guard let links = entity(named: LinkEntity.name(for: relationship.name, of: owner.name)) else {
            return false
        }
        return changes.contains { $0.old?.number == links.number }
    }
}

extension StoredSchema.Entity {
    /// The name of the type that has the relationship of these links; nil if they are items.
    package var linkOwner: String? {
        guard isLink, let dot = name.lastIndex(of: ".") else { return nil }
        return String(name[..<dot])
    }

    /// The stored form of a relationship, perhaps under the name it had before.
    ///
    /// - Parameter renamed: The stored names of attributes, by the declared ones, as a schema step gives them.
    package func relationship(
        _ declared: RelationshipSchema, renamed: [UTF8Key: String]?
    ) -> StoredSchema.Relationship? {
        // A name that the step has given to another relationship is not an own one any more.
        let taken = Set((renamed ?? [:]).values.map { UTF8Key($0) })
        let own = [declared.name, declared.originalName].compactMap { $0 }.filter {
            !taken.contains(UTF8Key($0))
        }
        let names = renamed?[UTF8Key(declared.name)].map { [$0] } ?? own
        return names.lazy.compactMap { name in
            relationships.first { UTF8Text.areEqual($0.name, name) }
        }.first
    }
}

extension StoreSchema {
    /// The relationships that are new over old rows, or that become stricter.
    func relationships(
        uncheckedIn stored: StoredSchema, _ adjustment: SchemaAdjustment
    ) -> [StoreRelationship] {
        relationships.joined().filter { relationship in
            let owner = entities[relationship.owner].name
            guard !relationship.isDerived, let old = stored.entity(named: owner) else { return false }
            let known = old.relationship(
                entities[relationship.owner].relationships[relationship.number],
                renamed: adjustment.attributeNames[UTF8Key(owner)])
            let inverse = relationship.inverse(in: self)
            guard let known, UTF8Text.areEqual(known.target, relationship.targetSchema.name),
                known.ownsLinks == relationship.kind.isToMany
            else {
                return relationship.kind == .toOne
            }
            let isStricter =
                stored.deleteRule(forReferrers: known.name, of: owner) == .noAction
                && inverse?.deleteRule != .noAction
            let wasFree = known.deleteRule == .noAction && relationship.deleteRule != .noAction
            return isStricter || (relationship.kind.isToMany && wasFree)
                || inverse?.kind == .toOneInverse && !stored.isOneToOne(known.name, of: owner)
        }
    }
}
