import LarderEngine
public import LarderKernel

/// The whole way from what is stored to the app's schema: the steps of a plan, and then the small changes
/// that a ``SchemaEvolution`` infers.
///
///     let migration = try SchemaMigration(from: stored, to: schema, by: plan)
///     if migration.isNeeded { try migration.run(in: transaction) }
///
/// A pure function of what is stored until it is run: everything that can be checked without rows is checked
/// when it is made. An adapter makes it twice, the second time with the lock of the writer held, as another
/// process may have been faster. *Rule:* run in one transaction, which ends without a commit if it throws.
public struct SchemaMigration {
    /// The schema to store once it has run.
    public let target: StoredSchema
    /// True if anything has to change.
    public var isNeeded: Bool { !steps.isEmpty || last.isNeeded }
    /// True if the store lacks something that ``target`` adds and no row depends on, as
    /// ``SchemaEvolution/completesStore`` says.
    public var completesStore: Bool { last.completesStore }
    let steps: [PreparedStep]
    /// The stages that the steps were prepared from.
    package var stages: [MigrationPlan.Stage] { steps.map(\.plan.stage) }
    /// The small changes after the last step.
    let last: SchemaEvolution
    private let schema: StoreSchema
    private let plan: MigrationPlan?
    /// The migration that the store reports; nil for one that makes a store.
    private let described: StoreMigration?

    /// Finds the way from the stored schema to the app's, and checks it as far as no rows are needed.
    ///
    /// - Parameter plan: The steps of the opening; nil if small changes are all that is allowed.
    /// - Throws: As ``SchemaEvolution``; `.migrationRefused`; `.invalidSchema` for a step whose mappings do not fit its
    ///   versions.
    public init(
        from stored: StoredSchema, to schema: StoreSchema, by plan: MigrationPlan? = nil
    ) throws(DataStoreError) {
        var steps: [PreparedStep] = []
        var reached = stored
        if let plan, plan.hasSteps {
            // A store that a transfer is filling is refused before anything else.
            _ = try schema.purpose.transfer(into: stored)
            for stage in try plan.stages(from: stored) {
                if let known = stage.storedRelationships { reached = reached.relating(by: known) }
                let step = try PreparedStep(stage, from: reached)
                if stage.isDescribed { try step.requireNothingRenamed() }
                reached = step.finishing.target
                steps.append(step)
            }
        }
        let lacksHistory = plan?.hasSteps != true && schema.version == nil && stored.version != nil
        let last: SchemaEvolution
        do throws(DataStoreError) {
            last = try SchemaEvolution(from: reached, to: schema)
        } catch {
            guard error.code == .schemaMismatch, plan?.hasSteps != true, schema.version == nil else {
                throw error
            }
            guard let version = stored.version else {
                // A store that was made with the types that it has is of generation 1.
                if stored.generation <= 1 { throw error }
                throw error.advising(
                    "\(error.advice) If a newer version of the app has changed the store, update the app.")
            }
            throw error.leavingNoWay(false).advising(
                """
                The store is of version \(version) of a schema, to which most likely a newer version of the app has \
                upgraded it: update the app, or open the store with the SchemaHistory that the version belongs to. \
                Nothing was changed.
                """)
        }
        if lacksHistory, let version = stored.version,
            last.entities.contains(where: \.isNeeded) || !last.removed.isEmpty
        {
            throw DataStoreError(
                .schemaMismatch,
                "The store is of version \(version) of a schema, and would be changed without its history.",
                advice: """
                    If a newer version of the app has upgraded it, update the app; else open it with the SchemaHistory \
                    that the version belongs to. Nothing was changed.
                    """)
        }
        self.steps = steps
        self.last = last
        self.schema = schema
        self.plan = plan
        var target = last.target
        // A process that has the store open must notice, even if steps have changed values only.
        if !steps.isEmpty, target.generation == stored.generation { target.generation += 1 }
        if let problem = target.problem {
            throw DataStoreError(
                .invalidSchema,
                "The steps to the current types would make a schema that is wrong: \(problem).",
                advice: "Correct the mappings of the steps; nothing was changed.")
        }
        self.target = target
        described =
            stored.entities.isEmpty
            ? nil
            : StoreMigration(
                from: stored.version, to: target.version, steps: steps.map(\.step.description))
        if described != nil { try requireAllowed(by: plan?.allowed ?? .all) }
    }

    /// - Throws: `.migrationRefused`, with the steps and the item types that would change.
    private func requireAllowed(by allowed: AllowedMigration) throws(DataStoreError) {
        let isAllowed =
            switch allowed {
            case .all: true
            // Small changes to the store's own version are not a step of the history.
            case .oneStep: steps.count(where: { !UTF8Text.areEqual($0.step.from, $0.step.to) }) <= 1
            case .smallChanges: steps.isEmpty
            case .nothing: !isNeeded
            }
        if isAllowed { return }
        let changed = last.entities.filter(\.isNeeded).map(\.new.name) + last.removed.map(\.name)
        let needs =
            steps.isEmpty
            ? "small changes" + (changed.isEmpty ? "" : " of " + changed.joined(separator: ", "))
            : (steps.count == 1 ? "the step " : "the steps ")
                + steps.map(\.step.description).joined(separator: ", ")
        throw DataStoreError(
            .migrationRefused, "The store needs \(needs), which its options do not allow.")
    }

    /// True if a store must be changed; one that is read-only stays without what ``completesStore`` is about.
    ///
    /// - Throws: `.schemaMismatch` if it is read-only and does not fit.
    package func isDue(inStoreAt path: String, isReadOnly: Bool) throws(DataStoreError) -> Bool {
        if isReadOnly, isNeeded { throw Self.misfit(ofReadOnlyStoreAt: path) }
        return isNeeded || (completesStore && !isReadOnly)
    }

    package static func misfit(ofReadOnlyStoreAt path: String) -> DataStoreError {
        DataStoreError(
            .schemaMismatch,
            "The store has to be changed to fit the app's item types, but it was opened read-only.",
            advice: "Open it once for writing, or with the types it was made for.", path: path)
    }

    /// The number of tables for rows and for indexes that the steps make, at most; nil if there is none.
    package var tablesOfSteps: Int? {
        if steps.isEmpty { return nil }
        return steps.reduce(0) { count, step in
            step.finishing.entities.reduce(count + step.making.entities.count) {
                $0 + 1 + $1.new.indexes.count
            }
        }
    }

    /// Makes all changes.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound` for items that break the rules of their new version;
    ///   `.migrationFailed` with the words of an error that a closure of the app throws; errors of a
    ///   closure's calls; `.cancelled` when the task is cancelled; errors of the engine.
    public func run(in transaction: any SchemaTransaction) throws(DataStoreError) {
        for (number, step) in steps.enumerated() {
            let run = StepRun(prepared: step, transaction: transaction) {
                [progress = plan?.progress, count = steps.count] done, all in
                progress?(
                    DataStoreProgress(
                        "\(step.step.from) → \(step.step.to)", step: number + 1, of: count, done: done,
                        total: all))
            }
            try run.run()
        }
        if last.isNeeded {
            try transaction.apply(last, of: schema)
            // Checks what the changes make stricter, once they are made.
            if last.changesRelationships {
                try transaction.withRows(of: schema, as: last.entities.map(\.new)) {
                    rows throws(DataStoreError) in
                    try last.requireRelationships(of: schema, in: rows)
                }
            }
        }
        if let body = plan?.bodyAtEnd {
            try transaction.withRows(of: schema, as: last.entities.map(\.new), body)
        }
        report()
    }

    /// Tells of the changes, once all are made.
    package func report() {
        if isNeeded, let described { plan?.report?(described) }
    }
}
