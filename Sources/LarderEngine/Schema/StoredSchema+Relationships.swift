package import LarderKernel

extension StoredSchema {
    /// True if an item type has a relationship, or holds links.
    ///
    /// Such a store has the second version of the format: one that does not know the rules of relationships
    /// would break them.
    package var hasRelationships: Bool {
        entities.contains { !$0.relationships.isEmpty || $0.isLink }
    }

    /// The version of the format of a store with this schema, in every engine.
    package var formatVersion: Int { hasRelationships ? 2 : 1 }

    /// The highest version of the format that this code reads.
    package static let newestFormatVersion = 2
}

// MARK: Validation

extension StoredSchema {
    /// The first problem of the relationships, as the end of a sentence, or nil.
    ///
    /// A stored relationship is refused for what the app's own ones are refused for.
    var relationshipProblem: String? {
        if !hasRelationships { return nil }
        for entity in entities {
            if let problem = relationshipProblem(of: entity) { return problem }
        }
        do {
            _ = try resolvedWithoutLinks()
            return nil
        } catch {
            return String(error.message.dropLast(error.message.hasSuffix(".") ? 1 : 0))
        }
    }

    /// The first relationship whose links have no place, as the end of a sentence, or nil.
    ///
    /// A store lists the places of links; an export does not.
    var linkProblem: String? {
        guard hasRelationships, let resolved = try? resolvedWithoutLinks() else { return nil }
        let missing = resolved.entities.first { expected in
            guard expected.isLink, let links = entity(named: expected.name), links.isLink else {
                return expected.isLink
            }
            return !links.attributes.elementsEqual(expected.attributes) { stored, needed in
                UTF8Text.areEqual(stored.name, needed.name) && stored.type == needed.type
                    && stored.isOptional == needed.isOptional
            }
        }
        return missing.map { "there is no place for the links of \($0.name)" }
    }

    private func resolvedWithoutLinks() throws(DataStoreError) -> StoreSchema {
        var schema = self
        schema.entities.removeAll(where: \.isLink)
        return try StoreSchema(of: schema)
    }

    private func relationshipProblem(of entity: Entity) -> String? {
        if entity.isLink && !entity.relationships.isEmpty { return "the links \(entity.name) have links" }
        var names = Set(entity.attributes.map { UTF8Key($0.name) })
        for relationship in entity.relationships {
            let title = "\(entity.name).\(relationship.name)"
            let limit = AttributeSchema.maximumNameBytes
            if let problem = Self.problem(inName: relationship.name, limit: limit) {
                return "a relationship of \(entity.name) has a name that \(problem)"
            }
            guard let target = self.entity(named: relationship.target), !target.isLink else {
                return "\(title) refers to \(relationship.target), which is not one of its item types"
            }
            if relationship.kind == .toOne {
                let attribute = entity.attributes.first { UTF8Text.areEqual($0.name, relationship.name) }
                guard let attribute, attribute.type == target.attributes[0].type else {
                    return "\(title) is not an attribute that can refer to \(target.name)"
                }
            } else if !names.insert(UTF8Key(relationship.name)).inserted {
                return "\(entity.name) has two properties called \"\(relationship.name)\""
            }
        }
        return nil
    }
}
