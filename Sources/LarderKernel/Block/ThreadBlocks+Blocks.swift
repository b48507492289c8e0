// The blocks among the things that a thread holds, each from `StoreGate.enter` to `StoreGate.leave`.
extension ThreadBlocks {
    private var innermostBlock: Unmanaged<BlockContext>? { innermost.map { .fromOpaque($0) } }

    @inline(__always)
    func push(_ context: BlockContext) {
        context.outer = innermostBlock
        innermost = Unmanaged.passUnretained(context).toOpaque()
    }

    /// Lists a place right around the block that it is for, with which it ends: the innermost one of a store
    /// whose snapshot has not begun.
    func push(_ place: BlockContext, around store: ObjectIdentifier) {
        guard let inner = block(where: { ObjectIdentifier($0.store) == store && !$0.hasBegun }) else {
            return push(place)
        }
        place.outer = inner.outer
        inner.outer = Unmanaged.passUnretained(place)
    }

    /// Takes a place out; it is the innermost one, or ends together with the blocks inside it.
    @inline(__always)
    func remove(_ context: BlockContext) {
        if innermost == Unmanaged.passUnretained(context).toOpaque() {
            innermost = context.outer?.toOpaque()
        } else if let inner = block(where: { $0.outer?.takeUnretainedValue() === context }) {
            inner.outer = context.outer
        }
        context.outer = nil
    }

    /// The innermost place that is what is looked for.
    @inline(__always)
    private func block(where isWanted: (BlockContext) -> Bool) -> BlockContext? {
        var next = innermostBlock
        while let context = next?.takeUnretainedValue() {
            if isWanted(context) { return context }
            next = context.outer
        }
        return nil
    }

    /// The number of places among the readers of a store that the thread has taken.
    func readerPlaces(in gate: StoreGate) -> Int {
        var count = 0
        var next = innermostBlock
        while let context = next?.takeUnretainedValue() {
            if context.isReading, context.store.gate === gate { count += 1 }
            next = context.outer
        }
        return count
    }

    /// True if the thread has any place in the store.
    func isInside(_ store: StoreCoordinator) -> Bool {
        block { $0.store === store } != nil
    }

    /// True if the thread has any place in the store, in an ancestor, or in another child of one.
    func isInsideFamily(of store: StoreCoordinator) -> Bool {
        isInBlock && block { $0.store.top === store.top } != nil
    }

    /// True if the thread is in a block of the store, and not only in a tool or merge of it.
    func isInBlock(of store: StoreCoordinator) -> Bool {
        block { $0.store === store && ($0.isReading || $0.hasBegun) } != nil
    }

    /// True if the thread is in any block of a child of the store, or of a child's child.
    func isInsideDescendant(of store: StoreCoordinator) -> Bool {
        block { $0.store.parent != nil && $0.store.isDescendant(of: store) } != nil
    }

    /// The innermost place among the readers of the store, whose snapshot a nested read shares.
    func readBlock(of store: StoreCoordinator) -> BlockContext? {
        block { $0.store === store && $0.isReading }
    }

    /// The same for a read of the app; in a block of a child, the snapshot of that block begins now at the
    /// latest.
    ///
    /// So a block of a child never has two snapshots of one ancestor, nor two of its places.
    func blockToJoin(of store: StoreCoordinator) throws(DataStoreError) -> BlockContext? {
        var next = innermostBlock
        while let context = next?.takeUnretainedValue() {
            if context.isReading, !context.hasBegun, context.store.isDescendant(of: store) {
                _ = try context.beginSnapshot()
            }
            next = context.outer
        }
        return readBlock(of: store)
    }
}
