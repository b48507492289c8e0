import LarderKernel

extension StoredSchema {
    /// The same schema with the relationships of another one, as far as it has their columns, links and types.
    ///
    /// For a store that keeps rows alone, as a part of another store does.
    func relating(by schema: StoreSchema) -> StoredSchema {
        var copy = self
        for position in entities.indices where !entities[position].isLink {
            let owner = entities[position]
            let number = schema.entities.firstIndex { UTF8Text.areEqual($0.name, owner.name) }
            let known = number.map { schema.relationships[$0] } ?? []
            copy.entities[position].relationships =
                known.map { Relationship($0, in: schema) }.filter { hasPlace(for: $0, of: owner) }
        }
        let stored = copy
        for position in entities.indices {
            let owner = entities[position].name
            copy.entities[position].relationships.removeAll { derived in
                guard let inverse = derived.inverse else { return false }
                let others = stored.entity(named: derived.target)?.relationships ?? []
                return !others.contains {
                    UTF8Text.areEqual($0.name, inverse) && UTF8Text.areEqual($0.target, owner)
                }
            }
        }
        return copy
    }

    private func hasPlace(for relationship: Relationship, of owner: Entity) -> Bool {
        guard let target = entity(named: relationship.target), !target.isLink else { return false }
        if relationship.kind == .toOne {
            return owner.attributes.contains {
                UTF8Text.areEqual($0.name, relationship.name) && $0.type == target.attributes[0].type
            }
        }
        guard relationship.ownsLinks else { return true }
        return entity(named: LinkEntity.name(for: relationship.name, of: owner.name))?.isLink == true
    }
}
