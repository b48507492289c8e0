/// A place in the parent store for the length of one block of a child: its gate entered, its snapshot begun.
///
/// So no transaction, lock or reader of an engine outlives the block. A block of the child that runs inside a
/// read block of the parent shares that block's snapshot. *Rule:* as ``StorageReading``.
struct ParentPlace {
    let reading: any StorageReading
    /// The context that was entered for the child; nil where the snapshot is that of a block around it.
    private let context: BlockContext?
    private let parent: StoreCoordinator
    /// True if the transaction is not the context's.
    private let isCancellable: Bool

    /// - Parameter isCancellable: True for a tool whose requests end soon after its task is cancelled.
    /// - Throws: `.closed`, `.notSetUp`, `.discarded` for the parent; `.wouldDeadlock`.
    init(in parent: StoreCoordinator, for child: ObjectIdentifier?, isCancellable: Bool)
        throws(DataStoreError)
    {
        self.parent = parent
        self.isCancellable = isCancellable
        let thread = ThreadBlocks.current
        if !isCancellable, let child, let outer = thread.readBlock(of: parent, around: child) {
            context = nil
            reading = try outer.beginSnapshot()
            return
        }
        // Others may be waiting for what the child's block has already, such as the turn of its writer.
        let context = try parent.gate.enter(parent, on: thread, for: .reading, isWatched: true)
        do {
            reading =
                isCancellable ? try parent.adapter.beginCancellableReading() : try context.beginSnapshot()
        } catch {
            parent.gate.leave(context)
            throw error
        }
        self.context = context
    }

    /// Leaves the parent.
    func leave() {
        guard let context else { return }
        if isCancellable { reading.end() } else { context.endTransaction() }
        parent.gate.leave(context)
    }
}
