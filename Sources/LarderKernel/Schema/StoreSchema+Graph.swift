extension StoreSchema {
    /// The schema of an item type and of all types to which its relationships lead, for what is known of a
    /// request without a store.
    ///
    /// - Parameter others: Further types from which to set out.
    /// - Throws: `.invalidSchema`.
    package init(
        reachableFrom type: any DataStoreItem.Type, and others: [any DataStoreItem.Type] = []
    ) throws(DataStoreError) {
        var types = [type] + others
        var seen = Set(types.map { ObjectIdentifier($0) })
        var position = 0
        while position < types.count {
            for relationship in types[position].schema.relationships {
                guard case .type(let target) = relationship.target else { continue }
                if seen.insert(ObjectIdentifier(target)).inserted { types.append(target) }
            }
            position += 1
        }
        if types.count > 1 || !type.schema.relationships.isEmpty {
            try self.init(storing: types)
        } else {
            self.init(of: type.schema)
        }
    }

    /// The relationship that a filter names, of the item type with a number.
    ///
    /// - Throws: `.invalidRequest` when the type has no such relationship.
    package func relationship(
        _ reference: RelationshipReference, of entity: Int
    ) throws(DataStoreError) -> StoreRelationship {
        let position = entities[entity].position(of: reference)
        guard let position, relationships[entity].indices.contains(position) else {
            throw DataStoreError(
                .invalidRequest,
                "The request names a relationship that \(entities[entity].name) does not have.",
                itemType: entities[entity].name)
        }
        return relationships[entity][position]
    }

    /// The relationships that a path from an item type leads through; the caller refuses those that it has no use for.
    func path(
        along references: [RelationshipReference], of entity: Int
    ) throws(DataStoreError) -> [StoreRelationship] {
        var path: [StoreRelationship] = []
        for reference in references {
            path.append(try relationship(reference, of: path.last?.target ?? entity))
        }
        return path
    }
}
