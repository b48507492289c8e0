import LarderKernel

/// The recordings of a store that are running.
final class StoreRecorder: Sendable {
    private struct State {
        /// An array, as a loop over the keys of a dictionary would share its values, and copy them to append.
        var recordings: [(number: Int, recording: StoreRecording)] = []
        var lastNumber = 0
    }

    private let state = Locked(State())

    /// Begins a recording, which ends by its number.
    func start() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.recordings.append((state.lastNumber, StoreRecording()))
            return state.lastNumber
        }
    }

    func stop(_ number: Int) -> StoreRecording {
        state.withLock { state in
            guard let index = state.recordings.firstIndex(where: { $0.number == number }) else {
                return StoreRecording()
            }
            return state.recordings.remove(at: index).recording
        }
    }

    var isRecording: Bool { state.withLock { !$0.recordings.isEmpty } }

    func count(_ call: EngineCall) {
        state.withLock { state in
            for index in state.recordings.indices {
                state.recordings[index].recording.counts[call, default: 0] += 1
            }
        }
    }

    func note(_ event: StoreRecording.Event) {
        state.withLock { state in
            for index in state.recordings.indices { state.recordings[index].recording.events.append(event) }
        }
    }
}
