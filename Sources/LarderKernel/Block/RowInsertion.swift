/// New rows on their way to the engine, many at a time, with the links of each batch after them.
///
/// Links may lead to items that come later.
///
/// *Rule:* used inside the call that undoes it.
@usableFromInline
struct RowInsertion {
    @usableFromInline let pipeline: RowPipeline
    @usableFromInline let entity: Int
    // Its own, as a lazy sequence may use the block while it makes its next item.
    @usableFromInline let arena = RowArena()
    @usableFromInline var batch: [RowMutation] = []
    @usableFromInline let call: UndoneCall
    /// Nil for a type whose values are given no items for relationships.
    @usableFromInline let links: GivenLinks?

    /// - Parameters:
    ///   - hasWindows: True if the items may be given others for their relationships.
    ///   - call: If it is in parts, the caller finishes it.
    @usableFromInline
    init(into block: WriteBlock, entity: Int, hasWindows: Bool, of call: UndoneCall) {
        pipeline = block.pipeline
        self.entity = entity
        // For any type, as handles that a lazy sequence sets may refer to items that come later.
        self.call = call.parts == nil ? call.inParts() : call
        links = hasWindows ? GivenLinks(in: block, entity: entity, of: self.call) : nil
        pipeline.listCall = self.call
    }

    @inlinable
    mutating func add<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) {
        if let links {
            var items: [AssignedItems] = []
            batch.append(try RowMutation.inserting(item, entity: entity, in: arena, items: &items))
            if !items.isEmpty { links.note(items, of: item.id.anyItemID) }
        } else {
            batch.append(try RowMutation.inserting(item, entity: entity, in: arena))
        }
        // Large rows go some at a time.
        if batch.count == WriteBlock.batchSize || arena.byteCount > 4 << 20 { try handOver() }
    }

    /// Hands over what is left.
    @usableFromInline
    mutating func finish() throws(DataStoreError) {
        try handOver()
        if links != nil { try Links.writeGivenItems(of: call) }
        try pipeline.judgeAtEnd(call)
    }

    @usableFromInline
    mutating func handOver() throws(DataStoreError) {
        // A lazy sequence may have set values on handles, or failed the block, while it made the items.
        if let failure = pipeline.failure { throw failure }
        if let handles = pipeline.handles, handles.changedCount > 0 { try handles.flush(in: call) }
        if batch.isEmpty { return }
        try pipeline.apply(batch, in: call)
        pipeline.noteRevived(by: batch)
        batch.removeAll(keepingCapacity: true)
        arena.reset()
        if let links { try links.write() }
    }
}

extension Sequence {
    /// True if its elements are in memory, so that no code of the app runs while they are taken.
    @inlinable
    package var isInMemory: Bool { withContiguousStorageIfAvailable { _ in } != nil }
}

extension RowMutation {
    /// A new row for an item, written to an arena, and the items that it was given for its relationships.
    @inlinable
    package static func inserting<Item: DataStoreItem>(
        _ item: Item, entity number: Int, in arena: RowArena, items: inout [AssignedItems]
    ) throws(DataStoreError) -> RowMutation {
        let row = try RowWriter.encoding(item, in: arena)
        items = row.assigned
        return RowMutation(.insert, entity: number, cells: row.cells)
    }
}

extension WriteBlock {
    /// Inserts an item of a type with relationships that have no column.
    ///
    /// - Returns: The handle, which shows the item as it would be read.
    @inlinable
    func insertGiven<Item: DataStoreItem>(
        _ item: Item, entity: Int
    ) throws(DataStoreError) -> Mutable<Item> {
        let arena = context.resources.arena
        arena.reset()
        var items: [AssignedItems] = []
        let row = try RowMutation.inserting(item, entity: entity, in: arena, items: &items)
        let stored = try Item(row: RowReader(cells: row.cells, of: Item.schema))
        try insert(row, items, of: item.id.anyItemID)
        let handle = handle(for: stored, entity: entity)
        if !items.isEmpty { try show(items, in: handle) }
        return handle
    }
}
