import LarderEngine
import LarderKernel

// MARK: Relationships whose place is at their other end from now on

extension StepPlan {
    /// The stored references and links, of types that stay, that the step has to set in rows that it makes.
    ///
    /// Those to a deleted type go with its rows.
    ///
    /// - Parameter finishing: The changes once the rows are made.
    func movedRelationships(besides finishing: SchemaEvolution) -> [PreparedStep.MovedRelationship] {
        let deleted = Set(
            step.mappings.filter { $0.kind == .delete }.flatMap(\.sources).map { UTF8Key($0) })
        var found: [PreparedStep.MovedRelationship] = []
        for change in finishing.entities {
            let entity = target.entities[change.entity]
            let renamed = adjustment.attributeNames[UTF8Key(entity.name)]
            for relationship in target.relationships[change.entity] where relationship.isDerived {
                let declared = entity.relationships[relationship.number]
                guard let old = change.old, let known = old.relationship(declared, renamed: renamed),
                    known.inverse == nil, !deleted.contains(UTF8Key(known.target)),
                    !stored.keepsValues(of: known, of: old, by: change, among: finishing.entities),
                    let place = storedColumn(of: known, of: old),
                    let made = relationship.inverse(in: target).flatMap(madeColumn),
                    let difference = SchemaDifference(
                        change.new.relationships[relationship.number], declared.propertyName,
                        of: entity.name, storedAs: known)
                else { continue }
                found.append(
                    PreparedStep.MovedRelationship(stored: place, made: made, difference: difference))
            }
        }
        return found
    }

    private func storedColumn(
        of relationship: StoredSchema.Relationship, of owner: StoredSchema.Entity
    ) -> (entity: Int, column: Int)? {
        let isReference = relationship.kind == .toOne
        let name = isReference ? owner.name : LinkEntity.name(for: relationship.name, of: owner.name)
        let column =
            isReference
            ? owner.attributes.firstIndex { UTF8Text.areEqual($0.name, relationship.name) }
            : LinkEntity.target
        let entity = stored.entities.firstIndex { UTF8Text.areEqual($0.name, name) }
        guard let entity, let column else { return nil }
        return (entity, column)
    }

    /// The column of a relationship in the rows that the step makes; nil if it makes none of its type.
    private func madeColumn(of relationship: StoreRelationship) -> (entity: Int, column: Int)? {
        guard let destination = made[relationship.owner] else { return nil }
        if case .reference(let column) = relationship.form { return (destination.number, column) }
        let links = destination.links.first { UTF8Text.areEqual($0.name, relationship.name) }
        return links.map { ($0.entity, LinkEntity.target) }
    }
}
