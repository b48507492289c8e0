/// One who waits for a change: a mark that a commit sets, and the task that waits for it.
///
/// However many commits come while no task waits, the mark is set once. So nothing queues up for a slow consumer.
final class Watcher: Sendable {
    private enum State {
        /// Nothing has changed since the last wait.
        case idle
        /// Something has changed.
        case marked
        case waiting(CheckedContinuation<Bool, Never>)
        case ended
    }

    // The first wait returns at once, for the first value.
    private let state = Locked(State.marked)

    /// Notes that something has changed.
    func mark() {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            switch state {
            case .idle, .marked:
                state = .marked
                return nil
            case .waiting(let continuation):
                state = .idle
                return continuation
            case .ended: return nil
            }
        }
        waiting?.resume(returning: true)
    }

    /// Notes that what has changed so far is known.
    func unmark() {
        state.withLock { if case .marked = $0 { $0 = .idle } }
    }

    /// Notes that nothing will change any more.
    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: false)
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Waits for a change since the last wait; returns false when none will come, or the task is cancelled.
    ///
    /// *Rule:* one task at a time.
    func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    switch state {
                    case .idle:
                        state = .waiting(continuation)
                        return nil
                    case .marked:
                        state = .idle
                        return true
                    case .waiting, .ended: return false
                    }
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            end()
        }
    }
}
