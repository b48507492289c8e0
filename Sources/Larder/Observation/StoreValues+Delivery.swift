extension StoreValues {
    /// Calls a handler on the main actor with each value, until the observation is cancelled or released.
    ///
    ///     observation = store.values(of: request).observe { [weak self] recipes in self?.show(recipes) }
    ///
    /// *Rule:* the next value is read when the handler has returned. After ``StoreObservation/cancel()`` on the main
    /// actor the handler is not called again.
    ///
    /// - Parameter onError: Receives the error that ends the observation; without it, the store's `errorHandler`.
    public func observe(
        onError: (@Sendable (any Error) -> Void)? = nil,
        _ handler: @escaping @MainActor @Sendable (Value) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, of: store, onError: onError, onMainActor: handler)
    }

    /// Calls a handler where the caller says with each value, until the observation is cancelled or released.
    ///
    ///     let observation = values.observe(by: { queue.async(execute: $0) }) { recipes in … }
    ///
    /// - Parameters:
    ///   - schedule: Runs the work that it is given, once; sooner or later, on any thread.
    ///   - onError: Receives the error that ends the observation; without it, the store's `errorHandler`.
    public func observe(
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onError: (@Sendable (any Error) -> Void)? = nil, _ handler: @escaping @Sendable (Value) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, of: store, onError: onError, by: schedule, handler)
    }
}

extension StoreObservation {
    /// Gives each element of a sequence to a handler on the main actor, which is not called after a cancellation
    /// there.
    convenience init<Values: AsyncSequence>(
        iterating values: Values, of store: StoreCoordinator?, onError: (@Sendable (any Error) -> Void)?,
        onMainActor handler: @escaping @MainActor @Sendable (Values.Element) -> Void
    ) where Values.AsyncIterator: SendableMetatype, Values.Element: Sendable {
        self.init(iterating: values, of: store, onError: onError) { value in
            await MainActor.run { if !Task.isCancelled { handler(value) } }
        }
    }

    /// Gives each element of a sequence to a handler where a function runs it.
    convenience init<Values: AsyncSequence>(
        iterating values: Values, of store: StoreCoordinator?, onError: (@Sendable (any Error) -> Void)?,
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ handler: @escaping @Sendable (Values.Element) -> Void
    ) where Values.AsyncIterator: SendableMetatype, Values.Element: Sendable {
        self.init(iterating: values, of: store, onError: onError) { value in
            await withCheckedContinuation { continuation in
                schedule {
                    handler(value)
                    continuation.resume()
                }
            }
        }
    }

    /// Gives each element of a sequence to a function, one after the other.
    ///
    /// - Parameter onError: Receives the error that ends the sequence; without it, the store's `errorHandler`.
    private convenience init<Values: AsyncSequence>(
        iterating values: Values, of store: StoreCoordinator?, onError: (@Sendable (any Error) -> Void)?,
        _ deliver: @escaping @Sendable (Values.Element) async -> Void
    ) where Values.AsyncIterator: SendableMetatype {
        // The iterator is made here, as it does not keep the store.
        let iterator = Handover(values.makeAsyncIterator())
        let report = onError ?? { [weak store] error in store?.report(error) }
        self.init(
            Task {
                var iterator = iterator.value
                do {
                    while let value = try await iterator.next(isolation: nil) { await deliver(value) }
                } catch {
                    report(error)
                }
            })
    }
}

/// A value on its way to the one task that uses it.
private struct Handover<Value>: @unchecked Sendable {
    // reason: it is made on one thread, and used by one task from then on.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A running observation; it ends when it is released.
public final class StoreObservation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    /// Ends the observation; a second call does nothing.
    public func cancel() { task.cancel() }
}
