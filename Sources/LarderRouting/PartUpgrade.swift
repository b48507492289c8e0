import LarderEngine
import LarderKernel
import LarderVersions

/// The opening of parts of which some take steps, or change without any.
///
/// Each part is opened inside the transaction of the part before it, so that all of them have run their steps, and the
/// whole was checked, before the first commit. Then they commit, the first part last.
final class PartUpgrade: @unchecked Sendable {
    // reason: used by the thread of the opening alone, on which the plans that hold it run.
    private let adapter: RoutedAdapter
    private let schema: RoutedSchema
    private let plan: MigrationPlan
    let groups: [PartSteps]
    private let belong: [Bool]
    /// The schemas that the parts are opened with.
    private let schemas: [StoreSchema]
    /// The rows of all parts before changes without steps; nil if there are steps, which check what they change.
    private let before: StoredSchema?
    private var plans: [MigrationPlan] = []
    /// The rows of the parts that are open, or in their transactions.
    private var rows: [any StorageReading] = []
    private var open: Set<Int> = []
    /// The parts inside whose transactions all later ones were opened.
    private var enclosing: Set<Int> = []
    private var isFailed = false

    /// - Parameter isWhole: True if the steps were judged for all parts together.
    /// - Throws: As `SchemaMigration`, for a part that does not fit, before any part changes.
    init(
        of adapter: RoutedAdapter, _ stored: [StoredSchema?], to schema: RoutedSchema,
        by plan: MigrationPlan, _ groups: [PartSteps], isWhole: Bool
    ) throws(DataStoreError) {
        (self.adapter, self.schema, self.plan, self.groups) = (adapter, schema, plan, groups)
        (schemas, before) = (schema.parts, nil)
        belong = stored.map { $0?.entity(named: PartRecord.entity.name) != nil }
        var stages: [Int: [MigrationPlan.Stage]] = [:]
        var active: Set<Int> = []
        for part in adapter.parts.indices {
            let known = stored[part] ?? .empty
            guard let steps = groups.first(where: { $0.parts.contains(part) }) else {
                _ = try SchemaEvolution(from: known, to: schema.parts[part])
                continue
            }
            do throws(DataStoreError) {
                let own = try steps.stages(of: part)
                stages[part] = own
                let all = MigrationPlan { _ throws(DataStoreError) in own }
                let migration = try SchemaMigration(from: known, to: schema.parts[part], by: all)
                if migration.runsClosures { active.insert(part) }
            } catch {
                throw named(error, part)
            }
        }
        // Parts without closures have no rows to count.
        if active.isEmpty, let first = stages.keys.min() { active = [first] }
        let count = active.reduce(0) { $0 + (stages[$1]?.count ?? 0) }
        var finished = 0
        for part in adapter.parts.indices {
            guard let own = stages[part] else {
                plans.append(plan.withoutSteps(reporting: false))
                continue
            }
            var progress: (@Sendable (DataStoreProgress) -> Void)?
            if active.contains(part), let report = plan.progress {
                progress = { [finished] in report($0.after(finished, of: count)) }
                finished += own.count
            }
            plans.append(
                partPlan(own, of: part, from: stored[part]?.generation, progress, isWhole: isWhole))
        }
    }

    /// Changes without steps.
    ///
    /// - Parameters:
    ///   - schemas: The schemas that the parts are opened with.
    ///   - before: The current rows of all parts.
    /// - Throws: As above.
    init(
        of adapter: RoutedAdapter, _ stored: [StoredSchema?], to schema: RoutedSchema,
        _ schemas: [StoreSchema], since before: StoredSchema, by plan: MigrationPlan?
    ) throws(DataStoreError) {
        (self.adapter, self.schema, self.schemas, self.before) = (adapter, schema, schemas, before)
        (self.plan, groups) = (plan ?? .smallChanges, [])
        belong = stored.map { $0?.entity(named: PartRecord.entity.name) != nil }
        for part in adapter.parts.indices {
            do throws(DataStoreError) {
                _ = try SchemaMigration(from: stored[part] ?? .empty, to: schemas[part], by: plan)
            } catch {
                throw error.about(path: adapter.parts[part].adapter.location)
            }
            var own = self.plan
            if let known = stored[part], !known.entities.isEmpty {
                own = MigrationPlan { [plan = self.plan] now throws(DataStoreError) in
                    if now.generation == known.generation, now.version == known.version { return [] }
                    // Another process was faster, and a part that has a name of a version now is not changed without it.
                    let rest = try SchemaMigration(from: now, to: schemas[part], by: plan)
                    if rest.isNeeded || rest.completesStore { throw Self.busy(adapter.parts[part]) }
                    return []
                }
                (own.allowed, own.report) = (self.plan.allowed, self.plan.report)
                own = enclosing(own, part)
            }
            plans.append(own)
        }
    }

    /// Opens all parts; if it throws, none is open.
    func run() throws(DataStoreError) {
        // They refer to this object.
        defer { plans = [] }
        do throws(DataStoreError) {
            try openParts(from: 0)
        } catch {
            closeParts(from: 0)
            throw error
        }
        guard let first = groups.first else { return }
        plan.report?(
            StoreMigration(
                from: first.version, to: schema.whole.version, steps: first.stages.map(\.step.description)))
    }

    private func partPlan(
        _ stages: [MigrationPlan.Stage], of part: Int, from generation: Int?,
        _ progress: (@Sendable (DataStoreProgress) -> Void)?, isWhole: Bool
    ) -> MigrationPlan {
        let (current, changed) = (schema.whole.version, adapter.parts[part])
        var own = MigrationPlan(progress: progress) { now throws(DataStoreError) in
            if now.generation == generation { return stages }
            if let current, let version = now.version, UTF8Text.areEqual(current, version) { return [] }
            throw Self.busy(changed)
        }
        own = enclosing(own, part)
        own.allowed = isWhole ? .all : plan.allowed
        return own
    }

    private static func busy(_ part: RoutedAdapter.Part) -> DataStoreError {
        DataStoreError(
            .busy, "Another process is changing the part, too.",
            advice: "Repeat the call when it has ended.", path: part.adapter.location)
    }

    /// A plan that opens all later parts before the part commits.
    private func enclosing(_ plan: MigrationPlan, _ part: Int) -> MigrationPlan {
        plan.atEnd { [self] rows throws(DataStoreError) in
            // Open if this part's opening is repeated.
            closeParts(from: part + 1)
            self.rows.append(rows)
            defer { self.rows.removeLast() }
            do throws(DataStoreError) {
                try openParts(from: part + 1)
            } catch {
                closeParts(from: part + 1)
                throw error
            }
            enclosing.insert(part)
        }
    }

    private func openParts(from part: Int) throws(DataStoreError) {
        guard part < adapter.parts.count else {
            let rows = UpgradedRows(schema, rows)
            try rows.requireFinished(belong: belong)
            guard let before else { return try rows.finish() }
            try adapter.requireRelationships(schema, since: before, in: rows)
            return try rows.requirePartitions(all: false)
        }
        let own = adapter.parts[part]
        do throws(DataStoreError) {
            try own.adapter.open(schemas[part], by: plans[part])
        } catch {
            closeParts(from: part + 1)
            throw named(error, part)
        }
        open.insert(part)
        plan.probe?("open \(own.name)")
        if enclosing.contains(part) { return }
        let reading = try own.adapter.beginReading()
        rows.append(reading)
        defer {
            rows.removeLast()
            reading.end()
        }
        try openParts(from: part + 1)
    }

    private func closeParts(from first: Int) {
        for part in open.sorted().reversed() where part >= first {
            // The first error is the one that matters.
            try? adapter.parts[part].adapter.close()
            open.remove(part)
        }
    }

    /// The error with the name of the part that it comes from.
    private func named(_ error: DataStoreError, _ part: Int) -> DataStoreError {
        // Named already, without steps to name, or the reason to repeat an opening.
        if isFailed || groups.isEmpty || error.code == .storeFileMoved { return error }
        isFailed = true
        let steps = groups.first { $0.parts.contains(part) }
        let known = steps?.refusal(for: error, in: part) ?? error
        return known.advising("\(known.advice) The part is \"\(adapter.parts[part].name)\".")
            .about(path: adapter.parts[part].adapter.location)
    }
}

extension MigrationPlan {
    /// The same plan for small changes alone.
    func withoutSteps(reporting: Bool = true) -> MigrationPlan {
        var plan = MigrationPlan.smallChanges
        plan.allowed = allowed
        if reporting { plan.report = report }
        return plan
    }
}
