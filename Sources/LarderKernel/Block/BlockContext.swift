import LarderDiagnostics
import LarderThreads

/// The things a block works with: its store, its transaction and the memory for its rows.
///
/// A read block and a write block both have one. Between blocks it waits in the ``StoreGate`` with everything
/// it has allocated, and then serves the next block.
///
/// *Rule:* used on the thread of its block.
@usableFromInline
package final class BlockContext {
    // reason for unowned(unsafe): the store runs the block, and its gate keeps the contexts of later ones.
    package unowned(unsafe) let store: StoreCoordinator
    @usableFromInline package let resources: BlockResources
    // reason for unchecked, here and in the other types of a block: touched by the block's own thread only,
    // by no access while another runs; each is read with every request.
    @exclusivity(unchecked) private var transaction = BlockTransaction()
    // reason for Unmanaged: set while the block runs, whose frame keeps it.
    /// The write block that is running with this context; it saves its handles before each request.
    @exclusivity(unchecked) var writeBlock: Unmanaged<WriteBlock>?
    /// Follows what an observation reads; nil in all other blocks.
    @exclusivity(unchecked) package var tracker: (any ReadFollower)?
    /// True while a list is read, which also needs digests of the prefetched items.
    @exclusivity(unchecked) package var keepsDigests = false
    /// Made for the first write block, and used again by later ones.
    @exclusivity(unchecked) private var handles: BlockHandles?
    /// The number of those who use a place of the thread: who has entered, and all who have joined since.
    @exclusivity(unchecked) private var users = 1
    /// The part of the context that only the ``StoreGate`` changes.
    @exclusivity(unchecked) var gatePlace = GatePlace()
    /// The audience of the store's commits when the block began.
    @exclusivity(unchecked) var commitAudience = CommitAudience()
    /// The rows written since the transaction began, if commits are heard.
    @exclusivity(unchecked) var writtenRows = 0
    /// The time at which the write transaction began, if roll-backs are heard; nil once it is committed.
    @exclusivity(unchecked) private(set) var transactionStart: Moment?
    // Kept from block to block, as a look-up in the schema costs as much as a small request.
    @exclusivity(unchecked) private var lastType: ObjectIdentifier?
    @exclusivity(unchecked) private var lastNumber = 0

    init(store: StoreCoordinator, resources: BlockResources) {
        self.store = store
        self.resources = resources
    }

    package var schema: StoreSchema { resources.schema }

    /// True if the thread has entered to read.
    var isReading: Bool { gatePlace.isReading }

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
        transaction.forget()
    }

    /// The number of an item type in the store.
    ///
    /// - Throws: `.unknownItemType`.
    @usableFromInline
    package func number<Item: DataStoreItem>(of type: Item.Type) throws(DataStoreError) -> Int {
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
    // The transaction is moved out and back in, as another reference to it would be counted with every
    // request.
    @inline(__always)
    package func withSnapshot<Value>(
        _ body: (any StorageReading) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        let snapshot = if let begun = transaction.take() { begun } else { try beginReading() }
        do throws(DataStoreError) {
            let value = try body(snapshot)
            transaction.putBack(consume snapshot)
            return value
        } catch {
            transaction.putBack(consume snapshot)
            throw error
        }
    }

    /// The transaction, begun if it has not; for a child of the store, which reads in it beside the block.
    package func beginSnapshot() throws(DataStoreError) -> any StorageReading {
        try withSnapshot { snapshot in snapshot }
    }

    /// True from the beginning of the transaction to its end.
    var hasBegun: Bool { transaction.hasBegun }

    /// True if nothing was read or written in the transaction.
    var isUntouched: Bool { transaction.isUntouched }

    /// Takes the transaction for read: code of the app runs that may read in it.
    @usableFromInline
    func noteSeen() { transaction.noteSeen() }

    /// Keeps the place open until this one leaves it too, by ``leave()``.
    ///
    /// A block of a child may leave its parent in the middle, by a commit, while the blocks that have joined it continue.
    func join() { users += 1 }

    /// Ends the transaction and leaves the store, if no other uses the place.
    func leave() {
        users -= 1
        if users > 0 { return }
        users = 1
        endTransaction()
        store.gate.leave(self)
    }

    /// Runs a body with the write transaction.
    @inline(__always)
    func withWriting<Value>(
        _ body: (any StorageWriting) throws(DataStoreError) -> Value
    ) throws(DataStoreError) -> Value {
        guard let writing = transaction.takeWriting() else { throw ended }
        return try body(writing)
    }

    private var ended: DataStoreError {
        DataStoreError(
            .accessorExpired, "The accessor was used after the transaction of its block had ended.")
    }

    /// Begins to read, with the memory of an ended transaction if the engine can restart it.
    private func beginReading() throws(DataStoreError) -> any StorageReading {
        // A write block whose transaction has ended reads nothing else instead.
        guard isReading else { throw ended }
        return try transaction.begin { () throws(DataStoreError) in try store.adapter.beginReading() }
    }

    /// True if a write transaction has begun and not ended.
    var hasWriteTransaction: Bool { transaction.isWriting }

    /// Begins the write transaction.
    ///
    /// *Rule:* the caller has the writer's turn.
    func beginWriting() throws(DataStoreError) {
        transaction.begin(try store.beginWriting())
        store.gate.beginTime(of: self)
        (writtenRows, transactionStart) = (0, writeStart)
    }

    /// Commits the write transaction; it has ended then, even if this throws.
    ///
    /// - Parameter note: Made only if there are observations.
    func commit(_ note: @autoclosure () -> CommitNote) throws(DataStoreError) {
        guard let writing = transaction.leaveWriting() else { throw ended }
        let announced = commitAudience.observations > 0 ? note() : nil
        if let announced { for listener in store.listeners.all { listener.announced(announced) } }
        let start = writeStart
        do {
            try writing.commit()
        } catch {
            if announced != nil { for listener in store.listeners.all { listener.withdrawn() } }
            throw error
        }
        // Also if there were no observations when the block began: one may have read since.
        store.listeners.noteCommit(announced ?? note(), isOwn: true)
        store.reusableWriting.keep(writing)
        transactionStart = nil
        if let start {
            store.diagnostics.send(.committed(rows: writtenRows, start.duration(to: .now)), in: .write)
        }
    }

    /// Ends the transaction; its changes are undone.
    func endTransaction() {
        if let writing = transaction.end() { store.reusableWriting.keep(writing) }
    }
}
