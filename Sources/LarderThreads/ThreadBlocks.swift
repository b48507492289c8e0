import LarderPlatform

/// The things that one thread holds and others may wait for: places in stores, innermost last, and turns.
///
/// A place is a block, or stands for one: a child's block in its parent, a tool, a merge. It is listed from its
/// beginning to its end. So a nested call is recognized, a read joins the snapshot around it, and the
/// ``DeadlockWatch`` knows which thread others wait for. Blocks are synchronous, so a thread is in a block until
/// the block ends. *Rule:* touched by its own thread only.
/// *Cost:* a look-up of about 5 ns.
package struct ThreadBlocks {
    // reason: memory of the thread's own, made when it is first asked for and freed when the thread ends; a
    // reference to an object would be counted with every block.
    @usableFromInline let state: UnsafeMutablePointer<State>

    @usableFromInline
    struct State {
        @usableFromInline var innermost: UnsafeMutableRawPointer?
        @usableFromInline var turns = 0
        @usableFromInline var isCallingBack = false
        var role: ThreadRole = []
    }

    /// The blocks of the calling thread.
    package static var current: ThreadBlocks {
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
    @inlinable
    package var thread: ThreadIdentity { ThreadIdentity(address: UInt(bitPattern: state)) }

    /// The innermost place, which leads to those around it.
    // reason for the pointer: the frame that runs a block keeps the place, and takes it out before releasing it.
    @inlinable
    package var innermost: UnsafeMutableRawPointer? {
        get { state.pointee.innermost }
        nonmutating set { state.pointee.innermost = newValue }
    }

    /// The number of writers' turns and life cycles that the thread has.
    @inlinable
    package var turns: Int {
        get { state.pointee.turns }
        nonmutating set { state.pointee.turns = newValue }
    }

    /// True if others may be waiting for the thread.
    @inlinable
    package var isAwaited: Bool { isInBlock || turns > 0 }

    /// True while the thread runs completions and hooks.
    @inlinable
    package var isCallingBack: Bool {
        get { state.pointee.isCallingBack }
        nonmutating set { state.pointee.isCallingBack = newValue }
    }

    /// True if the thread may wait for a writer without waiting for itself: it holds nothing of any store,
    /// and is in no completion.
    @inlinable
    package var mayWait: Bool { !isAwaited && !isCallingBack }

    /// True if the thread has a place in any store.
    @inlinable
    package var isInBlock: Bool { state.pointee.innermost != nil }
}

/// Something that one thread at a time has, and others wait for.
package protocol ThreadOwned: AnyObject, Sendable {
    var owner: ThreadIdentity? { get }
}

/// Places that threads take and leave.
package protocol ThreadPlaces: AnyObject, Sendable {
    /// The threads that are inside.
    var threads: [ThreadIdentity] { get }

    /// The threads that read, when all places are taken; nil when one is free.
    var threadsOfFullPlaces: [ThreadIdentity]? { get }
}

/// A thread, as long as it lives.
package struct ThreadIdentity: Hashable, Sendable {
    /// The address of the thread's list of blocks.
    package let address: UInt

    @inlinable
    package init(address: UInt) { self.address = address }
}
