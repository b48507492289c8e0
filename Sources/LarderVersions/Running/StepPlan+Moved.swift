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
            guard let old = change.old else { continue }
            for known in old.relationships where known.inverse == nil {
                guard !deleted.contains(UTF8Key(known.target)),
                    !stored.keepsValues(of: known, of: old, by: change, among: finishing.entities),
                    let place = storedColumn(of: known, of: old),
                    let (relationship, difference) = otherEnd(of: known, of: old, by: change),
                    let made = madeColumn(of: relationship)
                else { continue }
                var reference: PreparedStep.Place?
                if case .reference(let column) = relationship.form {
                    reference = PreparedStep.Place(entity: relationship.owner, column: column)
                }
                found.append(
                    PreparedStep.MovedRelationship(
                        stored: place, made: made, reference: reference, difference: difference))
            }
        }
        return found
    }

    /// The relationship at the other end that stores from now on what a stored one does, and the difference between them.
    private func otherEnd(
        of known: StoredSchema.Relationship, of old: StoredSchema.Entity, by change: EntityEvolution
    ) -> (StoreRelationship, SchemaDifference)? {
        let entity = target.entities[change.entity]
        let renamed = adjustment.attributeNames[UTF8Key(entity.name)]
        let declared = target.relationships[change.entity].first { relationship in
            old.relationship(entity.relationships[relationship.number], renamed: renamed) == known
        }
        if let declared {
            guard declared.isDerived, let inverse = declared.inverse(in: target),
                let difference = SchemaDifference(
                    change.new.relationships[declared.number], declared.propertyName, of: entity.name,
                    storedAs: known)
            else { return nil }
            return (inverse, difference)
        }
        for run in runs {
            guard let source = run.source, let number = run.mapping.destinations.first.flatMap(targetNumber)
            else { continue }
            let owner = target.entities[number]
            for relationship in target.relationships[number] where !relationship.isDerived {
                let derived = stored.entities[source].relationship(
                    owner.relationships[relationship.number], renamed: run.mapping.originalNames)
                guard let derived, let inverse = derived.inverse, UTF8Text.areEqual(inverse, known.name),
                    UTF8Text.areEqual(derived.target, old.name),
                    let difference = SchemaDifference(
                        StoredSchema.Relationship(relationship, in: target), relationship.propertyName,
                        of: owner.name, storedAs: derived)
                else { continue }
                return (relationship, difference)
            }
        }
        return nil
    }

    private func storedColumn(
        of relationship: StoredSchema.Relationship, of owner: StoredSchema.Entity
    ) -> PreparedStep.Place? {
        if relationship.kind != .toOne {
            let links = linkNumber(relationship.name, of: owner.name)
            return links.map { PreparedStep.Place(entity: $0, column: LinkEntity.target) }
        }
        let column = owner.attributes.firstIndex { UTF8Text.areEqual($0.name, relationship.name) }
        guard let entity = sourceNumber(owner.name), let column else { return nil }
        return PreparedStep.Place(entity: entity, column: column)
    }

    /// The column of a relationship in the rows that the step makes; nil if it makes none of its type.
    private func madeColumn(of relationship: StoreRelationship) -> PreparedStep.Place? {
        guard let destination = made[relationship.owner] else { return nil }
        if case .reference(let column) = relationship.form {
            return PreparedStep.Place(entity: destination.number, column: column)
        }
        let links = destination.links.first { UTF8Text.areEqual($0.name, relationship.name) }
        return links.map { PreparedStep.Place(entity: $0.entity, column: LinkEntity.target) }
    }
}
