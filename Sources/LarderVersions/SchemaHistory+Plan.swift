package import LarderKernel

extension SchemaHistory {
    /// The schema of the current version, with its Swift types.
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake, or the current version is only described.
    package func schemaOfTypes() throws(DataStoreError) -> StoreSchema {
        let version = try current()
        let schema = try version.schema()
        if schema.types.isEmpty, !schema.entities.isEmpty {
            throw DataStoreError(
                .invalidSchema,
                "Version \(version.name) of the schema is the current one, and has no Swift types.",
                advice: "Declare it with the app's types: SchemaVersion(\"\(version.name)\", storing: […]).")
        }
        return schema
    }

    /// The types of the current version; none if the history has a mistake, which `setup()` throws.
    package var currentTypes: [any DataStoreItem.Type] { (try? current().schema())?.types ?? [] }

    /// The plan by which the opening of a store follows the ways of the history.
    ///
    /// - Parameter progress: Called periodically while steps run, on the thread of the opening.
    package func plan(progress: (@Sendable (DataStoreProgress) -> Void)? = nil) -> MigrationPlan {
        MigrationPlan(
            steps: FoundStages(
                find: { stored, byRows throws(DataStoreError) in try stages(from: stored, byRows: byRows) }),
            progress: progress)
    }

    /// The stages that bring a store to the current version; none if it is one of that version.
    ///
    /// - Parameter byRows: True if the schema is stored without its relationships.
    /// - Throws: As ``version(of:)`` and ``way(from:to:)``.
    package func stages(
        from stored: StoredSchema, byRows: Bool = false
    ) throws(DataStoreError) -> [MigrationPlan.Stage] {
        guard let found = try version(of: stored, byRows: byRows) else { return [] }
        let start = found.version.name
        var stages: [MigrationPlan.Stage] = []
        for step in try way(from: start, to: try current().name) {
            guard let target = version(named: step.to) else { continue }
            stages.append(try stage(step, to: target))
        }
        if found.hasShape || stages.isEmpty { return stages }
        try requireKept(stored, by: found.version, before: stages)
        // The first step is declared for rows in the shape of its version.
        return [try stage(SchemaStep(from: start, to: start), to: found.version)] + stages
    }

    private func stage(
        _ step: SchemaStep, to version: SchemaVersion
    ) throws(DataStoreError) -> MigrationPlan.Stage {
        let schema = try version.schema()
        return MigrationPlan.Stage(
            step, from: try self.version(named: step.from)?.schema(), to: schema,
            isDescribed: schema.types.isEmpty && !schema.entities.isEmpty)
    }

    /// Refuses to bring a store to the shape of its version if that drops values, or links, which the steps to the current
    /// version keep.
    private func requireKept(
        _ stored: StoredSchema, by version: SchemaVersion, before stages: [MigrationPlan.Stage]
    ) throws(DataStoreError) {
        let (own, today) = (try version.schema(), try current().schema())
        for entity in stored.entities {
            let attributes = entity.attributes.filter { $0.folding == nil }.map(\.name)
            let links = entity.relationships.filter(\.ownsLinks).map(\.name)
            for (names, areLinks) in [(attributes, false), (links, true)] {
                guard let known = own.declaredNames(of: entity.name, areLinks: areLinks),
                    UTF8Text.areEqual(known.type, entity.name) || stored.entity(named: known.type) == nil
                else { continue }
                let declared = storedNames(of: known.names, among: names)
                let kept = storedNames(
                    of: today.declaredNames(of: entity.name, areLinks: areLinks)?.names ?? [], among: names)
                func isKeptByAll(_ name: String) -> Bool {
                    isKept(name, of: known.type, areLinks: areLinks, by: stages[...])
                }
                // A version in between may lack what the current one declares.
                let lost = names.first { name in
                    !declared.contains(UTF8Key(name)) && (kept.contains(UTF8Key(name)) || isKeptByAll(name))
                }
                guard let lost else { continue }
                throw DataStoreError(
                    .schemaMismatch,
                    """
                    The store is of version \(version.name) of the schema and has \(entity.name).\(lost), which the \
                    declaration of this version lacks; the steps to the current one would lose it.
                    """,
                    advice: "Declare \(lost) in the types of version \(version.name)"
                        + (isKeptByAll(lost) ? "" : " and of each later version that lacks it")
                        + (areLinks ? "." : ", as an optional."),
                    itemType: entity.name, attribute: lost)
            }
        }
    }
}

/// The names under which a store has declared attributes, or the relationships that a type keeps as links: the own names, or
/// else those that they had before.
private func storedNames(
    of declared: [(own: String, original: String?)], among stored: [String]
) -> Set<UTF8Key> {
    let known = Set(stored.map { UTF8Key($0) })
    return Set(
        declared.map { name in
            let own = UTF8Key(name.own)
            return known.contains(own) ? own : name.original.map { UTF8Key($0) } ?? own
        })
}

/// True if steps keep an attribute of a type, or the links of a relationship, perhaps under other names.
private func isKept(
    _ name: String, of type: String, areLinks: Bool, by stages: ArraySlice<MigrationPlan.Stage>
) -> Bool {
    guard let stage = stages.first else { return true }
    return stage.names(of: name, in: type, areLinks: areLinks).contains { next in
        isKept(next.name, of: next.type, areLinks: areLinks, by: stages.dropFirst())
    }
}

extension MigrationPlan.Stage {
    /// The names of an attribute, or of a relationship that is kept as links, after the step, and the types that have them.
    fileprivate func names(
        of name: String, in type: String, areLinks: Bool
    ) -> [(type: String, name: String)] {
        let mapping = step.mappings.first { mapping in
            mapping.sources.contains { UTF8Text.areEqual($0, type) }
        }
        // The rows of a join's second type stay if the next version has it.
        let isFirst = mapping.map { UTF8Text.areEqual($0.sources[0], type) } ?? false
        let types = isFirst ? mapping?.destinations ?? [] : [type]
        let renamed = mapping?.renamedAttributes.first { UTF8Text.areEqual($0.old, name) }?.new
        let stored = renamed ?? name
        return types.compactMap { type -> (type: String, name: String)? in
            guard let declared = target.declaredNames(of: type, areLinks: areLinks) else { return nil }
            let own = declared.names.first { UTF8Text.areEqual($0.own, stored) }
            let next = own ?? declared.names.first { UTF8Text.areEqual($0.original ?? $0.own, stored) }
            return next.map { (type: declared.type, name: $0.own) }
        }
    }
}

extension StoreSchema {
    /// The type that a stored one is, and the names of its attributes, or of the relationships that it keeps as links, with
    /// their original ones; nil if the type is not there.
    fileprivate func declaredNames(
        of type: String, areLinks: Bool
    ) -> (type: String, names: [(own: String, original: String?)])? {
        let former = entities.firstIndex { entity in
            entity.originalName.map { UTF8Text.areEqual($0, type) } ?? false
        }
        guard let found = entities.firstIndex(where: { UTF8Text.areEqual($0.name, type) }) ?? former
        else { return nil }
        let links = relationships[found].filter { $0.linkEntity != nil && !$0.isDerived }
            .map { entities[found].relationships[$0.number] }
        let names: [(own: String, original: String?)] =
            areLinks
            ? links.map { ($0.name, $0.originalName) }
            : entities[found].declaredAttributes.map { ($0.name, $0.originalName) }
        return (type: entities[found].name, names: names)
    }
}
