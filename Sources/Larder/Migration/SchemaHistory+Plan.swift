extension SchemaHistory {
    /// The schema of today's version, with its Swift types.
    ///
    /// - Throws: `.invalidSchema` when the history has a mistake, or today's version is only described.
    func schemaOfTypes() throws(DataStoreError) -> StoreSchema {
        let version = try current()
        let schema = try version.schema()
        if schema.types.isEmpty, !schema.entities.isEmpty {
            throw DataStoreError(
                .invalidSchema,
                "Version \(version.name) of the schema is today's, and is described without Swift types.",
                advice: "Declare it with the app's types: SchemaVersion(\"\(version.name)\", storing: […]).")
        }
        return schema
    }

    /// The types of today's version; none where the history has a mistake, which `setup()` throws.
    package var currentTypes: [any DataStoreItem.Type] { (try? current().schema())?.types ?? [] }

    /// The plan by which the opening of a store follows the ways of the history.
    ///
    /// - Parameter progress: Called now and then while steps run, on the thread of the opening.
    package func plan(progress: (@Sendable (SchemaProgress) -> Void)? = nil) -> MigrationPlan {
        MigrationPlan(progress: progress) { stored throws(DataStoreError) in try stages(from: stored) }
    }

    /// The stages that bring a store to today's version; none where it is one of that version.
    ///
    /// - Throws: As ``version(of:)`` and ``way(from:to:)``.
    package func stages(from stored: StoredSchema) throws(DataStoreError) -> [MigrationPlan.Stage] {
        guard let found = try version(of: stored) else { return [] }
        let start = found.version.name
        var stages: [MigrationPlan.Stage] = []
        for step in try way(from: start, to: try current().name) {
            guard let target = version(named: step.to) else { continue }
            stages.append(MigrationPlan.Stage(step, to: try target.schema()))
        }
        if found.hasShape || stages.isEmpty { return stages }
        // The first step is declared for rows in the shape of its version.
        let arrival = MigrationPlan.Stage(
            SchemaStep(from: start, to: start), to: try found.version.schema())
        return [arrival] + stages
    }
}
