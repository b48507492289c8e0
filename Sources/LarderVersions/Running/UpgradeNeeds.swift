import LarderEngine
package import LarderKernel

/// The rows that a migration goes through, and the space that it needs beside the store.
package struct UpgradeNeeds: Sendable {
    /// The work of each step, and of the small changes after the last one if there are any.
    package let work: [Work]
    /// The size of the store's files.
    package let storeBytes: Int
    private let storedRows: Int

    /// The rows that one step of a migration goes through.
    package struct Work: Sendable {
        /// The versions that the step leads from and to; nil for the small changes after the last step.
        package let step: SchemaStep?
        /// The number of rows that are read by closures, or written again.
        ///
        /// A row that closures make is counted in later steps as often as the row that it is made of.
        package let rows: Int
    }

    /// - Parameter counts: The numbers of stored rows, by the numbers of their entities. With those that the
    ///   migration touches alone, the estimates of bytes are too large.
    package init(of migration: SchemaMigration, counts: [Int: Int], storeBytes: Int) {
        self.storeBytes = storeBytes
        storedRows = counts.values.reduce(0, +)
        var known = counts
        var work = migration.steps.map { step in Work(step: step.step, rows: step.rows(&known)) }
        if migration.last.isNeeded {
            work.append(Work(step: nil, rows: migration.last.rewrittenRows(known)))
        }
        self.work = work
    }

    /// The space for the steps in place, rather more than less.
    ///
    /// They are one transaction, so old and new rows are both there until it is committed, and an engine may write
    /// them to a log first.
    package var bytesInPlace: Int { bytes(forRows: work.reduce(0) { $0 + $1.rows }) }

    /// The space without which the steps in place cannot end, however small the rows are.
    ///
    /// Less than ``bytesInPlace`` by far, which may be wrong if rows differ in size: a transaction that meets a
    /// full disk changes nothing, so a store is refused beforehand only if it surely does.
    package var leastBytesInPlace: Int {
        (work.map(\.rows).max() ?? 0) * Self.leastBytesOfRow
    }

    /// The identifier of a row, and what an engine keeps with it.
    private static let leastBytesOfRow = 16

    /// The space for a copy and its steps.
    ///
    /// Each step is a transaction of its own, and the space of rows that one has replaced is free for the next.
    package var bytesInCopy: Int { storeBytes + bytes(forRows: work.map(\.rows).max() ?? 0) }

    /// True if the steps run in a copy, as far as it depends on the store alone.
    package func isCopied(by mode: SchemaUpgradeMode) -> Bool {
        switch mode {
        // A killed process would lose much in place.
        case .automatic: storeBytes >= Self.bytesOfLargeStore && work.count(where: { $0.rows > 0 }) >= 2
        case .inPlace: false
        case .copying: work.contains { $0.step != nil }
        }
    }

    private static let bytesOfLargeStore = 64 << 20

    private func bytes(forRows rows: Int) -> Int {
        let share = storedRows == 0 ? 0 : Double(rows) / Double(storedRows)
        return Int((Double(storeBytes) * share * 2).rounded(.up))
    }
}

extension PreparedStep {
    /// The number of rows that the step goes through.
    ///
    /// - Parameter counts: The numbers of rows, which are those after the step then.
    fileprivate func rows(_ counts: inout [Int: Int]) -> Int {
        let entities = making.target.entities
        var rows = 0
        for run in plan.runs {
            let count = run.source.map { counts[entities[$0].number] ?? 0 } ?? 0
            rows += count
            for destination in plan.destinations where run.mapping.destinations.contains(destination.name) {
                counts[entities[destination.number].number, default: 0] += count
            }
        }
        let made = Set(making.entities.map(\.new.number))
        rows += finishing.rewrittenRows(counts.filter { !made.contains($0.key) })
        for entity in finishing.removed { counts[entity.number] = nil }
        return rows
    }
}

extension SchemaEvolution {
    /// The present forms of the entities whose rows are written again, as their columns change.
    fileprivate var rewritten: [StoredSchema.Entity] { entities.filter(\.changesRows).compactMap(\.old) }

    /// The number of rows that are written again.
    fileprivate func rewrittenRows(_ counts: [Int: Int]) -> Int {
        rewritten.reduce(0) { $0 + (counts[$1.number] ?? 0) }
    }
}

extension SchemaMigration {
    /// The number of steps that are due.
    package var stepCount: Int { steps.count }

    /// True if rows are given to closures.
    package var runsClosures: Bool { steps.contains(where: \.readsRows) }

    /// The numbers of the entities whose rows are given to closures, or written again.
    ///
    /// Those that the migration makes on its way are among them.
    package var touchedEntities: Set<Int> {
        var numbers = Set(last.rewritten.map(\.number))
        for step in steps {
            numbers.formUnion(step.finishing.rewritten.map(\.number))
            numbers.formUnion(
                step.plan.runs.compactMap(\.source).map { step.making.target.entities[$0].number })
        }
        return numbers
    }

    /// True if rows are given to closures, or written again.
    package var touchesRows: Bool {
        last.entities.contains(where: \.changesRows)
            || steps.contains { $0.readsRows || $0.finishing.entities.contains(where: \.changesRows) }
    }

    /// The numbers of the entities whose rows all stay: neither made by mappings nor changed by closures.
    ///
    /// Links are left out, as they go with their items.
    package func keptEntities(of stored: StoredSchema) -> Set<Int> {
        if steps.contains(where: { $0.step.before != nil || $0.step.after != nil }) { return [] }
        let remaining = Set(target.entities.map(\.number))
        return Set(stored.entities.filter { !$0.isLink && remaining.contains($0.number) }.map(\.number))
    }
}

extension StorageAdapter {
    /// The number of rows of each stored entity, by its number.
    ///
    /// *Rule:* the adapter is not open, and is opened and closed again. *Cost:* may count row by row.
    ///
    /// - Parameter numbers: The numbers of the entities to count; nil for all.
    package func rowCounts(
        of stored: StoredSchema, only numbers: Set<Int>? = nil
    ) throws(DataStoreError) -> [Int: Int] {
        let counted = stored.entities.indices.filter { numbers?.contains(stored.entities[$0].number) ?? true }
        if counted.isEmpty { return [:] }
        let schema = try StoreSchema(of: stored).opened(for: .inspection)
        try open(schema)
        let result = Result { () throws(DataStoreError) in
            let reading = try beginCancellableReading()
            defer { reading.end() }
            var counts: [Int: Int] = [:]
            for number in counted {
                counts[stored.entities[number].number] = try reading.count(
                    for: RequestPlan(entity: number, schema: schema.entities[number]))
            }
            return counts
        }
        try close()
        return try result.get()
    }
}
