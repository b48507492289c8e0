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
        /// By item type.
        var keys: [[Key]]?
        /// The changes that take the values of a unique index.
        var takers: [Claim: Int]?
        /// The changes that delete a row.
        var deletions: Set<RowKey>?
        /// The changes that refer to a row.
        var referrers: [RowKey: [(position: Int, reference: ReferenceGraph.Reference)]]?
    }

    /// Columns whose values no two rows share: of a unique index, or a reference of a one-to-one relationship.
    private struct Key {
        let columns: [Int]
        /// The same, with the texts in place of their folded forms.
        let declared: [Int]
        var reference: ReferenceGraph.Reference?
    }

    private struct Claim: Hashable {
        let entity: Int
        let columns: [Int]
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

    /// The changes that take values which the parent's row keeps, and which no two rows share.
    private func taking(from finding: MergeFinding) throws(DataStoreError) -> [MergeFinding] {
        let keys = keys[finding.row.entity]
        if keys.isEmpty { return [] }
        let type = run.schema.entities[finding.row.entity]
        let row = CellBuffer(count: type.attributes.count)
        guard try run.parentRow(finding.row, into: row.start),
            let holder = AnyItemID(row.start[0], type: type.attributes[0].type)
        else { return [] }
        if let position = finding.position {
            let change = run.changes[position]
            let decision = run.decisions.changes[finding.row]
            for column in change.columns where !(decision?.columns.contains(column) ?? false) {
                // Only a further attempt knows if a value of the policy can stay.
                row.start[column] = decision?.values[column] == nil ? change.cells[column] : .null
            }
        }
        var found: [MergeFinding] = []
        for key in keys {
            let isKept = finding.position == nil || key.declared.contains(where: finding.columns.contains)
            guard isKept, let claim = claim(key, finding.row.entity, row.start),
                let position = takers[claim]
            else { continue }
            let taker = run.key(of: run.changes[position])
            // Nor what a row gets about which something was decided meanwhile.
            if taker == finding.row || key.declared.contains(where: { run.decisions.isLeft($0, of: taker) }) {
                continue
            }
            let kind =
                key.reference.map {
                    MergeConflict.Kind.notUnique(attribute: $0.names.attribute, holder: holder)
                }
                ?? .notUnique(key.columns, of: type, holder: holder)
            let isOptional = key.reference?.isOptional ?? false
            found.append(
                MergeFinding(
                    row: taker, position: position, kind: kind, columns: key.declared,
                    holder: isOptional ? finding.row : nil))
        }
        return found
    }

    private var keys: [[Key]] {
        if let known = index.keys { return known }
        let keys = run.schema.entities.indices.map(keys(of:))
        index.keys = keys
        return keys
    }

    private func keys(of entity: Int) -> [Key] {
        let type = run.schema.entities[entity]
        if type.isLink { return [] }
        return type.uniqueColumns.map { Key(columns: $0, declared: $0.map(type.declaredColumn)) }
            + run.graph.oneToOnes[entity].map {
                Key(columns: [$0.column], declared: [$0.column], reference: $0)
            }
    }

    private func claim(_ key: Key, _ entity: Int, _ row: UnsafePointer<Cell>) -> Claim? {
        let type = run.schema.entities[entity]
        if key.declared.contains(where: { row[$0].isNull }) { return nil }
        return Claim(
            entity: entity, columns: key.columns, values: key.columns.map { type.constant(at: $0, of: row) })
    }

    private var takers: [Claim: Int] {
        if let known = index.takers { return known }
        var takers: [Claim: Int] = [:]
        let keys = keys
        for (position, change) in run.changes.enumerated() where change.kind != .delete {
            for key in keys[change.entity] where key.declared.contains(where: change.sets) {
                if let claim = claim(key, change.entity, change.cells) { takers[claim] = position }
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

    /// The deletions that would take along a row which stays, or are denied as it stays.
    private func denied(by row: RowKey) throws(DataStoreError) -> [MergeFinding] {
        let causes = try run.followed.causes(of: row)
        return causes.compactMap(denial)
    }

    /// The same for the rows that the policy keeps, by what they and the deleted ones referred to in the child.
    ///
    /// The rules find the others: by links, and by references that the child could not see.
    func deniedByKept() throws(DataStoreError) -> [MergeFinding] {
        if !run.kept.values.contains(true) { return [] }
        let pairs = try run.followed.pairs()
        return pairs.filter { $0.column != nil && run.kept[$0.follower] == true }.compactMap(denial)
    }

    private func denial(_ pair: FollowedDeletions.Pair) -> MergeFinding? {
        // The rules decide about a reference that the parent has changed.
        if let (row, column) = pair.column, run.changedInParent[row]?.contains(column) == true { return nil }
        guard deletions.contains(pair.cause) else { return nil }
        return MergeFinding(
            deletionOf: pair.cause, deniedBy: pair.follower, pair.relationship, in: run.schema)
    }

    private var deletions: Set<RowKey> {
        if let known = index.deletions { return known }
        let deletions = Set(run.changes.filter { $0.kind == .delete }.map(run.key(of:)))
        index.deletions = deletions
        return deletions
    }
}
