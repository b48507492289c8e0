import LarderKernel

extension StoreValues {
    /// Calls a handler on the main actor with each value, until the observation is cancelled or released.
    ///
    ///     observation = store.values(of: request).observe { [weak self] recipes in self?.show(recipes) }
    ///
    /// *Rule:* the next value is read when the handler has returned. After ``StoreObservation/cancel()`` on the main
    /// actor the handler is not called again.
    ///
    /// - Parameter onError: Receives the error that ends the observation, on the main actor and beside the store's
    ///   `errorHandler`.
    public func observe(
        onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
        _ handler: @escaping @MainActor @Sendable (Value) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, onError: onError, onMainActor: handler)
    }

    /// Calls a handler where the caller says with each value, until the observation is cancelled or released.
    ///
    ///     let observation = values.observe(by: { queue.async(execute: $0) }) { recipes in … }
    ///
    /// *Rule:* the next value is read when the handler has returned. After ``StoreObservation/cancel()`` the
    /// handler is not called again, unless it is running.
    ///
    /// - Parameters:
    ///   - schedule: Runs the work that it is given, once; sooner or later, on any thread. Work that it
    ///     releases without having run it ends the observation.
    ///   - onError: Receives the error that ends the observation, as the handler receives values, and beside the
    ///     store's `errorHandler`.
    public func observe(
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onError: (@Sendable (any Error) -> Void)? = nil, _ handler: @escaping @Sendable (Value) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, onError: onError, by: schedule, handler)
    }
}

extension StoreObservation {
    /// Gives each element of a sequence to a handler on the main actor, and its error to another; neither is called
    /// after a cancellation there.
    convenience init<Values: AsyncSequence>(
        iterating values: Values, onError: (@MainActor @Sendable (any Error) -> Void)?,
        onMainActor handler: @escaping @MainActor @Sendable (Values.Element) -> Void
    ) where Values.AsyncIterator: SendableMetatype, Values.Element: Sendable {
        self.init(iterating: values) { result in
            await MainActor.run {
                if Task.isCancelled { return }
                switch result {
                case .success(let value): handler(value)
                case .failure(let error): onError?(error)
                }
            }
            return true
        }
    }

    /// Gives each element of a sequence to a handler where a function runs it, and its error to another; neither is
    /// called after a cancellation.
    convenience init<Values: AsyncSequence>(
        iterating values: Values, onError: (@Sendable (any Error) -> Void)?,
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ handler: @escaping @Sendable (Values.Element) -> Void
    ) where Values.AsyncIterator: SendableMetatype, Values.Element: Sendable {
        self.init(iterating: values) { result in
            switch result {
            case .success(let value): return await ScheduledWork.run({ handler(value) }, by: schedule)
            case .failure(let error):
                guard let onError else { return false }
                return await ScheduledWork.run({ onError(error) }, by: schedule)
            }
        }
    }

    /// Gives each element of a sequence to a function, one after the other, until it returns false; and its error.
    private convenience init<Values: AsyncSequence>(
        iterating values: Values,
        _ deliver: @escaping @Sendable (Result<Values.Element, any Error>) async -> Bool
    ) where Values.AsyncIterator: SendableMetatype, Values.Element: Sendable {
        // The iterator is made here, as it does not keep the store.
        let iterator = Handover(values.makeAsyncIterator())
        self.init(
            Task {
                var iterator = iterator.value
                do {
                    // `next(isolation:)` of any iterator is there from macOS 15 and iOS 18 on.
                    while let value = try await iterator.next() {
                        if Task.isCancelled { return }
                        if await !deliver(.success(value)) { return }
                    }
                } catch {
                    _ = await deliver(.failure(error))
                }
            })
    }
}

/// Work that a schedule of the app is to run, awaited by the task of an observation.
///
/// The schedule may drop it (a queue that is cancelled, a loop that has ended), and the task may be cancelled
/// while it waits. Either ends the wait, so that no observation stays in a store for ever.
private final class ScheduledWork: Sendable {
    typealias Continuation = CheckedContinuation<Bool, Never>

    private enum State {
        case waiting(Continuation)
        case running
        case over
    }

    private let state: Locked<State>
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void, for continuation: Continuation) {
        self.body = body
        state = Locked(.waiting(continuation))
    }

    // The schedule has released it; without having run it, if the wait continues.
    deinit { endWaiting() }

    /// Has a schedule run a body, and waits for its end.
    ///
    /// - Returns: False if it was not run: the schedule has dropped it, or the task was cancelled before.
    static func run(
        _ body: @escaping @Sendable () -> Void, by schedule: (@escaping @Sendable () -> Void) -> Void
    ) async -> Bool {
        let cancelling = Locked(Cancelling())
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Kept by nothing but the schedule.
                let work = ScheduledWork(body, for: continuation)
                let isCancelled = cancelling.withLock { cancelling in
                    cancelling.work = work
                    return cancelling.isCancelled
                }
                if !isCancelled { schedule { work.runOnce() } }
            }
        } onCancel: {
            let work = cancelling.withLock { cancelling in
                cancelling.isCancelled = true
                return cancelling.work
            }
            work?.endWaiting()
        }
    }

    private struct Cancelling {
        weak var work: ScheduledWork?
        var isCancelled = false
    }

    private func runOnce() {
        let continuation = state.withLock { state -> Continuation? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .running
            return continuation
        }
        guard let continuation else { return }
        body()
        state.withLock { $0 = .over }
        continuation.resume(returning: true)
    }

    /// Ends the wait for a body that has not begun, and does not begin any more.
    private func endWaiting() {
        let continuation = state.withLock { state -> Continuation? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .over
            return continuation
        }
        continuation?.resume(returning: false)
    }
}

/// A value on its way to the one task that uses it.
private struct Handover<Value>: @unchecked Sendable {
    // reason: it is made on one thread, and used by one task from then on.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A running observation; it ends when it is released.
///
///     observation = store.values(of: request).observe { [weak self] recipes in self?.show(recipes) }
///     observation.cancel()
///
/// *Rule:* keep it for as long as values should come; it may be cancelled and released on any thread. It does not keep its
/// store.
public final class StoreObservation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Waits until nothing is left of the observation; for tests.
    func waitUntilOver() async { await task.value }

    deinit { task.cancel() }

    /// Ends the observation; a second call does nothing.
    public func cancel() { task.cancel() }
}
