import Larder

/// A copy of the state, read and changed without anybody noticing, until it is committed.
final class ReferenceTransaction: StorageWriting {
    private let medium: ReferenceMedium
    private(set) var state: ReferenceState
    private var savepoints: [ReferenceState] = []
    private let schema: StoreSchema
    private let numbers: [Int]
    private let arena = RowArena()

    init(medium: ReferenceMedium, state: ReferenceState, schema: StoreSchema, numbers: [Int]) {
        self.medium = medium
        self.state = state
        self.schema = schema
        self.numbers = numbers
    }

    private func table(_ entity: Int) -> [[Constant]] {
        state.tables[numbers[entity]] ?? []
    }

    /// Where the row of an identifier is, or would have to be inserted.
    private func position(of identifier: Cell, in entity: Int) -> (index: Int, isFound: Bool) {
        let rows = table(entity)
        let storage = schema.entities[entity].storage(ofColumn: 0)
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            let order = rows[middle][0].withCell { identifier.order(to: $0, storage: storage) }
            if order == 0 { return (middle, true) }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return (low, false)
    }
}

// MARK: Reading

extension ReferenceTransaction {
    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        let (index, isFound) = position(of: identifier, in: entity)
        guard isFound else { return false }
        arena.reset()
        for (column, value) in table(entity)[index].enumerated() {
            cells[column] = try arena.cell(of: value)
        }
        return true
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        try lookUpEachRow(at: identifiers, of: entity, into: cells, body)
    }

    func runsWhole(_ plan: RequestPlan) -> Bool { false }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor {
        try ReferenceCursor(over: table(plan.entity), for: plan)
    }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int {
        try ReferenceCursor(over: table(plan.entity), for: plan).count
    }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? { nil }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? { nil }

    /// It has no indexes, and says what an engine with those of the schema would say.
    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] {
        let first = plan.order[0].column
        let isOrdered = plan.schema.indexes.contains { $0.columns.first == first }
        return ["scan \(plan.schema.name)"] + (first == 0 || isOrdered ? [] : ["sort"])
    }

    func end() {
        state = ReferenceState()
        savepoints = []
    }

    func beginAgain() -> Bool { false }
}

// MARK: Writing

extension ReferenceTransaction {
    func apply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) -> TouchedRows {
        var touched = TouchedRows()
        for mutation in mutations { touched.add(try apply(mutation)) }
        return touched
    }

    private func apply(_ mutation: RowMutation) throws(DataStoreError) -> Int {
        let number = numbers[mutation.entity]
        if mutation.kind == .deleteAll {
            return state.tables.updateValue([], forKey: number)?.count ?? 0
        }
        let entity = schema.entities[mutation.entity]
        let (index, isFound) = position(of: mutation.cells[0], in: mutation.entity)
        func value(_ column: Int) -> Constant {
            Constant(mutation.cells[column], storage: entity.storage(ofColumn: column))
        }
        switch mutation.kind {
        case .insert:
            if isFound { throw entity.duplicateIdentifier(mutation.cells[0]) }
            state.tables[number, default: []].insert(entity.attributes.indices.map(value), at: index)
            return 1
        case .update where isFound:
            for column in mutation.columns { state.tables[number]?[index][column] = value(column) }
            return 1
        case .delete where isFound:
            state.tables[number]?.remove(at: index)
            return 1
        case .update, .delete, .deleteAll:
            return 0
        }
    }

    func setSavepoint() throws(DataStoreError) {
        savepoints.append(state)
    }

    func releaseSavepoint() throws(DataStoreError) {
        _ = savepoints.popLast()
    }

    func rollBackToSavepoint() throws(DataStoreError) {
        if let saved = savepoints.popLast() { state = saved }
    }

    func commit() throws(DataStoreError) {
        medium.state.withLock { $0 = state }
        end()
    }
}

/// By look-ups of its own, so that the core's way of asking them is tested without a server too.
extension ReferenceTransaction: ConditionalInserting {
    var conditionalInserting: (any ConditionalInserting)? { self }

    func insert(_ row: RowMutation, if condition: InsertCondition) throws(DataStoreError) -> Bool {
        let isTaken = position(of: row.cells[0], in: row.entity).isFound
        let isShared = condition.unshared.contains { columns in
            table(row.entity).contains { stored in columns.allSatisfy { isSame(row, stored, at: $0) } }
        }
        let isDangling = condition.references.contains { column, target in
            !row.cells[column].isNull && !position(of: row.cells[column], in: target).isFound
        }
        if isTaken || isShared || isDangling { return false }
        return try apply(row) == 1
    }

    /// True if a row has the value of a stored one, and it is not nil.
    private func isSame(_ row: RowMutation, _ stored: [Constant], at column: Int) -> Bool {
        let (cell, storage) = (row.cells[column], schema.entities[row.entity].storage(ofColumn: column))
        return !cell.isNull && stored[column].withCell { cell.order(to: $0, storage: storage) == 0 }
    }
}
