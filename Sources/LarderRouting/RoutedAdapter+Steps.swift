import LarderEngine
import LarderKernel
import LarderVersions

extension RoutedAdapter {
    /// The upgrade that the parts need; nil if none of them is of an earlier version.
    ///
    /// If a process was killed between the commits of two parts, they are of several versions. Each takes its own way
    /// from there.
    ///
    /// - Throws: As `SchemaMigration`; `.unsupported` for steps that no part can take alone, or in a copy.
    func upgrade(
        _ stored: [StoredSchema?], to schema: RoutedSchema, by plan: MigrationPlan
    ) throws(DataStoreError) -> PartUpgrade? {
        let existing = parts.indices.filter { stored[$0]?.entities.isEmpty == false }
        var groups: [PartSteps] = []
        var isWhole = false
        for (version, own) in versions(of: existing, stored, besides: schema.whole.version) {
            let names = typeNames
            var merged =
                StoredSchema(merging: own.map { stored[$0] }, naming: own.map { names[$0] }) ?? .empty
            merged.version = version
            var stages = try plan.stages(from: merged, byRows: true)
            if stages.isEmpty { continue }
            stages[0].storedRelationships = stages[0].start
            isWhole = own.count == existing.count
            var whole = MigrationPlan { [stages] _ throws(DataStoreError) in stages }
            let judged: SchemaMigration?
            if isWhole {
                // Judged as a store of one engine is, before any part changes.
                whole.allowed = plan.allowed
                judged = try SchemaMigration(from: merged, to: schema.whole, by: whole)
            } else {
                // A part keeps the tables of types that were moved to others, which need not fit.
                judged = try? SchemaMigration(from: merged, to: schema.whole, by: whole)
            }
            let caches = Set(parts.indices.filter { parts[$0].mayBeLost })
            let isPartitioned = schema.partitions.contains { $0 != nil }
            let records = try isPartitioned ? self.records(of: 0, stored[0] ?? .empty) : [:]
            let steps = try PartSteps(
                stages, losing: judged?.lostReferences ?? stages.map { _ in [] }, from: version, of: own,
                stored, to: schema, caches: caches, elsewhere: schema.entitiesElsewhere(records)
            ) { type, part throws(DataStoreError) in
                try firstWithRows([type], in: part, stored[part] ?? .empty) == nil
            }
            groups.append(steps)
        }
        if groups.isEmpty { return nil }
        if case .copying = plan.mode {
            throw DataStoreError(
                .unsupported, "A store over several parts takes its steps in place, and not in copies.",
                advice: "Set schemaUpgrade to .automatic or .inPlace.", path: location)
        }
        return try PartUpgrade(of: self, stored, to: schema, by: plan, groups, isWhole: isWhole)
    }

    /// The parts of each version but the current one.
    private func versions(
        of existing: [Int], _ stored: [StoredSchema?], besides current: String?
    ) -> [(version: String?, parts: [Int])] {
        let current = current.map { UTF8Key($0) }
        let names = existing.compactMap { stored[$0]?.version.map { UTF8Key($0) } }
        // A part without a name is what the others are: a process was killed while it named them.
        let common = names.first { $0 != current } ?? names.first
        var found: [(version: String?, parts: [Int])] = []
        for part in existing {
            let version = stored[part]?.version.map { UTF8Key($0) } ?? common
            if version != nil, version == current { continue }
            if let place = found.firstIndex(where: { $0.version.map { UTF8Key($0) } == version }) {
                found[place].parts.append(part)
            } else {
                found.append((version?.text, [part]))
            }
        }
        return found
    }

    /// Finishes the last commit over several parts while they have the types that it was made with, and gives parts that
    /// keep no name of a version the one they have.
    ///
    /// The names tell the parts that have taken the steps from the others.
    func prepare(
        _ upgrade: PartUpgrade, of stored: [StoredSchema?], to schema: RoutedSchema, belong: [Bool]
    ) throws(DataStoreError) {
        if isReadOnly { return }
        try finishAsStored(Array(parts.indices.dropFirst()), stored, schema, belong: belong)
        guard schema.whole.version != nil else { return }
        for steps in upgrade.groups {
            for part in steps.parts {
                guard let own = stored[part], own.version == nil else { continue }
                let name = steps.version ?? steps.stages[0].step.from
                try whileOpen(part, try StoreSchema(of: own).named(name)) {}
            }
        }
    }
}
