import LarderEngine
import LarderKernel

/// The rows that one step of a migration goes through.
package struct MigrationWork: Sendable {
    /// The versions that the step leads from and to; nil for the small changes after the last step.
    package let step: SchemaStep?
    /// The number of rows that are read by closures, or written again.
    package let rows: Int
}

extension SchemaMigration {
    /// The work of each step, and of the small changes after the last one if there are any.
    ///
    /// A row that closures make is counted in later steps as often as the row that it is made of.
    ///
    /// - Parameter counts: The numbers of stored rows, by the numbers of their entities.
    package func work(counts: [Int: Int]) -> [MigrationWork] {
        var counts = counts
        var work = steps.map { step in
            MigrationWork(step: step.step, rows: step.rows(&counts))
        }
        if last.isNeeded { work.append(MigrationWork(step: nil, rows: last.rewrittenRows(counts))) }
        return work
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
    var rewritten: [StoredSchema.Entity] { entities.filter(\.changesRows).compactMap(\.old) }

    /// The number of rows that are written again.
    fileprivate func rewrittenRows(_ counts: [Int: Int]) -> Int {
        rewritten.reduce(0) { $0 + (counts[$1.number] ?? 0) }
    }
}
