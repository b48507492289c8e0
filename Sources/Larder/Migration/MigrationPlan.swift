/// The steps by which an opening brings what is stored to the app's types.
///
/// An adapter hands it to `SchemaMigration` of `LarderEngine`, together with what it has read inside the
/// transaction of the opening, and knows nothing else of it.
public struct MigrationPlan: Sendable {
    /// One step on the way.
    package struct Stage: Sendable {
        package let step: SchemaStep
        /// The types of the version that the step leads to.
        package let target: StoreSchema
        /// True if the version is described by a text, which has no former names.
        package let isDescribed: Bool

        package init(_ step: SchemaStep, to target: StoreSchema, isDescribed: Bool = false) {
            self.step = step
            self.target = target
            self.isDescribed = isDescribed
        }
    }

    private let findStages: (@Sendable (StoredSchema) throws(DataStoreError) -> [Stage])?
    /// Called now and then while the steps run, on the thread of the opening.
    package let progress: (@Sendable (SchemaProgress) -> Void)?
    /// The place where the stages run, for an engine that keeps its store in a file.
    package var mode = SchemaUpgradeMode.inPlace
    /// True if the space was checked, and the place of the stages chosen, by who runs them.
    package private(set) var isPrepared = false
    /// Called between the parts of an upgrade in a copy, for tests.
    package var probe: (@Sendable (String) -> Void)?
    /// Called when all changes of an opening are made, before its commit.
    package var report: (@Sendable (StoreMigration) -> Void)?

    /// The plan of an opening without steps, which follows small changes only.
    package static var smallChanges: MigrationPlan { MigrationPlan() }

    private init() {
        findStages = nil
        progress = nil
    }

    /// True if it may take steps.
    package var hasSteps: Bool { findStages != nil }

    /// - Parameter stages: The way from what is stored to the app's types, found again with the lock of the
    ///   writer held, as another process may have been faster; empty where no step is needed, or small
    ///   changes suffice. After the last stage the store follows small changes as always.
    package init(
        progress: (@Sendable (SchemaProgress) -> Void)? = nil,
        stages: @escaping @Sendable (StoredSchema) throws(DataStoreError) -> [Stage]
    ) {
        findStages = stages
        self.progress = progress
    }

    /// The stages for what is stored; none for a store that holds nothing yet.
    package func stages(from stored: StoredSchema) throws(DataStoreError) -> [Stage] {
        guard let findStages, !stored.entities.isEmpty else { return [] }
        return try findStages(stored)
    }

    /// A plan that runs in place, and of which the stages so far were run by others.
    ///
    /// - Parameters:
    ///   - stages: The ones to run.
    ///   - finished: The number of stages that have run before.
    ///   - all: The number of all stages.
    package func continued(by stages: [Stage], after finished: Int, of all: Int) -> MigrationPlan {
        var report: (@Sendable (SchemaProgress) -> Void)?
        if let progress { report = { progress($0.counted(after: finished, of: all)) } }
        var plan = MigrationPlan(progress: report) { _ throws(DataStoreError) in stages }
        plan.isPrepared = true
        return plan
    }
}
