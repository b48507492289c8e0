/// What one running block knows: its store, its snapshot and the memory it works with.
///
/// *Rule:* lives and works on the thread of its block. Accessors and handles keep it; it refuses handles once the
/// block has ended. That of a read block serves later ones, whose accessors are others.
@usableFromInline
class BlockContext {
    // reason for unowned(unsafe): the store runs the block, and has given it the resources, which keep the
    // context for later blocks; of a read block neither is touched once it has ended, and a write block keeps
    // both.
    unowned(unsafe) let store: StoreCoordinator
    unowned(unsafe) let resources: BlockResources
    let isWriting: Bool
    // reason for unchecked, here and in WriteContext: touched by the block's own thread only, by no access while
    // another runs; each is read with every request.
    @exclusivity(unchecked) final var isOpen = true
    @exclusivity(unchecked) final var transaction: (any StorageReading)?
    /// The block around this one on the same thread; see ``ThreadBlocks``.
    @exclusivity(unchecked) unowned(unsafe) final var outer: BlockContext?
    // That of the block before, as a look-up in the schema costs as much as a small request.
    @exclusivity(unchecked) private final var lastType: ObjectIdentifier?
    @exclusivity(unchecked) private final var lastNumber: Int

    init(store: StoreCoordinator, resources: BlockResources, isWriting: Bool = false) {
        self.store = store
        self.resources = resources
        self.isWriting = isWriting
        lastType = resources.lastType
        lastNumber = resources.lastNumber
    }

    @usableFromInline final var schema: StoreSchema { resources.schema }

    /// Ends the snapshot and everything that depends on it; what is not committed is undone.
    func close() {
        guard isOpen else { return }
        isOpen = false
        transaction?.end()
        transaction = nil
    }

    /// The snapshot, begun at the first request (contract rule 1).
    func snapshot() throws(DataStoreError) -> any StorageReading {
        if let transaction { return transaction }
        let begun = try resources.beginReading(in: store.adapter)
        transaction = begun
        return begun
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
            return RowScan(
                cursor: try snapshot().rows(for: plan), cells: resources.cells, schema: plan.schema)
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
    }

    /// Fills the cells with the row of an identifier, and tells whether there is one.
    @usableFromInline
    final func findRow<Item: DataStoreItem>(
        _ identifier: Item.ID, of type: Item.Type
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell>? {
        let number = try number(of: type)
        try prepareForRequest()
        resources.arena.reset()
        let cell = try identifier.encode(in: resources.arena)
        try DataStoreLimits.check(identifier: cell)
        return try snapshot().row(at: cell, of: number, into: resources.cells) ? resources.cells : nil
    }

    final func count(_ plan: RequestPlan) throws(DataStoreError) -> Int {
        do {
            return try snapshot().count(for: plan)
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
    }
}

/// Rows being read, one at a time, into the block's cells; each is to be decoded before the next.
@usableFromInline
struct RowScan {
    @usableFromInline let cursor: any RowCursor
    @usableFromInline let cells: UnsafeMutablePointer<Cell>
    @usableFromInline let schema: EntitySchema

    @usableFromInline
    init(cursor: any RowCursor, cells: UnsafeMutablePointer<Cell>, schema: EntitySchema) {
        self.cursor = cursor
        self.cells = cells
        self.schema = schema
    }

    /// The row that ``next()`` has found.
    @inlinable
    var row: RowReader { RowReader(cells: cells, of: schema) }

    @inlinable
    func next() throws(DataStoreError) -> Bool {
        try cursor.next(into: cells)
    }

    @inlinable
    func close() {
        cursor.close()
    }
}
