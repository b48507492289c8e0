/// A call that finds rows by a key, changes those that are there and inserts the others, batch by batch.
///
/// ``KeyedBatch`` is a batch of one item type. *Rule:* the caller undoes the whole call when it throws, and
/// calls ``finish()`` after the last batch.
@usableFromInline
final class KeyedCall {
    let block: WriteBlock
    /// For references to items that a later batch brings.
    let parts = CallInParts()
    // reason for unchecked, here and below: used by one call, on the thread of its block.
    /// The rows that the uniqueness rule has refused so far: a later row may free their values.
    @exclusivity(unchecked) private(set) var held: [HeldRow] = []
    @exclusivity(unchecked) private var heldPositions: [HeldKey: Int] = [:]
    private let heldArena = RowArena()
    /// The items with handles whose rows have changed.
    @exclusivity(unchecked) private var touched: [ItemKey] = []

    /// A row that waits for the end of the call.
    struct HeldRow {
        let entity: Int
        let cells: UnsafeMutablePointer<Cell>
        let isNew: Bool
        var columns: ColumnSet
        var items: [AssignedItems] = []
    }

    private struct HeldKey: Hashable {
        let entity: Int
        let column: Int
        let key: Constant
    }

    init(in block: WriteBlock) {
        self.block = block
    }

    var context: BlockContext { block.context }
}

// MARK: Rows that wait

extension KeyedCall {
    /// The position among the rows that wait of the one with a key; nil where there is none.
    func heldPosition(of key: Constant, in column: Int, of entity: Int) -> Int? {
        if held.isEmpty { return nil }
        return heldPositions[HeldKey(entity: entity, column: column, key: key)]
    }

    /// Keeps a row back until the end of the call.
    func hold(
        _ row: HeldRow, key: Constant?, in column: Int
    ) throws(DataStoreError) {
        let width = context.resources.schema.entities[row.entity].attributes.count
        let cells = try heldArena.makeCells(width)
        try heldArena.copy(row.cells, to: cells, width)
        if let key { heldPositions[HeldKey(entity: row.entity, column: column, key: key)] = held.count }
        held.append(
            HeldRow(
                entity: row.entity, cells: cells, isNew: row.isNew, columns: row.columns, items: row.items))
    }

    /// Sets a value of a row that waits.
    func setHeld(_ cell: Cell, at column: Int, of position: Int) throws(DataStoreError) {
        held[position].cells[column] = try heldArena.copy(cell)
        if !held[position].isNew { held[position].columns.insert(column) }
    }

    /// Lets the items that a row was given wait with it.
    func setHeld(_ items: [AssignedItems], of position: Int) {
        for given in items {
            if !given.isAddition {
                held[position].items.removeAll { $0.relationship == given.relationship }
            }
            held[position].items.append(given)
        }
    }
}

// MARK: Writing

extension KeyedCall {
    /// Applies mutations by all rules.
    ///
    /// - Returns: The positions of those that take a unique value which another item still holds; these were
    ///   not applied.
    func apply(_ mutations: [RowMutation]) throws(DataStoreError) -> Set<Int> {
        var refused: Set<Int> = []
        var positions = Array(mutations.indices)
        while !positions.isEmpty {
            let list = refused.isEmpty ? mutations : positions.map { mutations[$0] }
            let waiting = parts.references.count
            do {
                try block.pipeline.apply(list, isUndoneByCaller: true, in: parts)
                return refused
            } catch  where error.code == .uniqueViolation && block.pipeline.failure == nil {
                parts.references.keepFirst(waiting)
                let clashes = try list.withUnsafeBufferPointer { list throws(DataStoreError) in
                    try block.pipeline.asking { reading throws(DataStoreError) in
                        try UniquenessRule().clashes(of: list, in: reading)
                    }
                }
                // Another rule has refused them, and does not say which.
                let clashing = clashes.isEmpty ? Set(list.indices) : Set(clashes.map(\.position))
                refused.formUnion(clashing.map { positions[$0] })
                positions = positions.indices.filter { !clashing.contains($0) }.map { positions[$0] }
            }
        }
        return refused
    }

    /// Writes the items that were given to relationships of an owner in place of those that are there.
    ///
    /// - Parameter isNew: True if the owner was only just inserted.
    /// - Returns: True if anything has changed.
    func write(
        _ items: [AssignedItems], of owner: AnyItemID, _ entity: Int, isNew: Bool
    ) throws(DataStoreError) -> Bool {
        var isChanged = false
        for given in items {
            let links = try Links(given.relationship, of: owner, entity, in: block)
            let changes =
                isNew || given.isAddition
                ? try links.additions(of: given.targets, isNew: isNew)
                : try links.replacement(by: given.targets)
            if changes.isEmpty { continue }
            isChanged = true
            try links.write(changes, isUndoneByCaller: true)
            touched += links.referring(by: changes)
        }
        return isChanged
    }

    /// Remembers that the row of an item has changed.
    func noteTouched(_ key: ItemKey) {
        if !block.handles.isEmpty, block.handles[key] != nil { touched.append(key) }
    }

    /// Applies the rows that were kept back, which are judged together, and what can only be judged at the end.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`.
    func finish() throws(DataStoreError) {
        parts.freeColumn = nil
        let rows = held
        held = []
        heldPositions = [:]
        let mutations = rows.compactMap { row -> RowMutation? in
            if row.isNew { return RowMutation(.insert, entity: row.entity, cells: row.cells) }
            if row.columns.isEmpty { return nil }
            return RowMutation(.update, entity: row.entity, cells: row.cells, columns: row.columns)
        }
        if !mutations.isEmpty {
            try block.pipeline.apply(mutations, isUndoneByCaller: true, in: parts)
        }
        for row in rows {
            let type = context.resources.schema.entities[row.entity].attributes[0].type
            guard let owner = AnyItemID(row.cells[0], type: type) else { continue }
            noteTouched(ItemKey(entity: row.entity, identifier: owner))
            _ = try write(row.items, of: owner, row.entity, isNew: row.isNew)
        }
        try block.pipeline.finish(parts)
    }

    /// Shows in handles what has changed so far.
    func showInHandles() throws(DataStoreError) {
        let keys = touched
        touched = []
        try block.handles.reload(keys)
        try block.pipeline.showFollowed()
    }
}
