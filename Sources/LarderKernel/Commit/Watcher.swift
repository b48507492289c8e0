/// One who waits for a change: a mark that a commit sets, and the task that waits for it.
///
/// However many commits come while no task waits, one mark is set, with the origins of all of them. So nothing queues
/// up for a slow consumer. Commits of the origins that it ignores set no mark.
package final class Watcher: Sendable {
    /// The changes since the last wait.
    package struct Mark: Sendable {
        /// The origins of the commits that have changed something.
        package var origins: Set<WriteOrigin?> = []
        /// False where only the next reading tells whether a commit has changed something.
        package var isCertain = true

        package func joined(with other: Mark) -> Mark {
            Mark(origins: origins.union(other.origins), isCertain: isCertain || other.isCertain)
        }
    }

    private typealias Continuation = CheckedContinuation<Mark?, Never>

    /// The task that a mark has woken, which goes on when it is told to.
    ///
    /// A mark is set together with the registry's note of the commit, so that no reading comes between the
    /// two, and the task goes on when no lock is held.
    struct Waking {
        fileprivate let continuation: CheckedContinuation<Mark?, Never>
        fileprivate let mark: Mark

        func resume() { continuation.resume(returning: mark) }
    }

    private enum State {
        /// Nothing has changed since the last wait.
        case idle
        case marked(Mark)
        case waiting(Continuation)
        case ended
    }

    // The first wait returns at once, for the first value.
    private let state = Locked(State.marked(Mark()))
    private let ignored: Set<WriteOrigin>
    /// The observations of the store that it reads and of those above, which tell it of commits.
    ///
    /// Not the stores: the thread that looks for commits of other processes notes them, and a store must not be
    /// released there.
    let registries: [ObservationRegistry]

    package init(in registries: [ObservationRegistry], ignoring ignored: Set<WriteOrigin> = []) {
        self.registries = registries
        self.ignored = ignored
    }

    /// Notes that commits of some origins have changed something; without any, that something else than a commit has.
    package func mark(_ marking: Set<WriteOrigin?>) { setMark(marking)?.resume() }

    /// Notes that a commit may have changed something, which the next reading tells.
    func markUncertain() { setUncertainMark()?.resume() }

    /// As ``mark(_:)``; the caller has the task go on.
    func setMark(_ marking: Set<WriteOrigin?>) -> Waking? {
        let origins = heard(marking)
        return origins.isEmpty && !marking.isEmpty ? nil : add(Mark(origins: origins))
    }

    /// As ``markUncertain()``; the caller has the task go on.
    func setUncertainMark() -> Waking? { add(Mark(isCertain: false)) }

    private func add(_ mark: Mark) -> Waking? {
        state.withLock { state in
            switch state {
            case .idle:
                state = .marked(mark)
                return nil
            case .marked(let known):
                state = .marked(known.joined(with: mark))
                return nil
            case .waiting(let continuation):
                state = .idle
                return Waking(continuation: continuation, mark: mark)
            case .ended: return nil
            }
        }
    }

    /// Those of some origins that are not ignored.
    func heard(_ origins: Set<WriteOrigin?>) -> Set<WriteOrigin?> {
        ignored.isEmpty ? origins : origins.filter(hears)
    }

    /// True if commits of an origin are not ignored.
    func hears(_ origin: WriteOrigin?) -> Bool { origin.map { !ignored.contains($0) } ?? true }

    /// Notes that what has changed so far is known, and returns it.
    @discardableResult
    package func takeMark() -> Mark? {
        state.withLock { state in
            guard case .marked(let mark) = state else { return nil }
            state = .idle
            return mark
        }
    }

    /// Notes that nothing will change any more.
    package func end() {
        let waiting = state.withLock { state -> Continuation? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: nil)
    }

    package var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Waits for a change since the last wait; the first time there is one, without origins.
    ///
    /// - Returns: Nil when no change will come, or the task is cancelled.
    ///
    /// *Rule:* one task at a time.
    package func wait(isolation: isolated (any Actor)? = #isolation) async -> Mark? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Mark?? in
                    switch state {
                    case .idle:
                        state = .waiting(continuation)
                        return nil
                    case .marked(let mark):
                        state = .idle
                        return .some(mark)
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
