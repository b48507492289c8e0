/// A listener to every commit of a store, from the moment at which it is first asked for.
///
/// *Rule:* called from any thread, with the writer's turn held while a block commits; a call does not wait for blocks.
package protocol CommitListener: AnyObject, Sendable {
    /// Tells of a commit that is about to be made; ``committed(_:isOwn:)`` follows, or ``withdrawn()``.
    func announced(_ commit: CommitNote)

    /// Takes back what was announced, as it was not committed.
    func withdrawn()

    /// Tells what a commit has touched.
    ///
    /// - Parameters:
    ///   - note: Made only if the listener needs it.
    ///   - isOwn: True if it may be the commit that was announced.
    func committed(_ note: @autoclosure () -> CommitNote, isOwn: Bool)

    /// Tells that the store is about to open.
    func opened()

    /// Tells that the store is about to close.
    ///
    /// - Parameter parent: The store whose child it is; nil for a store of its own.
    func closed(under parent: StoreCoordinator?)
}

/// The listeners to the commits of a store.
///
/// *Cost:* without listeners a commit takes a lock, and allocates nothing.
final class CommitListeners: Sendable {
    private let known = Locked<[any CommitListener]>([])

    /// The listener of a type, made when it is first asked for.
    func first<Listener: CommitListener>(_ make: () -> Listener) -> Listener {
        known.withLock { known in
            for case let listener as Listener in known { return listener }
            let made = make()
            known.append(made)
            return made
        }
    }

    func announce(_ commit: CommitNote) {
        for listener in known.withLock({ $0 }) { listener.announced(commit) }
    }

    func withdraw() {
        for listener in known.withLock({ $0 }) { listener.withdrawn() }
    }

    func noteCommit(_ note: @autoclosure () -> CommitNote, isOwn: Bool = false) {
        for listener in known.withLock({ $0 }) { listener.committed(note(), isOwn: isOwn) }
    }

    func open() {
        for listener in known.withLock({ $0 }) { listener.opened() }
    }

    func close(under parent: StoreCoordinator?) {
        for listener in known.withLock({ $0 }) { listener.closed(under: parent) }
    }
}

extension StoreCoordinator {
    /// The listener of a type, made when it is first asked for.
    package func listener<Listener: CommitListener>(_ make: (StoreGate) -> Listener) -> Listener {
        listeners.first { make(gate) }
    }

    /// Begins or ends the watch for other writers, as the number of observations has changed.
    ///
    /// *Rule:* called with no lock held.
    package func updateOtherWriters() { otherWriters.update(for: self) }

    /// True if the thread is inside a read block of the store.
    package var isReadByThisThread: Bool { ThreadBlocks.current.readBlock(of: self) != nil }
}
