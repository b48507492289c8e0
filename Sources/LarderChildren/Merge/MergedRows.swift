import LarderKernel

/// The rows that a merge has decided about, as delete rules need them, and those that the rules take along.
///
/// Delete rules have run in the child already, and what they did there is in the merge's list. In the parent they
/// are about what the child could not see: a row that refers to a deleted one after the list was applied, by a
/// column that the list has not set. *Rule:* used by one thread, for one attempt.
final class MergedRows: FollowedRows {
    private let changes: [MergedChange]
    private let schema: StoreSchema
    // Lazy, as most lists have no deletions.
    private lazy var listed = Listed(changes, in: schema)
    /// The rows that the child has deleted and the parent keeps; true if the policy has decided it.
    private let kept: [RowKey: Bool]
    /// For each row that goes with another one that other one.
    private var causes: [RowKey: RowKey] = [:]
    /// The items that delete rules have deleted, and those in which they have made references nil.
    private(set) var taken: Set<RowKey> = []
    private(set) var freed: Set<RowKey> = []
    /// The deletions that would take along what the policy keeps.
    private(set) var refusals: [Denial] = []

    /// The rows of the list.
    private struct Listed {
        /// The columns that the list sets, of the rows that it inserts or changes; column 0 for all of a new row.
        var written: [RowKey: ColumnSet] = [:]
        /// For each row that the list deletes the columns that the parent has changed meanwhile.
        var deleted: [RowKey: ColumnSet] = [:]

        init(_ changes: [MergedChange], in schema: StoreSchema) {
            for change in changes {
                let key = change.key(in: schema)
                switch change.kind {
                case .insert: written[key, default: ColumnSet()].insert(0)
                case .update: written[key, default: ColumnSet()].formUnion(change.columns)
                case .delete, .deleteAll: deleted[key] = change.columns
                }
            }
        }
    }

    init(of changes: [MergedChange], keeping kept: [RowKey: Bool], in schema: StoreSchema) {
        (self.changes, self.kept, self.schema) = (changes, kept, schema)
    }

    func isWaiting(_ item: Constant, of entity: Int) -> Bool { false }

    func noteTaken(_ item: Constant, of entity: Int) {
        taken.insert(RowKey(entity: entity, identifier: item))
    }

    /// The deletion in the list from which the deletion of a row has followed.
    func root(of row: RowKey) -> RowKey {
        var root = row
        while listed.deleted[root] == nil, let cause = causes[root] { root = cause }
        return root
    }
}

// MARK: Waves

extension MergedRows {
    /// True if the list has set the reference of a row, so that the child decides where it leads.
    private func isSet(_ row: Constant, _ reference: ReferenceGraph.Reference) -> Bool {
        guard let columns = listed.written[RowKey(entity: reference.entity, identifier: row)] else {
            return false
        }
        return columns.contains(0) || columns.contains(reference.column)
    }

    func freed(
        _ rows: [DeletionWaves.Referrer], by reference: ReferenceGraph.Reference
    ) -> [DeletionWaves.Referrer] {
        let freed = rows.filter { !isSet($0.row, reference) }
        if !schema.entities[reference.entity].isLink {
            for row in freed { self.freed.insert(RowKey(entity: reference.entity, identifier: row.row)) }
        }
        return freed
    }

    func going(
        _ rows: [DeletionWaves.Referrer], with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer] {
        let reference = consequence.reference
        return rows.filter { row in
            if isSet(row.row, reference) { return false }
            let cause = RowKey(entity: reference.target, identifier: row.item)
            let key = RowKey(entity: reference.entity, identifier: row.row)
            return isGoing(key, with: cause, by: consequence.name)
        }
    }

    func going(
        _ links: [DeletionWaves.Referrer], to other: ReferenceGraph.Reference,
        with consequence: ReferenceGraph.Consequence
    ) -> [DeletionWaves.Referrer] {
        links.filter { link in
            let cause = RowKey(entity: consequence.reference.target, identifier: link.item)
            let key = RowKey(entity: other.target, identifier: link.other)
            return isGoing(key, with: cause, by: consequence.name)
        }
    }

    func isStaying(
        _ item: Constant, with row: Constant, by reference: ReferenceGraph.Reference
    ) -> Bool {
        let cause = RowKey(entity: reference.entity, identifier: row)
        let key = RowKey(entity: reference.target, identifier: item)
        return !isGoing(key, with: cause, by: reference.names.attribute)
    }

    /// True if the child has done already what follows from the reference of a row that the list deletes.
    func hasFollowed(_ reference: ReferenceGraph.Reference, of row: Constant) -> Bool {
        guard let changed = listed.deleted[RowKey(entity: reference.entity, identifier: row)] else {
            return false
        }
        return !changed.contains(reference.column)
    }

    private func isGoing(_ key: RowKey, with cause: RowKey, by relationship: String) -> Bool {
        if let isDecided = kept[key] {
            if isDecided {
                refusals.append(
                    Denial(
                        item: cause.identifier, itemType: cause.entity, other: key.identifier,
                        otherType: key.entity, name: relationship))
            }
            return false
        }
        if causes[key] == nil { causes[key] = cause }
        return true
    }
}
