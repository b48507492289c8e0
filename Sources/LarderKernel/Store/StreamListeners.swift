/// Sends elements to all streams that were asked for, in their order.
final class StreamListeners<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Locked(State())
    private let gate: StoreGate?

    /// - Parameter gate: Counts the streams; nil if nothing depends on their number.
    init(countedBy gate: StoreGate? = nil) { self.gate = gate }

    deinit {
        if !state.withLock({ $0.listeners.isEmpty }) { finish() }
    }

    func subscribe() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        let number = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            return state.nextNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        gate?.count(streams: 1)
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    private func forget(_ number: Int) {
        let isForgotten = state.withLock { $0.listeners.removeValue(forKey: number) != nil }
        if isForgotten { gate?.count(streams: -1) }
    }

    func send(_ element: Element) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
    }

    /// Allows new streams again after ``finish()``.
    func start() {
        state.withLock { $0.isFinished = false }
    }

    /// Ends every stream; new ones end at once.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return Array(state.listeners.values)
        }
        gate?.count(streams: -listeners.count)
        for listener in listeners { listener.finish() }
    }
}
