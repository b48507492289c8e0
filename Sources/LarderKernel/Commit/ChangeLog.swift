/// The changes of a running write block, which become a ``ChangeSet`` when it commits.
package struct ChangeLog {
    private struct Entry {
        let entity: Int
        let identifier: AnyItemID
        let kind: RowMutation.Kind
        let columns: ColumnSet
        /// The number of the relationship that the entry is about; nil for a change of the row itself.
        var relationship: Int?
    }

    /// True if the change set is asked for; otherwise changes are not recorded.
    let isRecording: Bool
    /// The region that was touched, for observations; nil if it is unknown, or there were none when the block began.
    ///
    /// It keeps what a savepoint has undone: an observation that is marked in vain reads what it knows.
    var touched: CommittedRegion?
    private var entries: [Entry] = []
    /// True if no row was touched.
    package internal(set) var isEmpty = true

    init(isRecording: Bool, touched: CommittedRegion? = nil) {
        self.isRecording = isRecording
        self.touched = touched
    }

    /// A state to return to by ``rollBack(to:)``.
    struct Position {
        fileprivate let count: Int
        fileprivate let isEmpty: Bool
    }

    var position: Position { Position(count: entries.count, isEmpty: isEmpty) }

    /// Remembers that any rows may have been touched, as for a commit of another process.
    package mutating func noteUnknownWrite() { (isEmpty, touched) = (false, nil) }

    mutating func record(
        _ kind: RowMutation.Kind, entity: Int, identifier: AnyItemID, columns: ColumnSet = ColumnSet()
    ) {
        entries.append(Entry(entity: entity, identifier: identifier, kind: kind, columns: columns))
    }

    /// Records that a relationship without a column shows other items, as rows that refer to the item have
    /// changed.
    mutating func record(_ key: ItemKey, relationship: Int) {
        entries.append(
            Entry(
                entity: key.entity, identifier: key.identifier, kind: .update, columns: ColumnSet(),
                relationship: relationship))
    }

    mutating func rollBack(to position: Position) {
        entries.removeSubrange(position.count...)
        isEmpty = position.isEmpty
    }

    /// Adds the changes that were made after these.
    mutating func append(_ later: ChangeLog) {
        entries += later.entries
    }

    /// The net changes, each item once: if it was there before and is there after, and the attributes that were changed.
    func changeSet(of schema: StoreSchema, from origin: WriteOrigin?) -> ChangeSet {
        var positions: [ItemKey: Int] = [:]
        var merged: [(key: ItemKey, state: State)] = []
        for entry in entries {
            let key = ItemKey(entity: entry.entity, identifier: entry.identifier)
            let position = positions[key] ?? merged.count
            if position == merged.count {
                positions[key] = position
                merged.append((key, State()))
            }
            if let relationship = entry.relationship {
                merged[position].state.relationships.insert(relationship)
            } else {
                merged[position].state.add(entry.kind, entry.columns)
            }
        }
        return ChangeSet(
            changes: merged.compactMap { key, state in
                let entity = schema.entities[key.entity]
                return state.kind(of: entity).map {
                    ChangeSet.Change(itemType: entity.name, identifier: key.identifier, kind: $0)
                }
            }, origin: origin)
    }

    /// The change of one item so far.
    private struct State {
        /// Nil while only relationships have changed, which another row may have done before the item's.
        var existedBefore: Bool?
        var exists = true
        var columns = ColumnSet()
        var relationships = ColumnSet()
        var wasReplaced = false

        mutating func add(_ kind: RowMutation.Kind, _ columns: ColumnSet) {
            let existedBefore = existedBefore ?? (kind != .insert)
            self.existedBefore = existedBefore
            if kind == .insert, existedBefore { wasReplaced = true }
            exists = kind == .insert || kind == .update
            self.columns.formUnion(columns)
        }

        func kind(of entity: EntitySchema) -> ChangeSet.Kind? {
            switch (existedBefore ?? true, exists) {
            case (false, true): return .inserted
            case (true, false): return .deleted
            case (false, false): return nil
            case (true, true):
                // An item that was deleted and inserted again counts as changed in all its attributes.
                let columns = wasReplaced ? ColumnSet(1..<entity.declaredCount) : columns
                var names: Set<String> = []
                for column in columns where column < entity.declaredCount {
                    names.insert(entity.attributes[column].propertyName)
                }
                for number in relationships { names.insert(entity.relationships[number].propertyName) }
                return .updated(attributes: names)
            }
        }
    }
}
