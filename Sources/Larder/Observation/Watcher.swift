/// One who waits for a change: a mark that a commit sets, and the task that waits for it.
///
/// However many commits come while no task waits, one mark is set, with the origins of all of them. So nothing queues
/// up for a slow consumer. Commits of the origins that it ignores set no mark.
final class Watcher: Sendable {
    private enum State {
        /// Nothing has changed since the last wait.
        case idle
        /// Something has changed, by commits of these origins.
        case marked(Set<WriteOrigin?>)
        case waiting(CheckedContinuation<Set<WriteOrigin?>?, Never>)
        case ended
    }

    // The first wait returns at once, for the first value.
    private let state = Locked(State.marked([]))
    private let ignored: Set<WriteOrigin>

    init(ignoring ignored: Set<WriteOrigin> = []) { self.ignored = ignored }

    /// Notes that commits of some origins have changed something; without any, that something else than a commit has.
    func mark(_ marking: Set<WriteOrigin?>) {
        let origins = heard(marking)
        if origins.isEmpty, !marking.isEmpty { return }
        let waiting = state.withLock { state -> CheckedContinuation<Set<WriteOrigin?>?, Never>? in
            switch state {
            case .idle:
                state = .marked(origins)
                return nil
            case .marked(let others):
                state = .marked(others.union(origins))
                return nil
            case .waiting(let continuation):
                state = .idle
                return continuation
            case .ended: return nil
            }
        }
        waiting?.resume(returning: origins)
    }

    /// Those of some origins that are not ignored.
    func heard(_ origins: Set<WriteOrigin?>) -> Set<WriteOrigin?> {
        ignored.isEmpty ? origins : origins.filter { origin in origin.map { !ignored.contains($0) } ?? true }
    }

    /// Notes that what has changed so far is known.
    func unmark() {
        state.withLock { if case .marked = $0 { $0 = .idle } }
    }

    /// Notes that nothing will change any more.
    func end() {
        let waiting = state.withLock { state -> CheckedContinuation<Set<WriteOrigin?>?, Never>? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: nil)
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Waits for a change since the last wait; returns the origins of the commits that have made it, none the first
    /// time, and nil when no change will come, or the task is cancelled.
    ///
    /// *Rule:* one task at a time.
    func wait(isolation: isolated (any Actor)? = #isolation) async -> Set<WriteOrigin?>? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Set<WriteOrigin?>?? in
                    switch state {
                    case .idle:
                        state = .waiting(continuation)
                        return nil
                    case .marked(let origins):
                        state = .idle
                        return .some(origins)
                    case .waiting, .ended: return .some(nil)
                    }
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            end()
        }
    }
}
