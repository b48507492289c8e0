/// What one running block knows: its store, its snapshot and the memory it works with.
///
/// *Rule:* lives and works on the thread of its block. Handles keep it; it refuses them once the
/// block has ended. That of a read block serves later ones, whose accessors are others, and waits in the
/// ``StoreGate`` meanwhile.
@usableFromInline
class BlockContext {
    // reason for unowned(unsafe): the store runs the block, and its gate keeps the contexts of later ones; a write
    // block keeps its store.
    unowned(unsafe) let store: StoreCoordinator
    @usableFromInline let resources: BlockResources
    let isWriting: Bool
    // reason for unchecked, here and in WriteContext: touched by the block's own thread only, by no access while
    // another runs; each is read with every request.
    @exclusivity(unchecked) @usableFromInline final var isOpen: Bool
    @exclusivity(unchecked) final var transaction: (any StorageReading)?
    /// Whether nothing was read in the transaction, nor written.
    @exclusivity(unchecked) final var isUntouched = true
    /// The transaction of an earlier block that has read.
    @exclusivity(unchecked) private final var ended = EndedTransaction<any StorageReading>()
    /// The block around this one on the same thread; see ``ThreadBlocks``.
    @exclusivity(unchecked) final var outer: Unmanaged<BlockContext>?
    /// The next one that waits in the gate.
    ///
    /// *Rule:* this and the following two are touched with the lock of the ``StoreGate`` held.
    @exclusivity(unchecked) final var nextIdle: BlockContext?
    /// The thread that has entered with it; nil while it waits in the gate.
    @exclusivity(unchecked) final var thread: ThreadIdentity?
    /// True if the thread has entered to read.
    @exclusivity(unchecked) final var isReading = false
    // That of the block before, as a look-up in the schema costs as much as a small request.
    @exclusivity(unchecked) private final var lastType: ObjectIdentifier?
    @exclusivity(unchecked) private final var lastNumber: Int

    init(store: StoreCoordinator, resources: BlockResources, isWriting: Bool = false) {
        self.store = store
        self.resources = resources
        self.isWriting = isWriting
        isOpen = isWriting
        lastType = resources.lastType
        lastNumber = resources.lastNumber
    }

    @usableFromInline final var schema: StoreSchema { resources.schema }

    /// Lets a block begin to read.
    final func open() {
        isOpen = true
    }

    /// Ends the snapshot and everything that depends on it; what is not committed is undone.
    func close() {
        guard isOpen else { return }
        isOpen = false
        guard let transaction = transaction.take() else { return }
        transaction.end()
        if !isWriting { ended.keep(transaction) }
    }

    /// Runs a body with the snapshot, which begins at the first request (contract rule 1).
    // Moved out and back in, as a reference to it would be counted with every request.
    @inline(__always)
    final func withSnapshot<Value>(
        _ body: (any StorageReading) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        isUntouched = false
        let snapshot = if let begun = transaction.take() { begun } else { try begin() }
        do throws(DataStoreError) {
            let value = try body(snapshot)
            transaction = consume snapshot
            return value
        } catch {
            transaction = consume snapshot
            throw error
        }
    }

    /// Begins to read, with the transaction of an earlier block where the engine lets it begin again.
    private final func begin() throws(DataStoreError) -> any StorageReading {
        try ended.begin { ended throws(DataStoreError) in
            try ended.beginAgain()
        } anew: { () throws(DataStoreError) in
            try store.adapter.beginReading()
        }
    }

    /// Makes the block's own changes visible to a request; nothing to do in a read block.
    func prepareForRequest() throws(DataStoreError) {}

    /// The number of an item type in the store.
    ///
    /// - Throws: `.accessorExpired`, `.unknownItemType`.
    @usableFromInline
    final func number<Item: DataStoreItem>(of type: Item.Type) throws(DataStoreError) -> Int {
        try requireOpen()
        let identity = ObjectIdentifier(type)
        if lastType == identity { return lastNumber }
        guard let number = resources.number(of: type) else {
            throw DataStoreError(
                .unknownItemType, "\(store.name) does not store items of the type \(type).",
                itemType: Item.schema.name)
        }
        lastType = identity
        lastNumber = number
        return number
    }

    final func requireOpen() throws(DataStoreError) {
        guard isOpen else {
            throw DataStoreError(.accessorExpired, "The accessor was used after its block had ended.")
        }
    }

    /// Lowers a request, and logs it.
    final func plan<Item: DataStoreItem>(
        for request: DataStoreRequest<Item>, columns: RequestPlan.Columns = .all
    ) throws(DataStoreError) -> RequestPlan {
        let plan = try request.core.plan(
            entity: try number(of: Item.self), schema: Item.schema, columns: columns)
        store.log.request(plan)
        return plan
    }
}

extension BlockContext {
    /// Begins to read the rows of a request.
    @usableFromInline
    final func scan<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, columns: RequestPlan.Columns = .all
    ) throws(DataStoreError) -> RowScan {
        let plan = try plan(for: request, columns: columns)
        try prepareForRequest()
        return try scan(plan)
    }

    final func scan(_ plan: RequestPlan) throws(DataStoreError) -> RowScan {
        do {
            let cursor = try withSnapshot { snapshot throws(DataStoreError) in try snapshot.rows(for: plan) }
            return RowScan(cursor: cursor, cells: resources.cells, schema: plan.schema)
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
    }

    /// Fills the cells with the row of an identifier; nil when there is none.
    // The identifier is encoded in the app's code, where its type is concrete.
    @inlinable
    final func findRow<Item: DataStoreItem>(
        _ identifier: Item.ID, of type: Item.Type
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell>? {
        let number = try prepareForRow(of: type)
        return try findRow(at: try identifier.encode(in: resources.arena), of: number)
    }

    /// The number of an item type one of whose identifiers is going to be encoded.
    @usableFromInline
    final func prepareForRow<Item: DataStoreItem>(of type: Item.Type) throws(DataStoreError) -> Int {
        let number = try number(of: type)
        try prepareForRequest()
        resources.arena.reset()
        return number
    }

    @usableFromInline
    final func findRow(
        at cell: Cell, of number: Int
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell>? {
        try DataStoreLimits.check(identifier: cell)
        let cells = resources.cells
        let isFound = try withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.row(at: cell, of: number, into: cells)
        }
        return isFound ? cells : nil
    }

    final func count(_ plan: RequestPlan) throws(DataStoreError) -> Int {
        do {
            return try withSnapshot { snapshot throws(DataStoreError) in try snapshot.count(for: plan) }
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
    }
}
