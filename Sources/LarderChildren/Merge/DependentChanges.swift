import LarderKernel

/// The other changes of a list that can no longer stand once one is left out, as a further attempt would find too;
/// found at once, so that a long chain takes one.
struct DependentChanges {
    let run: MergeRun
    private let index: Index

    init(of run: MergeRun) {
        self.run = run
        index = Index()
    }

    private final class Index {
        /// The changes that take the values of a unique index.
        var takers: [Claim: Int]?
        /// The changes that delete a row.
        var deletions: Set<RowKey>?
        /// The changes that refer to a row.
        var referrers: [RowKey: [(position: Int, reference: ReferenceGraph.Reference)]]?
    }

    private struct Claim: Hashable {
        let entity: Int
        let index: Int
        let values: [Constant]
    }

    func findings(after finding: MergeFinding) throws(DataStoreError) -> [MergeFinding] {
        let kind = finding.position.map { run.changes[$0].kind } ?? .delete
        let decision = run.decisions.changes[finding.row]
        var found: [MergeFinding] = []
        if kind == .insert, decision?.isLeft ?? false { found = referring(to: finding.row) }
        if kind != .insert { found = try taking(from: finding) }
        if kind == .delete { found += try denied(by: finding.row) }
        return found
    }

    /// The changes that take a unique value which the parent's row keeps.
    private func taking(from finding: MergeFinding) throws(DataStoreError) -> [MergeFinding] {
        let type = run.schema.entities[finding.row.entity]
        guard !type.isLink, type.hasUniqueIndex else { return [] }
        let row = CellBuffer(count: type.attributes.count)
        guard try run.parentRow(finding.row, into: row.start) else { return [] }
        let holder = AnyItemID(row.start[0], type: type.attributes[0].type)
        if let position = finding.position {
            let change = run.changes[position]
            for column in change.columns where !finding.columns.contains(column) {
                row.start[column] = change.cells[column]
            }
        }
        var found: [MergeFinding] = []
        for (number, index) in type.indexes.enumerated() where index.isUnique {
            let columns = index.columns.map(type.declaredColumn)
            let isKept = finding.position == nil || columns.contains(where: finding.columns.contains)
            guard isKept, let holder,
                let claim = claim(number, index, finding.row.entity, row.start),
                let position = takers[claim], run.key(of: run.changes[position]) != finding.row
            else { continue }
            found.append(
                MergeFinding(
                    row: run.key(of: run.changes[position]), position: position,
                    kind: .notUnique(index.columns, of: type, holder: holder), columns: columns))
        }
        return found
    }

    private func claim(
        _ number: Int, _ index: IndexSchema, _ entity: Int, _ row: UnsafePointer<Cell>
    ) -> Claim? {
        let type = run.schema.entities[entity]
        if index.columns.contains(where: { row[type.declaredColumn(of: $0)].isNull }) { return nil }
        let values = index.columns.map { type.constant(at: $0, of: row) }
        return Claim(entity: entity, index: number, values: values)
    }

    private var takers: [Claim: Int] {
        if let known = index.takers { return known }
        var takers: [Claim: Int] = [:]
        for (position, change) in run.changes.enumerated() where change.kind != .delete {
            let type = run.schema.entities[change.entity]
            if type.isLink || !type.hasUniqueIndex { continue }
            for (number, index) in type.indexes.enumerated() where index.isUnique {
                // Only a further attempt knows the columns that a change does not set.
                let columns = index.columns.map(type.declaredColumn)
                if change.kind == .update, !columns.allSatisfy(change.columns.contains) { continue }
                if let claim = claim(number, index, change.entity, change.cells) { takers[claim] = position }
            }
        }
        index.takers = takers
        return takers
    }

    /// The changes that refer to a row which is not inserted.
    private func referring(to row: RowKey) -> [MergeFinding] {
        let type = run.schema.entities[row.entity].attributes[0].type
        guard let target = row.identifier.withCell({ AnyItemID($0, type: type) }) else { return [] }
        return (referrers[row] ?? []).map { position, reference in
            MergeFinding(
                row: run.key(of: run.changes[position]), position: position,
                kind: .targetNotFound(relationship: reference.names.attribute, target: target),
                columns: [reference.column])
        }
    }

    private var referrers: [RowKey: [(position: Int, reference: ReferenceGraph.Reference)]] {
        if let known = index.referrers { return known }
        var referrers: [RowKey: [(position: Int, reference: ReferenceGraph.Reference)]] = [:]
        for (position, change) in run.changes.enumerated() where change.kind != .delete {
            for reference in run.graph.references[change.entity]
            where !reference.mayDangle && change.sets(reference.column) {
                if let target = reference.row(change.cells[reference.column], in: run.schema) {
                    referrers[target, default: []].append((position, reference))
                }
            }
        }
        index.referrers = referrers
        return referrers
    }

    /// The deletions that would take along a row which stays.
    private func denied(by row: RowKey) throws(DataStoreError) -> [MergeFinding] {
        let causes = try run.followed.causes(of: row)
        if causes.isEmpty { return [] }
        let deletions =
            index.deletions ?? Set(run.changes.filter { $0.kind == .delete }.map(run.key(of:)))
        index.deletions = deletions
        return causes.compactMap { cause, relationship in
            guard deletions.contains(cause) else { return nil }
            return MergeFinding(deletionOf: cause, deniedBy: row, relationship, in: run.schema)
        }
    }
}
