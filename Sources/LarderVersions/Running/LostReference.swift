import LarderKernel

/// A reference that a step does not copy to the rows that it makes, as its items are of another type from now on.
package struct LostReference: Sendable {
    /// The stored names of the type that has it, of the reference, and of the type that it leads to.
    package let owner: String
    package let name: String
    package let target: String
    /// The names of the types at both ends in the new version.
    package let newOwner: String
    package let newTarget: String
}

extension SchemaMigration {
    /// For each step the references that it does not copy.
    package var lostReferences: [[LostReference]] { steps.map { $0.plan.referencesNotCopied } }
}

extension StepPlan {
    fileprivate var referencesNotCopied: [LostReference] {
        var found: [LostReference] = []
        for run in runs {
            guard let old = run.source.map({ stored.entities[$0] }) else { continue }
            for output in run.destination.destinations {
                guard let owner = targetNumber(output.entity.name) else { continue }
                for (column, position) in output.lost {
                    let name = old.attributes[position].name
                    let known = old.relationships.first { relationship in
                        relationship.kind == .toOne && UTF8Text.areEqual(relationship.name, name)
                    }
                    let new = target.relationships[owner].first { $0.form == .reference(column: column) }
                    guard let known, let new else { continue }
                    found.append(
                        LostReference(
                            owner: old.name, name: name, target: known.target,
                            newOwner: output.entity.name, newTarget: new.targetSchema.name))
                }
            }
        }
        return found
    }
}
