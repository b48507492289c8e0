/// A place in the parent store for the length of one block of a child: its gate entered, its snapshot begun.
///
/// So no transaction, lock or reader of an engine outlives the block. The place is a read block of the parent
/// in all but name, and listed with what the thread holds: reads of the parent inside the child's block share
/// its snapshot, and so do blocks of other children. A block of the child that runs inside a read of the
/// parent shares that snapshot in turn. *Rule:* as ``StorageReading``.
package struct ParentPlace {
    package private(set) var reading: any StorageReading
    /// The context that was entered or joined; nil once it was left.
    private var context: BlockContext?
    /// True if the transaction is not the context's.
    private let isCancellable: Bool

    /// - Parameters:
    ///   - isCancellable: True for a tool whose requests end soon after its task is cancelled.
    ///   - epoch: The epoch of the parent since which it has what was merged out of the child, and what the child or a store
    ///     below it has taken over in a refresh. An older snapshot of the parent lacks it, and is not shared.
    /// - Throws: `.closed`, `.notSetUp`, `.discarded` for the parent; `.wouldDeadlock`.
    package init(
        in parent: StoreCoordinator, for child: ObjectIdentifier?, isCancellable: Bool, after epoch: Int
    ) throws(DataStoreError) {
        self.isCancellable = isCancellable
        let thread = ThreadBlocks.current
        if !isCancellable, let outer = thread.readBlock(of: parent),
            !outer.hasBegun || outer.gatePlace.epoch >= epoch
        {
            reading = try outer.beginSnapshot()
            outer.join()
            context = outer
            return
        }
        let context = try parent.gate.enter(parent, on: thread, for: .reading, around: child)
        do {
            if isCancellable {
                // It may be read and ended on another thread.
                thread.remove(context)
                reading = try parent.adapter.beginCancellableReading()
            } else {
                reading = try context.beginSnapshot()
            }
        } catch {
            parent.gate.leave(context, on: thread)
            throw error
        }
        self.context = context
    }

    /// Leaves the parent; nothing of it is kept, as the child may be released later than the parent is
    /// closed.
    package mutating func leave() {
        guard let context = context.take() else { return }
        if isCancellable { reading.end() }
        reading = EndedReading.shared
        context.leave()
    }
}

/// The parent's rows for a block that has left it.
private final class EndedReading: StorageReading, Sendable {
    static let shared = EndedReading()

    private var error: DataStoreError {
        DataStoreError(
            .accessorExpired, "The parent of a child store was read after the child's block had ended.")
    }

    func row(
        at identifier: Cell, of entity: Int, into cells: UnsafeMutablePointer<Cell>
    ) throws(DataStoreError) -> Bool {
        throw error
    }

    func forEachRow(
        at identifiers: UnsafeBufferPointer<Cell>, of entity: Int, into cells: UnsafeMutablePointer<Cell>,
        _ body: (_ position: Int) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        throw error
    }

    func runsWhole(_ plan: RequestPlan) -> Bool { false }

    func rows(for plan: RequestPlan) throws(DataStoreError) -> any RowCursor { throw error }

    func count(for plan: RequestPlan) throws(DataStoreError) -> Int { throw error }

    func groups(for plan: AggregatePlan) throws(DataStoreError) -> GroupRows? { throw error }

    func explain(_ plan: RequestPlan) throws(DataStoreError) -> [String] { throw error }

    func explain(_ plan: AggregatePlan) throws(DataStoreError) -> [String]? { throw error }

    func end() {}

    func beginAgain() -> Bool { false }
}
