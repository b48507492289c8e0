package import LarderKernel

/// The stages on the way from a stored version to the current one.
struct FoundStages: MigrationSteps {
    /// Finds the stages for what is stored; `byRows` is true if it is stored without its relationships.
    let find:
        @Sendable (_ stored: StoredSchema, _ byRows: Bool) throws(DataStoreError) -> [MigrationPlan.Stage]
    var atEnd: (@Sendable (any StorageWriting) throws(DataStoreError) -> Void)?
    var isPrepared = false
}

extension MigrationPlan {
    /// One step on the way.
    package struct Stage: Sendable {
        package let step: SchemaStep
        /// The types of the version that the step starts from; nil if they are not known.
        package let start: StoreSchema?
        /// The types of the version that the step leads to.
        package let target: StoreSchema
        /// True if the version is described by a text, which has no former names.
        package let isDescribed: Bool
        /// The relationships that the stored types have, if the store keeps rows alone.
        package var storedRelationships: StoreSchema?
        /// The target's types whose rows keep their identifiers, as rows that the step does not see may hold them.
        package var fixedIdentifiers: Set<UTF8Key> = []

        package init(
            _ step: SchemaStep, from start: StoreSchema? = nil, to target: StoreSchema,
            isDescribed: Bool = false
        ) {
            self.step = step
            self.start = start
            self.target = target
            self.isDescribed = isDescribed
        }
    }

    /// - Parameter stages: The way from what is stored to the app's types, found again with the lock of the
    ///   writer held, as another process may have been faster; empty if no step is needed, or small
    ///   changes suffice. After the last stage the store follows small changes as always.
    package init(
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil,
        stages: @escaping @Sendable (StoredSchema) throws(DataStoreError) -> [Stage]
    ) {
        self.init(
            steps: FoundStages(find: { stored, _ throws(DataStoreError) in try stages(stored) }),
            progress: progress)
    }

    /// The plan of an opening of which nothing is committed until a body has ended.
    ///
    /// - Parameter body: Called with the rows of the opened types once all steps and small changes are made; not called if
    ///   nothing has to change.
    package func atEnd(
        _ body: @escaping @Sendable (any StorageWriting) throws(DataStoreError) -> Void
    ) -> MigrationPlan {
        guard var found = steps as? FoundStages else { return self }
        found.atEnd = body
        var plan = self
        plan.steps = found
        return plan
    }

    /// The body that is called before the commit.
    package var bodyAtEnd: ((any StorageWriting) throws(DataStoreError) -> Void)? {
        (steps as? FoundStages)?.atEnd
    }

    /// True if it may take steps.
    package var hasSteps: Bool { steps != nil }

    /// True if the space was checked, and the place of the steps chosen, by who runs them.
    package var isPrepared: Bool { (steps as? FoundStages)?.isPrepared == true }

    /// The stages for what is stored; none for a store that holds nothing yet.
    ///
    /// - Parameter byRows: True for what several stores keep together, each of them rows alone.
    package func stages(
        from stored: StoredSchema, byRows: Bool = false
    ) throws(DataStoreError) -> [Stage] {
        guard let steps = steps as? FoundStages, !stored.entities.isEmpty else { return [] }
        return try steps.find(stored, byRows)
    }

    /// A plan that runs in place, and of which the stages so far were run by others.
    ///
    /// - Parameters:
    ///   - stages: The ones to run.
    ///   - finished: The number of stages that have run before.
    ///   - all: The number of all stages.
    package func continued(by stages: [Stage], after finished: Int, of all: Int) -> MigrationPlan {
        var report: (@Sendable (DataStoreProgress) -> Void)?
        if let progress { report = { progress($0.after(finished, of: all)) } }
        return MigrationPlan(
            steps: FoundStages(find: { _, _ in stages }, isPrepared: true), progress: report)
    }
}

extension DataStoreProgress {
    /// The same progress of a step that comes after others.
    package func after(_ finished: Int, of all: Int) -> DataStoreProgress {
        DataStoreProgress(phase, step: step + finished, of: all, done: done, total: total, elapsed: elapsed)
    }
}
