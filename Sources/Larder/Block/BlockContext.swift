/// The things a block works with: its store, its transaction and the memory for its rows.
///
/// A read block and a write block both have one. Between blocks it waits in the ``StoreGate`` with everything it
/// has allocated, and then serves the next block.
///
/// *Rule:* used on the thread of its block.
@usableFromInline
final class BlockContext {
    // reason for unowned(unsafe): the store runs the block, and its gate keeps the contexts of later ones.
    unowned(unsafe) let store: StoreCoordinator
    @usableFromInline let resources: BlockResources
    // reason for unchecked, here and in the other types of a block: touched by the block's own thread only, by no
    // access while another runs; each is read with every request.
    /// The only reference to the transaction; nil before it begins, and while a call uses it.
    @exclusivity(unchecked) private var transaction: BlockTransaction?
    // reason for unowned(unsafe): set while a call that uses the transaction keeps it.
    /// The transaction while a call uses it, for requests that are made inside this call.
    @exclusivity(unchecked) private unowned(unsafe) var transactionInUse: (any StorageReading)?
    /// True if nothing was read or written in the transaction.
    @exclusivity(unchecked) private(set) var isUntouched = true
    @exclusivity(unchecked) private var reusable = ReusableTransaction<any StorageReading>()
    // reason for unowned(unsafe): set while the block runs, which keeps itself.
    /// The write block that is running with this context; it saves its handles before each request.
    @exclusivity(unchecked) unowned(unsafe) var writeBlock: WriteBlock?
    /// Made for the first write block, and used again by later ones.
    @exclusivity(unchecked) private var handles: BlockHandles?
    /// The block around this one on the same thread; see ``ThreadBlocks``.
    @exclusivity(unchecked) var outer: Unmanaged<BlockContext>?
    /// The next one that waits in the gate.
    ///
    /// *Rule:* this and the following two are changed with the lock of the ``StoreGate`` held.
    @exclusivity(unchecked) var nextIdle: BlockContext?
    /// The thread that has entered with it; nil while it waits in the gate.
    @exclusivity(unchecked) var thread: ThreadIdentity?
    /// True if the thread has entered to read.
    @exclusivity(unchecked) var isReading = false
    // Kept from block to block, as a look-up in the schema costs as much as a small request.
    @exclusivity(unchecked) private var lastType: ObjectIdentifier?
    @exclusivity(unchecked) private var lastNumber = 0

    init(store: StoreCoordinator, resources: BlockResources) {
        self.store = store
        self.resources = resources
    }

    var schema: StoreSchema { resources.schema }

    /// The handles, and with them the row pipeline, of the next write block.
    func makeHandles() -> BlockHandles {
        if let handles { return handles }
        let made = BlockHandles(of: RowPipeline(in: self))
        handles = made
        return made
    }

    /// Releases what the last block has left in memory.
    func reset() {
        resources.arena.reset()
        if let handles { handles.pipeline.reset() }
    }

    /// Releases the ended transaction, as the gate does not keep the context any longer.
    func forgetTransaction() {
        reusable.forget()
    }

    /// The number of an item type in the store.
    ///
    /// - Throws: `.unknownItemType`.
    @usableFromInline
    func number<Item: DataStoreItem>(of type: Item.Type) throws(DataStoreError) -> Int {
        let identity = ObjectIdentifier(type)
        if lastType == identity { return lastNumber }
        guard let number = resources.schema.number(of: type) else {
            throw DataStoreError(
                .unknownItemType, "\(store.name) does not store items of the type \(type).",
                itemType: Item.schema.name)
        }
        lastType = identity
        lastNumber = number
        return number
    }
}

// MARK: The transaction

extension BlockContext {
    /// Runs a body with the snapshot, which begins at the first request (contract rule 1).
    ///
    /// A request inside the body uses the same snapshot, so that it sees the block's own changes too.
    // The transaction is moved out and back in, as another reference to it would be counted with every request.
    @inline(__always)
    func withSnapshot<Value>(
        _ body: (any StorageReading) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        isUntouched = false
        let used: BlockTransaction
        if let begun = transaction.take() {
            used = begun
        } else if let transactionInUse {
            return try body(transactionInUse)
        } else {
            used = try beginReading()
        }
        do throws(DataStoreError) {
            let value: Value
            switch used {
            case .reading(let snapshot):
                transactionInUse = snapshot
                value = try body(snapshot)
            case .writing(let snapshot):
                transactionInUse = snapshot
                value = try body(snapshot)
            }
            transactionInUse = nil
            transaction = consume used
            return value
        } catch {
            transactionInUse = nil
            transaction = consume used
            throw error
        }
    }

    /// Runs a body with the write transaction.
    ///
    /// - Throws: `.nestedTransaction` inside another use of the transaction, which might not expect a change; what the
    ///   body throws.
    @inline(__always)
    func withWriting<Value>(
        _ body: (any StorageWriting) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        isUntouched = false
        let used = transaction.take()
        do throws(DataStoreError) {
            guard case .writing(let writing) = used else { throw notWritable }
            transactionInUse = writing
            let value = try body(writing)
            transactionInUse = nil
            transaction = consume used
            return value
        } catch {
            transactionInUse = nil
            transaction = consume used
            throw error
        }
    }

    private var notWritable: DataStoreError {
        DataStoreError(
            .nestedTransaction,
            "Items were changed while another change of the same block was being checked.",
            advice: "Make the change after the call that is running.")
    }

    private var ended: DataStoreError {
        DataStoreError(
            .accessorExpired, "The accessor was used after the transaction of its block had ended.")
    }

    /// Begins to read, with the memory of an ended transaction where the engine can restart it.
    private func beginReading() throws(DataStoreError) -> BlockTransaction {
        // A write block whose transaction has ended reads nothing else instead.
        guard isReading else { throw ended }
        let snapshot = try reusable.begin { ended throws(DataStoreError) in
            try ended.beginAgain()
        } new: { () throws(DataStoreError) in
            try store.adapter.beginReading()
        }
        return .reading(snapshot)
    }

    /// True if a write transaction has begun and not ended.
    var hasWriteTransaction: Bool {
        if case .writing = transaction { true } else { false }
    }

    /// Begins the write transaction.
    ///
    /// *Rule:* the caller has the writer's turn.
    func beginWriting() throws(DataStoreError) {
        transaction = .writing(try store.beginWriting())
        isUntouched = true
    }

    /// Commits the write transaction; it has ended then, also where this throws.
    func commit() throws(DataStoreError) {
        guard case .writing(let writing) = transaction.take() else { throw ended }
        try writing.commit()
        store.reusableWriting.keep(writing)
    }

    /// Ends the transaction; its changes are undone.
    func endTransaction() {
        switch transaction.take() {
        case nil: return
        case .reading(let snapshot):
            snapshot.end()
            reusable.keep(snapshot)
        case .writing(let writing):
            writing.end()
            store.reusableWriting.keep(writing)
        }
    }
}
