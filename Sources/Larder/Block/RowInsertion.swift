/// New rows on their way to the engine, some hundred at a time.
///
/// *Rule:* the caller undoes all of them when one is refused.
@usableFromInline
struct RowInsertion {
    @usableFromInline let pipeline: RowPipeline
    @usableFromInline let entity: Int
    // Its own, as a lazy sequence may use the block while it makes its next item.
    @usableFromInline let arena = RowArena()
    @usableFromInline var batch: [RowMutation] = []

    @usableFromInline
    init(into pipeline: RowPipeline, entity: Int) {
        self.pipeline = pipeline
        self.entity = entity
    }

    @inlinable
    mutating func add<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) {
        batch.append(try RowMutation.inserting(item, entity: entity, in: arena))
        if batch.count == WriteBlock.batchSize { try finish() }
    }

    /// Hands over what is left.
    @usableFromInline
    mutating func finish() throws(DataStoreError) {
        if batch.isEmpty { return }
        try pipeline.apply(batch, isUndoneByCaller: true)
        batch.removeAll(keepingCapacity: true)
        arena.reset()
    }
}
