import Foundation

/// True if the user has pressed Ctrl-C, or the system has asked the process to end.
///
/// *Rule:* the first request stops the work at a point from which it can resume; the second ends the process
/// at once.
final class Interruption: Sendable {
    private let state = Guarded(State())

    private struct State {
        var isAsked = false
        var isListening = false
        var actions: [@Sendable () -> Void] = []
    }

    var isAsked: Bool { state.withLock { $0.isAsked } }

    func ask() {
        let actions = state.withLock { state in
            state.isAsked = true
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action() }
    }

    /// Runs an action as soon as the interruption is requested, on another thread or at once.
    func whenAsked(_ action: @escaping @Sendable () -> Void) {
        let isAsked = state.withLock { state in
            if !state.isAsked { state.actions.append(action) }
            return state.isAsked
        }
        if isAsked { action() }
    }

    /// Makes SIGINT and SIGTERM request the interruption, from the first call on.
    ///
    /// *Rule:* call it before any other thread is made, as threads inherit the mask of blocked signals.
    func listen() {
        let isListening = state.withLock { state in
            defer { state.isListening = true }
            return state.isListening
        }
        if isListening { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        Thread.detachNewThread { self.wait(for: awaited) }
    }

    private func wait(for signals: sigset_t) {
        var signals = signals
        var received: Int32 = 0
        while sigwait(&signals, &received) == 0 {
            if isAsked { _exit(ExitStatus.interrupted.rawValue) }
            ask()
        }
    }
}
