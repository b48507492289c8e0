/// The way by which an opening brings what is stored to the app's types.
///
/// Small changes follow from the types alone. Steps between versions belong to `LarderVersions`: an adapter hands the plan
/// to its `SchemaMigration`, together with what it has read inside the transaction of the opening, and knows nothing else
/// of it.
public struct MigrationPlan: Sendable {
    /// The steps that it may take; nil for small changes only.
    package var steps: (any MigrationSteps)?
    /// Called periodically while the steps run, on the thread of the opening.
    package let progress: (@Sendable (DataStoreProgress) -> Void)?
    /// The place where the steps run, for an engine that keeps its store in a file.
    package var mode = SchemaUpgradeMode.inPlace
    /// The changes that it may make.
    package var allowed = AllowedMigration.all
    /// Called between the parts of an upgrade in a copy, for tests.
    package var probe: (@Sendable (String) -> Void)?
    /// Called when all changes of an opening are made, before its commit.
    package var report: (@Sendable (StoreMigration) -> Void)?

    /// The plan of an opening without steps, which follows small changes only.
    package static var smallChanges: MigrationPlan { MigrationPlan(steps: nil, progress: nil) }

    package init(steps: (any MigrationSteps)?, progress: (@Sendable (DataStoreProgress) -> Void)?) {
        self.steps = steps
        self.progress = progress
    }
}

/// The changes of the stored schema that `setup()` may make to bring a store to the app's types.
///
///     var options = DataStoreOptions()
///     options.allowedMigration = .smallChanges
///
/// *Rule:* a store that needs others is not changed, and its error names them. A new store is always made.
public enum AllowedMigration: Sendable, Hashable {
    case all
    /// Small changes, which follow from the types alone, and one step of a ``SchemaHistory``.
    case oneStep
    case smallChanges
    /// A store opens only if it has the app's types.
    case nothing
}

/// Steps between versions of the app's types, which `LarderVersions` finds and runs.
package protocol MigrationSteps: Sendable {}

/// The versions of an app's types, by which a store opens that was made with them.
package protocol StoreVersions: Sendable {
    /// The schema of the current types.
    ///
    /// - Throws: `.invalidSchema`.
    func schemaOfTypes() throws(DataStoreError) -> StoreSchema

    /// The plan by which an opening takes the steps from the version of a store to the current one.
    ///
    /// - Parameter progress: Called periodically while steps run, on the thread of the opening.
    func plan(progress: (@Sendable (DataStoreProgress) -> Void)?) -> MigrationPlan
}
