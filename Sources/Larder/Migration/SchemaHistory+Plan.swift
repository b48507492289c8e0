extension SchemaHistory {
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
