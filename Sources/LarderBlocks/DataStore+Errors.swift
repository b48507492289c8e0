public import LarderKernel

// Over the error handler of the store, which is called for one error after the other.

extension DataStore {
    /// Has every error of the store handled where the caller says; takes the place of ``errorHandler``.
    ///
    ///     store.handleErrors(by: { queue.async(execute: $0) }) { error in print(error) }
    ///
    /// *Rule:* errors are handed over in their order, off the calling thread. A child without a handler uses its parent's,
    /// in the same place. `store.errorHandler = nil` ends it.
    ///
    /// - Parameter schedule: Runs the work that it is given, once; sooner or later, on any thread.
    public func handleErrors(
        by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ handler: @escaping @Sendable (any Error) -> Void
    ) {
        errorHandler = { error in schedule { ThreadRole.errorHandler.run { handler(error) } } }
    }

    /// Has every error of the store handled on the main actor; takes the place of ``errorHandler``.
    ///
    ///     store.handleErrorsOnMainActor { error in print(error) }
    ///
    /// *Rule:* as ``handleErrors(by:_:)``. *Cost:* a task for each error.
    public func handleErrorsOnMainActor(_ handler: @escaping @MainActor @Sendable (any Error) -> Void) {
        errorHandler = { error in
            Task { @MainActor in ThreadRole.errorHandler.run { handler(error) } }
        }
    }
}
