import LarderDiagnostics

/// The watch for commits of other processes; it runs while the store has observations.
///
/// What such a commit has touched is not known, so it concerns every observation: each reads again, and
/// reports only differences.
final class OtherWriterWatch: Sendable {
    private enum State {
        case off
        /// Nil if no other process writes, or its commits cannot be seen.
        case on((any StorageWatch)?)
    }

    private let state = Locked(State.off)

    /// True if commits of other processes are watched for; for tests.
    var isOn: Bool {
        state.withLock { state in
            if case .on(let watch) = state { watch != nil } else { false }
        }
    }

    /// Begins or ends the watch, as there are observations or none.
    ///
    /// *Rule:* called after each change of their number, with no lock held.
    func update(for store: StoreCoordinator) {
        let failure = state.withLock { state -> (any Error)? in
            let isNeeded = store.gate.isOpen && store.gate.audience.observations > 0
            switch state {
            case .off where isNeeded:
                // Not the store, which must not be released on the thread of the watch.
                let listeners = store.listeners
                let watch = Result {
                    try store.adapter.watchOtherWriters {
                        listeners.noteCommit(CommitNote(from: .otherProcess, touching: nil))
                    }
                }
                state = .on(try? watch.get())
                if case .failure(let error) = watch { return error }
            case .on(let watch) where !isNeeded:
                watch?.end()
                state = .off
            case .on, .off: break
            }
            return nil
        }
        guard let failure else { return }
        let text = "It does not see the commits of other processes while it is observed: \(failure)"
        store.diagnostics.send(.difficulty(text))
    }

    func end() {
        state.withLock { state in
            if case .on(let watch) = state { watch?.end() }
            state = .off
        }
    }
}
