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
    /// For the references to items that a later part brings; nil where the rows have none.
    @usableFromInline let call: CallInParts?

    @usableFromInline
    init(into pipeline: RowPipeline, entity: Int) {
        self.pipeline = pipeline
        self.entity = entity
        call = pipeline.rules.graph.references[entity].isEmpty ? nil : CallInParts()
    }

    @inlinable
    mutating func add<Item: DataStoreItem>(_ item: Item) throws(DataStoreError) {
        batch.append(try RowMutation.inserting(item, entity: entity, in: arena))
        if batch.count == WriteBlock.batchSize { try handOver() }
    }

    /// Hands over what is left.
    @usableFromInline
    mutating func finish() throws(DataStoreError) {
        try handOver()
        if let call { try pipeline.finish(call) }
    }

    @usableFromInline
    mutating func handOver() throws(DataStoreError) {
        if batch.isEmpty { return }
        try pipeline.apply(batch, isUndoneByCaller: true, in: call)
        batch.removeAll(keepingCapacity: true)
        arena.reset()
    }
}
