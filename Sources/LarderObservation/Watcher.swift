import LarderKernel

/// One who waits for a change: a mark that a commit sets, and the task that waits for it.
///
/// However many commits come while no task waits, one mark is set, with the origins of all of them. So nothing queues
/// up for a slow consumer. Commits of the origins that it ignores set no mark.
final class Watcher: Sendable {
    /// The changes since the last wait.
    struct Mark: Sendable {
        /// The origins of the commits that have changed something.
        var origins: Set<WriteOrigin?> = []
        /// False if only the next reading shows whether a commit has changed something.
        var isCertain = true

        mutating func join(_ other: Mark) {
            origins.formUnion(other.origins)
            isCertain = isCertain || other.isCertain
        }
    }

    private typealias Continuation = CheckedContinuation<Mark?, Never>

    /// The task that a mark has woken, which continues when it is resumed.
    ///
    /// A mark is set together with the registry's note of the commit, so that no reading comes between the
    /// two, and the task continues when no lock is held.
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
    /// The registries of the store that it reads and of the stores above, which report commits to it.
    ///
    /// Not the stores: the thread that looks for commits of other processes notes them, and a store must not be
    /// released there.
    let registries: [ObservationRegistry]

    init(in registries: [ObservationRegistry], ignoring ignored: Set<WriteOrigin> = []) {
        self.registries = registries
        self.ignored = ignored
    }

    /// Notes that commits of some origins have changed something; without any, that something else than a commit has.
    func mark(_ marking: Set<WriteOrigin?>) { setMark(marking)?.resume() }

    /// Notes that a commit may have changed something, which the next reading shows.
    func markUncertain() { setUncertainMark()?.resume() }

    /// As ``mark(_:)``; the caller resumes the task.
    func setMark(_ marking: Set<WriteOrigin?>) -> Waking? {
        let origins = heard(marking)
        return origins.isEmpty && !marking.isEmpty ? nil : add(Mark(origins: origins))
    }

    /// As ``markUncertain()``; the caller resumes the task.
    func setUncertainMark() -> Waking? { add(Mark(isCertain: false)) }

    private func add(_ mark: Mark) -> Waking? {
        state.withLock { state in
            switch state {
            case .idle:
                state = .marked(mark)
                return nil
            case .marked(var known):
                // The state gives its set away, which would be copied at each commit otherwise.
                state = .idle
                known.join(mark)
                state = .marked(known)
                return nil
            case .waiting(let continuation):
                state = .idle
                return Waking(continuation: continuation, mark: mark)
            case .ended: return nil
            }
        }
    }

    /// The origins among some that are not ignored.
    func heard(_ origins: Set<WriteOrigin?>) -> Set<WriteOrigin?> {
        ignored.isEmpty ? origins : origins.filter(hears)
    }

    /// True if commits of an origin are not ignored.
    func hears(_ origin: WriteOrigin?) -> Bool { origin.map { !ignored.contains($0) } ?? true }

    /// Notes that what has changed so far is known, and returns it.
    @discardableResult
    func takeMark() -> Mark? {
        state.withLock { state in
            guard case .marked(let mark) = state else { return nil }
            state = .idle
            return mark
        }
    }

    /// Notes that nothing will change any more.
    func end() {
        let waiting = state.withLock { state -> Continuation? in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: nil)
    }

    var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Waits for a change since the last wait; the first time there is one, without origins.
    ///
    /// - Returns: Nil when no change will come, or the task is cancelled.
    ///
    /// *Rule:* one task at a time.
    func wait(isolation: isolated (any Actor)? = #isolation) async -> Mark? {
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
