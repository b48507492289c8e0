import LarderPlatform

/// The list of what one thread holds and others may wait for: places in stores, turns and life cycles, innermost last.
///
/// A place is a block, or stands for one: a child's block in its parent, a tool, a merge. Each thing is listed from its
/// beginning to its end. So a nested call is recognized, a read joins the snapshot around it, and a wait that could
/// never end is refused (``beginWaiting(for:)``). Blocks are synchronous, so a thread is in a block until the block ends.
/// *Rule:* touched by its own thread only.
/// *Cost:* a look-up of about 5 ns.
@usableFromInline
package struct ThreadBlocks {
    // reason: memory of the thread's own, made when it is first asked for and freed when the thread ends; a
    // reference to an object would be counted with every block.
    @usableFromInline let state: UnsafeMutablePointer<State>

    @usableFromInline
    struct State {
        /// The things, and room for more.
        // reason: an array would check with each block that it alone has its memory.
        @usableFromInline var things = UnsafeMutableBufferPointer<Held>(start: nil, count: 0)
        @usableFromInline var count = 0
        @usableFromInline var isCallingBack = false
        var role: ThreadRole = []
        /// Tells whether the task was cancelled that awaits the thread's work; nil if none does.
        var isTaskCancelled: (@Sendable () -> Bool)?

        @usableFromInline
        mutating func makeRoom() {
            let larger = UnsafeMutableBufferPointer<Held>.allocate(capacity: max(8, 2 * count))
            _ = larger.moveInitialize(fromContentsOf: things)
            things.deallocate()
            things = larger
        }
    }

    /// A thing that the thread holds, and the answer to a further wait for it; nil for a place, of which a thread may
    /// have several.
    // reason for the pointer: the frame that holds the thing keeps it, and takes it out before releasing it.
    @usableFromInline
    package typealias Held = (thing: UnsafeMutableRawPointer, refusal: ThreadRefusal?)

    /// The list of the calling thread.
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
        // A thread that ends holds nothing, so only the memory is left to release.
        pthread_key_create(&key) { state in
            let memory: UnsafeMutableRawPointer? = state  // optional on Linux only
            memory?.assumingMemoryBound(to: State.self).pointee.things.deallocate()
            memory?.deallocate()
        }
        return key
    }()

    /// Tells the thread from others, as long as it lives.
    @inlinable
    package var thread: ThreadIdentity { ThreadIdentity(address: UInt(bitPattern: state)) }

    /// True if the thread holds something, so that others may be waiting for it.
    @inlinable
    package var isAwaited: Bool { state.pointee.count > 0 }

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
}

// MARK: The list

extension ThreadBlocks {
    /// All that the thread holds, innermost last; until the next change of the list.
    @inlinable
    package var held: UnsafeBufferPointer<Held> {
        UnsafeBufferPointer(start: state.pointee.things.baseAddress, count: state.pointee.count)
    }

    /// Lists a thing; the caller keeps it until it has taken it out.
    ///
    /// - Parameter refusal: The answer to a further wait for the thing; nil for a place.
    @inlinable
    @inline(__always)
    package func push(_ thing: AnyObject, refusing refusal: ThreadRefusal? = nil) {
        if state.pointee.count == state.pointee.things.count { state.pointee.makeRoom() }
        state.pointee.things.initializeElement(
            at: state.pointee.count,
            to: (Unmanaged.passUnretained(thing).toOpaque(), refusal))
        state.pointee.count += 1
    }

    /// Lists a place right around what is at a position.
    package func push(_ place: AnyObject, at position: Int) {
        push(place)
        for next in (position + 1..<state.pointee.count).reversed() {
            state.pointee.things.swapAt(next - 1, next)
        }
    }

    /// Takes out a thing where it is listed last, in most cases at the end; nothing if it is not listed.
    @inlinable
    @inline(__always)
    package func remove(_ thing: AnyObject) {
        let address = Unmanaged.passUnretained(thing).toOpaque()
        if held.last?.thing != address { moveToEnd(address) }
        if held.last?.thing == address { state.pointee.count -= 1 }
    }

    @usableFromInline
    func moveToEnd(_ address: UnsafeMutableRawPointer) {
        guard let position = held.lastIndex(where: { $0.thing == address }) else { return }
        for next in position + 1..<held.count { state.pointee.things.swapAt(next - 1, next) }
    }
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
@usableFromInline
package struct ThreadIdentity: Hashable, Sendable {
    /// The address of the thread's list of blocks.
    @usableFromInline package let address: UInt

    @inlinable
    package init(address: UInt) { self.address = address }
}
