package import LarderKernel

/// The part of a schema step that a comparison of two schemas needs: new names, and types that go.
package struct SchemaAdjustment {
    /// The stored names of types and links, by the declared ones.
    package var entityNames: [UTF8Key: String] = [:]
    /// The new names of removed types that relationships lead to, by the old ones.
    package var targetNames: [UTF8Key: String] = [:]
    /// The names of stored types that are split or joined into types of other names, so that another type may take the name.
    package var leftNames: Set<UTF8Key> = []
    /// For each declared type the stored names of its attributes, by the declared ones.
    package var attributeNames: [UTF8Key: [UTF8Key: String]] = [:]
    /// The numbers of the stored entities that go.
    package var removed: Set<Int> = []
    /// The declared types that closures make of the rows of stored ones, by the stored names.
    package var successors: [UTF8Key: Set<UTF8Key>] = [:]
    /// The declared types whose rows the step makes one by one.
    package var made: Set<UTF8Key> = []

    package init() {}

    /// True if closures make the rows of a declared type of the rows of a stored one.
    package func makes(_ type: String, of stored: String) -> Bool {
        successors[UTF8Key(stored)]?.contains(UTF8Key(type)) ?? false
    }

    /// True if a stored type is a declared one from now on, by its old name or the one that the step gives it.
    package func continues(_ stored: String, as type: String) -> Bool {
        let name = UTF8Key(stored)
        return !leftNames.contains(name) && UTF8Text.areEqual(targetNames[name] ?? stored, type)
    }

    /// The remedy for a relationship that would lead to other rows, as these have the name of its type from now on.
    ///
    /// - Parameter former: The stored name of the type of its rows.
    func advice(
        for declared: RelationshipSchema, of owner: String, _ kind: RelationshipSchema.Kind,
        toFormer former: String
    ) -> String {
        let (name, place) = ("\"\(declared.name)\"", "in a Transform for \(owner).")
        if kind != .toOne { return "Call setLinks(\(name), to:) \(place)" }
        guard let successor = successors[UTF8Key(former)]?.first?.text else {
            return "Assign \(name) \(place)"
        }
        return "Let \(owner).\(declared.propertyName) refer to \(successor), or assign \(name) \(place)"
    }

    /// The declared names of stored types, by the stored ones: the names that the step gives, and the app's
    /// new names of renamed types.
    ///
    /// - Throws: `.schemaMismatch` for a type of which the store has both names.
    func names(in stored: StoredSchema, for schema: StoreSchema) throws(DataStoreError) -> NewNames {
        var entities: [UTF8Key: String] = [:]
        for (declared, original) in entityNames { entities[UTF8Key(original)] = declared.text }
        let declared = Set(schema.entities.map { UTF8Key($0.name) })
        for entity in schema.entities where !entity.isLink && entityNames[UTF8Key(entity.name)] == nil {
            guard let original = entity.originalName, !declared.contains(UTF8Key(original)),
                entities[UTF8Key(original)] == nil, let old = stored.entity(named: original), !old.isLink
            else { continue }
            if stored.entity(named: entity.name) != nil {
                // The steps to this version have said which items are meant.
                if let version = schema.version, UTF8Text.areEqual(version, stored.version ?? "") { continue }
                throw DataStoreError(
                    .schemaMismatch,
                    """
                    The store has items of \(entity.name) and of \(original), which is the original name of \
                    \(entity.name); the app declares only \(entity.name).
                    """,
                    advice: """
                        If the items of \(entity.name) are meant, remove the original name. If the items of \
                        \(original) are meant, declare them under another name, or delete the others by a SchemaStep with \
                        Delete("\(entity.name)"). Nothing was changed.
                        """, itemType: entity.name)
            }
            entities[UTF8Key(original)] = entity.name
        }
        return NewNames(entities: entities, targets: targetNames)
    }
}

/// The names that stored entities have from now on, by those that they had.
struct NewNames {
    let entities: [UTF8Key: String]
    /// The names, in addition, of types that relationships lead to.
    let targets: [UTF8Key: String]

    var isEmpty: Bool { entities.isEmpty && targets.isEmpty }
}

extension StoredSchema {
    /// The schema without some entities.
    func removing(_ numbers: Set<Int>) -> StoredSchema {
        if numbers.isEmpty { return self }
        var copy = self
        copy.entities.removeAll { numbers.contains($0.number) }
        return copy
    }

    /// The schema under new names, in which the stored names of tables are still the old ones.
    ///
    /// The links of a type's relationships have its name in theirs.
    func renaming(_ names: NewNames) -> StoredSchema {
        if names.isEmpty { return self }
        var copy = self
        for position in entities.indices {
            let entity = entities[position]
            let newName = names.entities[UTF8Key(entity.name)]
            if let newName { copy.entities[position].name = newName }
            for number in entity.relationships.indices {
                let target = UTF8Key(entity.relationships[number].target)
                if let new = names.entities[target] ?? names.targets[target] {
                    copy.entities[position].relationships[number].target = new
                }
                guard let newName, entity.relationships[number].ownsLinks else { continue }
                let relationship = entity.relationships[number].name
                let links = LinkEntity.name(for: relationship, of: entity.name)
                if names.entities[UTF8Key(links)] != nil { continue }
                if let place = entities.firstIndex(where: { UTF8Text.areEqual($0.name, links) }) {
                    copy.entities[place].name = LinkEntity.name(for: relationship, of: newName)
                }
            }
        }
        return copy
    }
}
