import LarderPlatform

/// The things that one thread holds and others may wait for: places in stores, innermost last, and turns.
///
/// A place is a block, or stands for one: a child's block in its parent, a tool, a merge. Each is listed from
/// ``StoreGate/enter(_:on:for:around:)`` to ``StoreGate/leave(_:on:)``. So a nested call is recognized, a
/// read joins the snapshot around it, and the ``DeadlockWatch`` knows which thread others wait for. Blocks
/// are synchronous, so a thread is in a block until the block ends. *Rule:* touched by its own thread only.
/// *Cost:* a look-up of about 5 ns.
struct ThreadBlocks {
    // reason: memory of the thread's own, made when it is first asked for and freed when the thread ends; a
    // reference to an object would be counted with every block.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        // reason for Unmanaged: the frame that runs a block keeps its context, and takes it out before
        // releasing it.
        var innermost: Unmanaged<BlockContext>?
        /// The number of writers' turns and life cycles that it has.
        var turns = 0
        var isCallingBack = false
    }

    /// The blocks of the calling thread.
    static var current: ThreadBlocks {
        if let known = pthread_getspecific(key) {
            return ThreadBlocks(state: known.assumingMemoryBound(to: State.self))
        }
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        pthread_setspecific(key, state)
        return ThreadBlocks(state: state)
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // A thread that ends is in no block, so only the memory is left to release.
        pthread_key_create(&key) { state in
            let memory: UnsafeMutableRawPointer? = state  // optional on Linux only
            memory?.deallocate()
        }
        return key
    }()

    /// Tells the thread from others, as long as it lives.
    var thread: ThreadIdentity { ThreadIdentity(address: UInt(bitPattern: state)) }

    @inline(__always)
    func push(_ context: BlockContext) {
        context.outer = state.pointee.innermost
        state.pointee.innermost = Unmanaged.passUnretained(context)
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
        if state.pointee.innermost?.toOpaque() == Unmanaged.passUnretained(context).toOpaque() {
            state.pointee.innermost = context.outer
        } else if let inner = block(where: { $0.outer?.takeUnretainedValue() === context }) {
            inner.outer = context.outer
        }
        context.outer = nil
    }

    /// The innermost place that is what is looked for.
    @inline(__always)
    private func block(where isWanted: (BlockContext) -> Bool) -> BlockContext? {
        var next = state.pointee.innermost
        while let context = next?.takeUnretainedValue() {
            if isWanted(context) { return context }
            next = context.outer
        }
        return nil
    }

    /// The number of writers' turns and life cycles that the thread has.
    var turns: Int {
        get { state.pointee.turns }
        nonmutating set { state.pointee.turns = newValue }
    }

    /// True if others may be waiting for the thread.
    var isAwaited: Bool { isInBlock || turns > 0 }

    /// The number of places among the readers of a store that the thread has taken.
    func readerPlaces(in gate: StoreGate) -> Int {
        var count = 0
        var next = state.pointee.innermost
        while let context = next?.takeUnretainedValue() {
            if context.isReading, context.store.gate === gate { count += 1 }
            next = context.outer
        }
        return count
    }

    /// True while the thread runs completions and hooks.
    var isCallingBack: Bool {
        get { state.pointee.isCallingBack }
        nonmutating set { state.pointee.isCallingBack = newValue }
    }

    /// True if the thread may wait for a writer without waiting for itself: it holds nothing of any store,
    /// and is in no completion.
    var mayWait: Bool { !isAwaited && !isCallingBack }

    /// True if the thread has a place in any store.
    var isInBlock: Bool { state.pointee.innermost != nil }

    /// True if the thread has any place in the store.
    func isInside(_ store: StoreCoordinator) -> Bool {
        block { $0.store === store } != nil
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
        var next = state.pointee.innermost
        while let context = next?.takeUnretainedValue() {
            if context.isReading, !context.hasBegun, context.store.isDescendant(of: store) {
                _ = try context.beginSnapshot()
            }
            next = context.outer
        }
        return readBlock(of: store)
    }
}

/// A thread, as long as it lives.
struct ThreadIdentity: Hashable {
    /// The address of the thread's list of blocks.
    let address: UInt
}
