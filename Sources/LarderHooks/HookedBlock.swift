import LarderKernel

/// A write block of a store with hooks: the rows before its changes, and the end at which hooks run.
///
/// All changes of rows come by here, by whichever call, rule or merge they are made. So a hook sees the net change of an
/// item, and nothing that a savepoint has undone.
final class HookedBlock: BlockWatch {
    // reason for unowned(unsafe): the pipeline keeps it.
    unowned(unsafe) private let pipeline: RowPipeline
    private let table: HookTable
    /// The memory of the rows before the block.
    private let arena = RowArena(chunkBytes: 4096)
    /// The rows of the list that is being applied, in its order.
    private var waiting: [TouchedRow] = []
    private var waitingKeys: Set<ItemKey> = []
    /// The rows that the block has touched, in the order of their turns.
    private var touched: [TouchedRow] = []
    /// The last position of each item in `touched`.
    private var positions: [ItemKey: Int] = [:]
    /// The number of rows in `touched` whose hooks have run.
    private var judgedCount = 0
    /// The cells of the changes by hooks that are being applied.
    private var revisedCells: Set<UnsafePointer<Cell>> = []
    private var findings: [ItemFinding] = []
    private var owners = ChangedOwners()
    /// True if hooks have changed rows that are not stored, as there are findings: a count would miss them.
    private var isIncomplete = false

    private struct TouchedRow {
        let key: ItemKey
        let entity: Int
        /// As it was before the block; nil if there was none.
        var stored: UnsafePointer<Cell>?
        /// The number of turns that the item has had before.
        var turns = 0
    }

    /// The number of turns of one item in a block: hooks might take from each other forever.
    private static let maximumTurns = 16

    private var context: BlockContext { pipeline.context }
    private var schema: StoreSchema { pipeline.context.schema }

    init(_ pipeline: RowPipeline, _ table: HookTable) {
        self.pipeline = pipeline
        self.table = table
    }
}

// MARK: Following

extension HookedBlock {
    func willApply(_ mutations: UnsafeBufferPointer<RowMutation>) throws(DataStoreError) {
        if !waiting.isEmpty { forgetWaiting() }
        var unread: [Int: [(position: Int, identifier: Cell)]] = [:]
        for position in mutations.indices where table.isFollowed[mutations[position].entity] {
            let mutation = mutations[position]
            if revisedCells.contains(mutation.cells) { continue }
            guard mutation.kind != .deleteAll else {
                try noteAll(mutation.entity)
                continue
            }
            guard note(mutation.cells[0], mutation.entity), mutation.kind != .insert else { continue }
            unread[mutation.entity, default: []].append((waiting.count - 1, mutation.cells[0]))
        }
        for (entity, rows) in unread {
            try context.forEachRow(at: rows.map(\.identifier), of: entity) {
                number, row throws(DataStoreError) in
                if let row { waiting[rows[number].position].stored = try copy(row, entity, in: arena) }
            }
        }
    }

    func didApply() {
        if waiting.isEmpty { return }
        for row in waiting {
            positions[row.key] = touched.count
            touched.append(row)
        }
        forgetWaiting()
    }

    func transactionRestarted() {
        forgetWaiting()
        forget()
    }

    private func forgetWaiting() {
        waiting.removeAll(keepingCapacity: true)
        waitingKeys.removeAll(keepingCapacity: true)
    }

    /// Notes a row, and gives it another turn if it has had one; false if it was noted before.
    private func note(_ identifier: Cell, _ entity: Int) -> Bool {
        guard let identifier = AnyItemID(identifier, type: schema.entities[entity].attributes[0].type) else {
            return false
        }
        let key = ItemKey(entity: entity, identifier: identifier)
        if let position = positions[key] {
            if position < judgedCount, waitingKeys.insert(key).inserted {
                var row = touched[position]
                row.turns += 1
                waiting.append(row)
            }
            return false
        }
        guard waitingKeys.insert(key).inserted else { return false }
        waiting.append(TouchedRow(key: key, entity: entity))
        return true
    }

    private func noteAll(_ entity: Int) throws(DataStoreError) {
        let scan = try context.rows(of: RequestPlan(entity: entity, schema: schema.entities[entity]))
        defer { scan.close() }
        while try scan.next() {
            if note(scan.cells[0], entity) {
                waiting[waiting.count - 1].stored = try copy(scan.cells, entity, in: arena)
            }
        }
    }

    private func copy(
        _ row: UnsafeMutablePointer<Cell>, _ entity: Int, in arena: RowArena
    ) throws(DataStoreError) -> UnsafePointer<Cell> {
        UnsafePointer(try arena.copy(row: row, schema.entities[entity].attributes.count))
    }
}

// MARK: The end

extension HookedBlock {
    /// - Throws: `.invalidItems`; rethrows errors of the rules about what hooks have changed.
    func blockEnds() throws(DataStoreError) {
        if touched.isEmpty { return }
        defer { forget() }
        let batch = RowArena()
        var next = 0
        // A change by a hook may touch items before or after their turn: the holder of a one-to-one reference.
        while next < touched.count {
            var end = next + 1
            while end < touched.count, end < next + WriteBlock.copiedBatchSize,
                touched[end].entity == touched[next].entity
            { end += 1 }
            judgedCount = end
            try run(Array(touched[next..<end]), in: batch)
            batch.reset()
            next = end
        }
        if !isIncomplete { try findings.append(contentsOf: owners.findings(in: context)) }
        if !findings.isEmpty { throw .invalidItems(findings) }
    }

    private func forget() {
        touched.removeAll()
        positions.removeAll()
        judgedCount = 0
        findings.removeAll()
        owners = ChangedOwners()
        isIncomplete = false
        arena.reset()
    }

    /// Runs the hooks for items of one type, and stores what they have changed.
    private func run(_ rows: [TouchedRow], in batch: RowArena) throws(DataStoreError) {
        let entity = rows[0].entity
        var identifiers: [Cell] = []
        for row in rows { identifiers.append(try row.key.identifier.encode(in: batch)) }
        // All before the hooks, which may read the store.
        var current: [UnsafePointer<Cell>?] = []
        try context.forEachRow(at: identifiers, of: entity) { _, row throws(DataStoreError) in
            if let row { current.append(try copy(row, entity, in: batch)) } else { current.append(nil) }
        }
        var revised: [(key: ItemKey, mutation: RowMutation)] = []
        for (row, new) in zip(rows, current) {
            let change = HookedChange(stored: row.stored, new: new)
            guard hasChanged(change, entity) else { continue }
            if row.turns == Self.maximumTurns {
                findings.append(endless(row))
                continue
            }
            let result = try table.types[entity]?.run(
                change, of: schema.entities[entity], in: batch, adding: &findings)
            let last = HookedChange(stored: row.stored, new: result?.cells ?? new)
            owners.note(last, table, entity, schema)
            guard let result else { continue }
            let mutation = RowMutation(.update, entity: entity, cells: result.cells, columns: result.columns)
            revised.append((row.key, mutation))
        }
        if revised.isEmpty { return }
        guard findings.isEmpty else {
            isIncomplete = true
            return
        }
        for (key, _) in revised { pipeline.noteUnshown(key) }
        revisedCells = Set(revised.map(\.mutation.cells))
        defer { revisedCells.removeAll() }
        try pipeline.apply(revised.map(\.mutation), in: nil)
        try pipeline.showChanges()
    }

    private func endless(_ row: TouchedRow) -> ItemFinding {
        ItemFinding(
            itemType: schema.entities[row.entity].name, identifier: row.key.identifier, attribute: nil,
            message: "is changed again and again by hooks that undo each other's changes")
    }

    /// False for an item whose row is the same, or that the block has inserted and deleted again.
    private func hasChanged(_ change: HookedChange, _ entity: Int) -> Bool {
        guard let stored = change.stored, let new = change.new else {
            return change.stored != nil || change.new != nil
        }
        return !schema.entities[entity].changedColumns(from: stored, to: new).isEmpty
    }
}
