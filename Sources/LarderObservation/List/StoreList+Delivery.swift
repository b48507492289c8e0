import LarderKernel

extension StoreList {
    /// Calls a handler on the main actor with each update, until the observation is cancelled or released.
    ///
    ///     observation = recipes.observe { [weak self] update in self?.show(update.list, update.change) }
    ///
    /// *Rule:* the next update is read when the handler has returned. After ``StoreObservation/cancel()`` on
    /// the main actor the handler is not called again.
    ///
    /// - Parameter onError: Receives the error that ends the observation, on the main actor and beside the store's
    ///   `errorHandler`.
    public func observe(
        onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
        _ handler: @escaping @MainActor @Sendable (ListUpdate<Item>) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, onError: onError, onMainActor: handler)
    }

    /// Calls a handler where the caller says with each update, until the observation is cancelled or
    /// released.
    ///
    ///     let observation = recipes.observe(by: { queue.async(execute: $0) }) { update in … }
    ///
    /// - Parameters:
    ///   - schedule: Runs the work that it is given, once; sooner or later, on any thread. Work that it
    ///     releases without having run it ends the observation.
    ///   - onError: Receives the error that ends the observation, as the handler receives updates, and beside the
    ///     store's `errorHandler`.
    public func observe(
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onError: (@Sendable (any Error) -> Void)? = nil,
        _ handler: @escaping @Sendable (ListUpdate<Item>) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, onError: onError, by: schedule, handler)
    }

    /// Tells an observer of each update, step by step, on the main actor.
    ///
    ///     observation = recipes.observe(with: recipeTable)
    ///
    /// *Rule:* the observer is not kept; one that is released hears nothing. Each call adds an observation,
    /// even if the observer has one already.
    ///
    /// - Parameter onError: Receives the error that ends the observation, on the main actor and beside the store's
    ///   `errorHandler`.
    @MainActor
    public func observe<Observer: ListObserver<Item>>(
        with observer: Observer, onError: (@MainActor @Sendable (any Error) -> Void)? = nil
    ) -> StoreObservation {
        observe(onError: onError) { [weak observer] update in
            if let observer { update.send(to: observer) }
        }
    }
}
