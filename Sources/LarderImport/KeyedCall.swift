import LarderKernel

/// A call that finds rows by a key, changes those that are there and inserts the others, batch by batch.
///
/// ``KeyedBatch`` is a batch of one item type. *Rule:* the caller calls ``finish()`` after the last batch.
@usableFromInline
final class KeyedCall {
    let block: WriteBlock
    /// In parts, as a later batch may bring the items that rows refer to.
    let parts: UndoneCall
    // reason for unchecked, here and below: used by one call, on the thread of its block.
    /// The rows that the uniqueness rule has refused so far: a later row may free their values.
    @exclusivity(unchecked) private(set) var held: [HeldRow] = []
    @exclusivity(unchecked) private var heldPositions: [HeldKey: Int] = [:]
    private let heldArena = RowArena()
    /// The items that imports have left over, for the end of the call.
    @exclusivity(unchecked) private var leftOver = LeftOverItems()

    /// A row that waits for the end of the call.
    struct HeldRow {
        let entity: Int
        let cells: UnsafeMutablePointer<Cell>
        let isNew: Bool
        var columns: ColumnSet
        var items: [GivenItems] = []
    }

    private struct HeldKey: Hashable {
        let entity: Int
        let columns: [Int]
        let key: UniqueKey
    }

    init(in block: WriteBlock, of call: UndoneCall) {
        self.block = block
        parts = call.inParts()
    }

    var context: BlockContext { block.context }
}

// MARK: Rows that wait

extension KeyedCall {
    /// The position among the rows that wait of the one with a key; nil where there is none.
    func heldPosition(of key: UniqueKey, in columns: [Int], of entity: Int) -> Int? {
        if held.isEmpty { return nil }
        return heldPositions[HeldKey(entity: entity, columns: columns, key: key)]
    }

    /// Keeps a row back until the end of the call.
    func hold(
        _ row: HeldRow, key: UniqueKey?, in columns: [Int]
    ) throws(DataStoreError) {
        let width = context.resources.schema.entities[row.entity].attributes.count
        let cells = try heldArena.makeCells(width)
        try heldArena.copy(row.cells, to: cells, width)
        if let key { heldPositions[HeldKey(entity: row.entity, columns: columns, key: key)] = held.count }
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
    func setHeld(_ items: [GivenItems], of position: Int) {
        for given in items { held[position].items.give(given) }
    }
}

// MARK: Writing

extension KeyedCall {
    /// Writes the items that were given to relationships of an owner in place of those that are there.
    ///
    /// - Parameter isNew: True if the owner was only just inserted.
    /// - Returns: True if anything has changed.
    func write(
        _ items: [GivenItems], of owner: AnyItemID, _ entity: Int, isNew: Bool
    ) throws(DataStoreError) -> Bool {
        var isChanged = false
        for given in items {
            let targets = given.assigned.targets
            let links = try Links(given.assigned.relationship, of: owner, entity, in: block)
            let changes: [LinkChange]
            if isNew {
                changes = try links.given(given.assigned, in: parts)
            } else if given.assigned.keepsOthers {
                changes = try links.additions(of: targets, in: parts)
            } else {
                let isDeleting = given.deletesLeftOver
                if isDeleting, try leftOver.note(links, besides: targets) { isChanged = true }
                changes = try links.replacement(by: targets, keepingReferrers: isDeleting, in: parts)
            }
            if changes.isEmpty { continue }
            isChanged = true
            try links.write(changes, in: parts)
        }
        return isChanged
    }

    /// Applies the rows that were kept back, which are judged together, and what can only be judged at the end.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`.
    func finish() throws(DataStoreError) {
        let rows = held
        held = []
        heldPositions = [:]
        // What waits may take their unique values, or be given to another owner.
        try deleteLeftOver(besides: Set(rows.compactMap { key(of: $0) }))
        let mutations = rows.compactMap { row -> RowMutation? in
            if row.isNew { return RowMutation(.insert, entity: row.entity, cells: row.cells) }
            if row.columns.isEmpty { return nil }
            return RowMutation(.update, entity: row.entity, cells: row.cells, columns: row.columns)
        }
        if !mutations.isEmpty {
            try block.pipeline.apply(mutations, in: parts)
        }
        for row in rows {
            guard let key = key(of: row) else { continue }
            block.pipeline.noteUnshown(key)
            _ = try write(row.items, of: key.identifier, row.entity, isNew: row.isNew)
        }
        try deleteLeftOver(besides: [])
        try Links.writeGivenItems(of: parts)
        try block.pipeline.finish(parts)
    }

    private func key(of row: HeldRow) -> ItemKey? {
        let type = context.resources.schema.entities[row.entity].attributes[0].type
        return AnyItemID(row.cells[0], type: type).map { ItemKey(entity: row.entity, identifier: $0) }
    }

    /// Deletes the items that were left over and that no owner has taken since.
    private func deleteLeftOver(besides kept: Set<ItemKey>) throws(DataStoreError) {
        for (entity, identifiers) in try leftOver.take(besides: kept) {
            let arena = context.resources.arena
            for start in stride(from: 0, to: identifiers.count, by: WriteBlock.batchSize) {
                let part = identifiers[start..<min(start + WriteBlock.batchSize, identifiers.count)]
                arena.reset()
                var mutations: [RowMutation] = []
                for identifier in part {
                    let cells = try arena.makeCells(1)
                    cells[0] = try identifier.encode(in: arena)
                    mutations.append(RowMutation(.delete, entity: entity, cells: cells))
                }
                try block.pipeline.apply(mutations, in: parts)
            }
            for identifier in identifiers {
                block.pipeline.noteUnshown(ItemKey(entity: entity, identifier: identifier))
            }
        }
    }
}
