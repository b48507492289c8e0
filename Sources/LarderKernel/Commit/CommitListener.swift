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
    fileprivate struct State: Sendable {
        var listeners: [any CommitListener] = []
        var isClosed = false
        var commits = 0
    }

    fileprivate let state = Locked(State())

    var all: [any CommitListener] { state.withLock { $0.listeners } }

    /// The listener of a type, made when it is first asked for.
    ///
    /// One that is made while the store closes learns of it, so that no observation waits for a closed store.
    func first<Listener: CommitListener>(_ make: () -> Listener) -> Listener {
        state.withLock { state in
            for case let listener as Listener in state.listeners { return listener }
            let made = make()
            if state.isClosed { made.closed(under: nil) }
            state.listeners.append(made)
            return made
        }
    }

    func noteCommit(_ note: @autoclosure () -> CommitNote, isOwn: Bool = false) {
        let all = state.withLock { state in
            state.commits += 1
            return state.listeners
        }
        for listener in all { listener.committed(note(), isOwn: isOwn) }
    }

    func open() {
        for listener in known(isClosed: false) { listener.opened() }
    }

    func close(under parent: StoreCoordinator?) {
        for listener in known(isClosed: true) { listener.closed(under: parent) }
    }

    /// The listeners of this moment; one that comes later learns the new state as it is made.
    private func known(isClosed: Bool) -> [any CommitListener] {
        state.withLock { state in
            state.isClosed = isClosed
            return state.listeners
        }
    }
}

extension StoreCoordinator {
    /// The listener of a type, made when it is first asked for.
    package func listener<Listener: CommitListener>(_ make: (StoreGate) -> Listener) -> Listener {
        listeners.first { make(gate) }
    }

    /// The number of commits so far, here and above, of which observations know, or are about to know.
    package var notedCommits: Int { listeners.state.withLock { $0.commits } + (parent?.notedCommits ?? 0) }

    /// Begins or ends the watch for other writers, as the number of observations has changed.
    ///
    /// *Rule:* called with no lock held.
    package func updateOtherWriters() { otherWriters.update(for: self) }

    /// True if the thread is inside a read block of the store.
    package var isReadByThisThread: Bool { ThreadBlocks.current.readBlock(of: self) != nil }
}
