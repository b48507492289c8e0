import LarderPlatform

/// The blocks that are running on one thread, innermost last, by which a nested call is recognized.
///
/// Blocks are synchronous, so a thread is in a block until the block ends. *Rule:* touched by its own thread
/// only. *Cost:* a look-up of about 5 ns.
struct ThreadBlocks {
    // reason: memory of the thread's own, made when it is first asked for and freed when the thread ends; a
    // reference to an object would be counted with every block.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        // reason for Unmanaged: the frame that runs a block keeps its context, and takes it out before
        // releasing it.
        var innermost: Unmanaged<BlockContext>?
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

    func push(_ context: BlockContext) {
        context.outer = state.pointee.innermost
        state.pointee.innermost = Unmanaged.passUnretained(context)
    }

    /// Takes out the innermost block, which is this one.
    func pop(_ context: BlockContext) {
        state.pointee.innermost = context.outer
        context.outer = nil
    }

    /// The innermost block that is what is looked for.
    @inline(__always)
    private func block(where isWanted: (BlockContext) -> Bool) -> BlockContext? {
        var next = state.pointee.innermost
        while let context = next?.takeUnretainedValue() {
            if isWanted(context) { return context }
            next = context.outer
        }
        return nil
    }

    /// True while the thread runs completions and hooks.
    var isCallingBack: Bool {
        get { state.pointee.isCallingBack }
        nonmutating set { state.pointee.isCallingBack = newValue }
    }

    /// True if the thread may wait for a writer without waiting for itself: it is in no block, and no
    /// completion, of any store.
    var mayWait: Bool { !isInBlock && !isCallingBack }

    /// True if the thread is in a block of any store, so that others may be waiting for it.
    var isInBlock: Bool { state.pointee.innermost != nil }

    /// True if the thread is in any block of the store.
    func isInside(_ store: StoreCoordinator) -> Bool {
        block { $0.store === store } != nil
    }

    /// True if the thread is in any block of a child of the store, or of a child's child.
    func isInsideDescendant(of store: StoreCoordinator) -> Bool {
        block { $0.store.parent != nil && $0.store.isDescendant(of: store) } != nil
    }

    /// The read block of a store that is around all blocks of its child.
    func readBlock(of parent: StoreCoordinator, around child: ObjectIdentifier) -> BlockContext? {
        var found: BlockContext?
        var next = state.pointee.innermost
        while let context = next?.takeUnretainedValue() {
            if ObjectIdentifier(context.store) == child {
                found = nil
            } else if found == nil, context.store === parent, context.isReading {
                found = context
            }
            next = context.outer
        }
        return found
    }

    /// The read block of the store that the thread is in, for a nested read to join.
    func readBlock(of store: StoreCoordinator) -> BlockContext? {
        block { $0.store === store && $0.isReading }
    }
}

/// A thread, as long as it lives.
struct ThreadIdentity: Hashable {
    /// The address of the thread's list of blocks.
    let address: UInt
}
