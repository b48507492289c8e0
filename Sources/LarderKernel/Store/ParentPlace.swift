/// A place in the parent store for the length of one block of a child: its gate entered, its snapshot begun.
///
/// So no transaction, lock or reader of an engine outlives the block. The place is a read block of the parent
/// in all but name, and listed with what the thread holds: reads of the parent inside the child's block share
/// its snapshot, and so do blocks of other children. A block of the child that runs inside a read of the
/// parent shares that snapshot in turn. *Rule:* as ``StorageReading``.
package struct ParentPlace {
    /// The snapshot; nil once it was left.
    private var current: (any StorageReading)?
    /// The context that was entered or joined; nil once it was left.
    private var context: BlockContext?
    /// True if the transaction is not the context's.
    private let isCancellable: Bool
    /// True if the snapshot is one of a block that was running on the thread.
    package private(set) var isShared = false

    /// - Parameters:
    ///   - isCancellable: True for a tool whose requests end soon after its task is cancelled.
    ///   - epoch: The epoch of the parent since which it has what was merged out of the child, and what the child or a store
    ///     below it has read of it for a change or a refresh. An older snapshot of the parent lacks it, and is not shared.
    /// - Throws: `.closed`, `.notSetUp`, `.discarded` for the parent; `.wouldDeadlock`.
    package init(
        in parent: StoreCoordinator, for child: ObjectIdentifier?, isCancellable: Bool, after epoch: Int
    ) throws(DataStoreError) {
        self.isCancellable = isCancellable
        let thread = ThreadBlocks.current
        if !isCancellable, let outer = thread.readBlock(of: parent),
            !outer.hasBegun || outer.gatePlace.epoch >= epoch
        {
            current = try outer.beginSnapshot()
            outer.join()
            (context, isShared) = (outer, true)
            return
        }
        let context = try parent.gate.enter(parent, on: thread, for: .reading, around: child)
        do {
            if isCancellable {
                // It may be read and ended on another thread.
                thread.remove(context)
                current = try parent.adapter.beginCancellableReading()
            } else {
                current = try context.beginSnapshot()
            }
        } catch {
            parent.gate.leave(context, on: thread)
            throw error
        }
        self.context = context
    }

    /// - Throws: `.accessorExpired` once it was left.
    package var reading: any StorageReading {
        get throws(DataStoreError) {
            guard let current else {
                throw DataStoreError(
                    .accessorExpired,
                    "The parent of a child store was read after the child's block had ended.")
            }
            return current
        }
    }

    /// Leaves the parent; nothing of it is kept, as the child may be released later than the parent is closed.
    package mutating func leave() {
        guard let context = context.take() else { return }
        if isCancellable { current?.end() }
        current = nil
        context.leave()
    }
}
