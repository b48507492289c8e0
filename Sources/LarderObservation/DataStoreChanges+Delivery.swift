public import LarderKernel

extension DataStoreChanges {
    /// Calls a handler on the main actor with each change set, until the observation is cancelled or released.
    ///
    ///     observation = store.changes.observe { changes in upload(changes) }
    ///
    /// *Rule:* ends when the store is torn down. After ``StoreObservation/cancel()`` on the main actor the handler is not
    /// called again. *Cost:* as ``DataStoreChanges``.
    public func observe(_ handler: @escaping @MainActor @Sendable (ChangeSet) -> Void) -> StoreObservation {
        StoreObservation(iterating: self, onError: nil, onMainActor: handler)
    }

    /// Calls a handler where the caller says with each change set, until the observation is cancelled or released.
    ///
    ///     observation = store.changes.observe(by: { queue.async(execute: $0) }) { changes in upload(changes) }
    ///
    /// *Rule:* ends when the store is torn down. After ``StoreObservation/cancel()`` the handler is not called again,
    /// unless it is running. *Cost:* as ``DataStoreChanges``.
    ///
    /// - Parameter schedule: Runs the work that it is given, once; sooner or later, on any thread. Work that it
    ///   releases without having run it ends the observation.
    public func observe(
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ handler: @escaping @Sendable (ChangeSet) -> Void
    ) -> StoreObservation {
        StoreObservation(iterating: self, onError: nil, by: schedule, handler)
    }
}
