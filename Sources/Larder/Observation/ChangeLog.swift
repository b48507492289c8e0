/// The changes of a running write block, which become a ``ChangeSet`` when it commits.
struct ChangeLog {
    private struct Entry {
        let entity: Int
        let identifier: AnyItemID
        let kind: RowMutation.Kind
        let columns: ColumnSet
    }

    /// True if there are observers; otherwise changes are not recorded.
    let isRecording: Bool
    private var entries: [Entry] = []
    /// True if no row was touched.
    private(set) var isEmpty = true

    init(isRecording: Bool) {
        self.isRecording = isRecording
    }

    /// A state to return to by ``rollBack(to:)``.
    struct Position {
        fileprivate let count: Int
        fileprivate let isEmpty: Bool
    }

    var position: Position { Position(count: entries.count, isEmpty: isEmpty) }

    /// Remembers that a row was touched.
    mutating func noteWrite() {
        isEmpty = false
    }

    mutating func record(
        _ kind: RowMutation.Kind, entity: Int, identifier: AnyItemID, columns: ColumnSet = ColumnSet()
    ) {
        entries.append(Entry(entity: entity, identifier: identifier, kind: kind, columns: columns))
    }

    mutating func rollBack(to position: Position) {
        entries.removeSubrange(position.count...)
        isEmpty = position.isEmpty
    }

    /// The net changes, each item once: its state after the block compared with its state before.
    func changeSet(of schema: StoreSchema) -> ChangeSet {
        var positions: [ItemKey: Int] = [:]
        var merged: [(key: ItemKey, state: State)] = []
        for entry in entries {
            let key = ItemKey(entity: entry.entity, identifier: entry.identifier)
            if let position = positions[key] {
                merged[position].state.add(entry.kind, entry.columns)
            } else {
                positions[key] = merged.count
                merged.append((key, State(first: entry.kind, entry.columns)))
            }
        }
        return ChangeSet(
            changes: merged.compactMap { key, state in
                let entity = schema.entities[key.entity]
                return state.kind(of: entity).map {
                    ChangeSet.Change(itemType: entity.name, identifier: key.identifier, kind: $0)
                }
            })
    }

    /// The change of one item so far.
    private struct State {
        let existedBefore: Bool
        var exists: Bool
        var columns: ColumnSet
        var wasReplaced = false

        init(first kind: RowMutation.Kind, _ columns: ColumnSet) {
            existedBefore = kind != .insert
            exists = kind == .insert || kind == .update
            self.columns = columns
        }

        mutating func add(_ kind: RowMutation.Kind, _ columns: ColumnSet) {
            if kind == .insert, existedBefore { wasReplaced = true }
            exists = kind == .insert || kind == .update
            self.columns.formUnion(columns)
        }

        func kind(of entity: EntitySchema) -> ChangeSet.Kind? {
            switch (existedBefore, exists) {
            case (false, true): return .inserted
            case (true, false): return .deleted
            case (false, false): return nil
            case (true, true):
                // An item that was deleted and inserted again counts as changed in all its attributes.
                let columns = wasReplaced ? ColumnSet(1..<entity.attributes.count) : columns
                return .updated(attributes: Set(columns.map { entity.attributes[$0].name }))
            }
        }
    }
}
