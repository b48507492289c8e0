import LarderEngine
import LarderKernel

/// A schema step over a certain stored schema: what is made, in which order, and from what.
///
/// The types whose rows the step makes are kept beside the old ones under interim names, without indexes,
/// until all mappings have run: so the old rows stay readable to the end, and indexes are built once over all
/// rows. Types that change as a whole need no pass over their rows. *Rule:* a pure function.
struct PreparedStep {
    let plan: StepPlan
    /// The stored schema in front, with its relationships, then what the step makes.
    let working: StoreSchema
    /// Makes the interim tables.
    let making: SchemaEvolution
    /// Removes what has been read, and gives what was made its name, indexes and relationships.
    let finishing: SchemaEvolution
    /// The stored references and links that the step has to set at their other end.
    let movedRelationships: [MovedRelationship]

    /// A mapping, its old rows, and what it makes of them.
    struct MappingRun {
        let mapping: EntityMapping
        /// The number of the type whose rows it reads; nil for none.
        let source: Int?
        /// The number of the second type of a join.
        let other: Int?
        let destination: DestinationMapping
    }

    /// Old links of a relationship that go, and the place of the new ones.
    struct ReplacedLinks {
        /// The numbers in ``working``.
        let made: Int
        let stored: Int
        /// The number of the stored type that the old links start from.
        let source: Int
        /// The numbers of the relationship and of its owner in the target.
        let relationship: Int
        let owner: Int
        /// The number of the owner's rows in ``working`` if the mapping names another destination first; nil if it names the
        /// owner first.
        let later: Int?
    }

    /// A column of identifiers, with the number of its type or its links.
    struct Place {
        let entity: Int
        let column: Int
    }

    /// A reference, or links, of rows that stay, whose place is at their other end from now on.
    struct MovedRelationship {
        /// The place until now, and from now on, by numbers in ``working``.
        let stored: Place
        let made: Place
        /// The place from now on if it is a reference, by its numbers in the target; nil for links, which a closure after
        /// the mappings cannot set.
        let reference: Place?
        let difference: SchemaDifference

        /// The error if nothing is set there.
        var refusal: DataStoreError { DataStoreError.mismatch([difference]).leavingNoWay(false) }
    }

    /// Explicit links of rows whose others stay.
    struct ExplicitLinks {
        /// The number in ``working`` of the new links, and of the old ones.
        let made: Int
        let stored: Int
        /// The number of the stored type that the old links start from.
        let source: Int
    }

    init(_ stage: MigrationPlan.Stage, from stored: StoredSchema) throws(DataStoreError) {
        let source = try StoreSchema(of: stored)
        var plan = StepPlan(stage, from: stored)
        do throws(DataStoreError) {
            try plan.prepare()
            making = SchemaEvolution(adding: plan.added, to: stored)
            finishing = try SchemaEvolution(from: making.target, to: stage.target, by: plan.adjustment)
        } catch {
            // Other mappings would lead on.
            let advised = stage.step.advising(error, about: stored)
            throw stage.step.mappings.isEmpty ? advised : advised.leavingNoWay(false)
        }
        self.plan = plan
        working = source.adding(rows: plan.added.map(EntitySchema.init))
        movedRelationships = plan.movedRelationships(besides: finishing)
        try requireSameIdentifiersOfLinks()
    }

    var step: SchemaStep { plan.step }
    var target: StoreSchema { plan.target }

    /// The number of the stored entities, which come first in ``working``.
    var sourceCount: Int { plan.stored.entities.count }

    /// True if there are closures to run over the old rows, or old rows to check.
    var readsRows: Bool { !plan.runs.isEmpty || step.before != nil || !plan.lostReferences.isEmpty }
}

extension PreparedStep {
    /// Refuses links that stay while the identifiers at one of their ends get another type.
    ///
    /// - Throws: `.schemaMismatch` with the type that has the relationship, and its name.
    private func requireSameIdentifiersOfLinks() throws(DataStoreError) {
        for relationship in target.relationships.joined() {
            guard case .links(let side) = relationship.form, !side.isReversed else { continue }
            let links = target.entities[side.entity].name
            guard let change = finishing.entities.first(where: { $0.entity == side.entity }),
                let old = change.old
            else { continue }
            let owner = target.entities[relationship.owner].name
            for (column, verb, type) in [
                (LinkEntity.source, "start from", owner),
                (LinkEntity.target, "lead to", relationship.targetSchema.name),
            ] {
                guard case .stored(let position) = change.columns[column] else { continue }
                let (known, needed) = (old.attributes[position].type, change.new.attributes[column].type)
                if known == needed { continue }
                throw DataStoreError(
                    .schemaMismatch,
                    """
                    The links of \(links) \(verb) identifiers of the type \(known.rawValue), and version \
                    \(step.to) identifies \(type) by a \(needed.rawValue).
                    """,
                    advice:
                        "Write a Transform for \(owner), and call setLinks(\"\(relationship.name)\", to:) in it.",
                    itemType: owner, attribute: relationship.name)
            }
        }
    }

    /// Refuses small changes to a version that is only described, if they may be a rename: a description has no
    /// former names, so the values would be dropped.
    func requireNothingRenamed() throws(DataStoreError) {
        for evolution in finishing.entities {
            guard let old = evolution.old,
                !step.mappings.contains(where: { mapping in
                    mapping.sources.contains { UTF8Text.areEqual($0, old.name) }
                        || mapping.destinations.contains { UTF8Text.areEqual($0, evolution.new.name) }
                })
            else { continue }
            let kept = Set(evolution.columns)
            let dropped = old.attributes.indices.first {
                old.attributes[$0].folding == nil && !kept.contains(.stored($0))
            }
            guard let dropped,
                evolution.columns.contains(where: { if case .constant = $0 { true } else { false } })
            else { continue }
            let (type, name) = (old.name, old.attributes[dropped].name)
            if UTF8Text.areEqual(step.from, step.to) {
                throw DataStoreError(
                    .schemaMismatch,
                    """
                    The store is of version \(step.to) of the schema and has \(type).\(name), which the \
                    description of this version lacks, while it has other attributes that the store lacks; a text \
                    does not say what was renamed.
                    """,
                    advice: "Describe version \(step.to) as the store has it, or declare it with its types.",
                    itemType: type, attribute: name)
            }
            throw DataStoreError(
                .schemaMismatch,
                """
                The step \(step) would drop \(type).\(name) and add other attributes; \
                version \(step.to) is described by a text, which does not say what was renamed.
                """,
                advice: """
                    Map \(type) in the step, with Keep("\(type)").renaming(…) or a Transform, or declare the \
                    version with its types.
                    """,
                itemType: type, attribute: name)
        }
    }
}

extension SchemaStep {
    /// The error with the advice to give new attributes their values in the step.
    fileprivate func advising(_ error: DataStoreError, about stored: StoredSchema) -> DataStoreError {
        let missing = error.differences.filter { $0.kind == .missingDefault }
        if missing.isEmpty || UTF8Text.areEqual(from, to) { return error }
        let fills = missing.map { difference in
            let own = mappings.first { mapping in
                mapping.destinations.first.map { UTF8Text.areEqual($0, difference.itemType) } ?? false
            }
            let mapping = own?.description ?? "Keep(\"\(difference.itemType)\")"
            return "\(mapping).fill(\"\(difference.attribute)\") { … }"
        }
        return error.advising(
            "\(error.advice) Or give each row a value: SchemaStep(from: \"\(from)\", to: \"\(to)\") "
                + "{ \(fills.joined(separator: "; ")) }.")
    }
}
