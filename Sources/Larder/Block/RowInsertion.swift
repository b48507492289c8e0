/// New rows on their way to the engine, some hundred at a time.
///
/// *Rule:* the caller has set a savepoint for all of them.
@usableFromInline
struct RowInsertion {
    @usableFromInline let context: WriteContext
    @usableFromInline let entity: Int
    // Its own, as a lazy sequence may use the block while it makes its next item.
    @usableFromInline let arena = RowArena()
    @usableFromInline var batch: [RowMutation] = []

    @usableFromInline
    init(in context: WriteContext, entity: Int) {
        self.context = context
        self.entity = entity
    }

    @inlinable
    mutating func add<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) {
        batch.append(try context.mutation(inserting: item, entity, in: arena))
        if batch.count == WriteContext.batchSize { try finish() }
    }

    /// Hands over what is left.
    @usableFromInline
    mutating func finish() throws(DataStoreError) {
        if batch.isEmpty { return }
        try context.writePart(batch)
        batch.removeAll(keepingCapacity: true)
        arena.reset()
    }
}
