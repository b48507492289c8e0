public import LarderKernel

extension StoreCoordinator {
    /// A store over an engine that keeps the types of a history's current version, not yet open.
    ///
    /// `setup()` finds which version a store is of, and runs the steps that lead from there to the current
    /// one.
    ///
    /// - Parameter staging: As in ``init(adapter:storing:options:staging:)``.
    public convenience init(
        adapter: any StorageAdapter, storing history: SchemaHistory,
        options: DataStoreOptions = DataStoreOptions(),
        staging: (@Sendable () -> any StorageAdapter)? = nil
    ) {
        var options = options
        options.versions = history
        self.init(adapter: adapter, storing: history.currentTypes, options: options, staging: staging)
    }
}
