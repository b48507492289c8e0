public import LarderVersions
public import LarderKernel

extension SchemaHistory {
    /// Brings a store to the current version and closes it again.
    ///
    ///     let steps = try history.upgradeIfNeeded(.sqlite(at: url)) { print($0) }
    ///     print(steps)  // [1 → 2 inferred, 7 rows, 2 → 3 mapped, 7 rows]
    ///
    /// For a program that does not use the store then: an extension that prepares it for the app, or an app
    /// with many documents. `setup()` does the same to a store that it opens. A store is never created, and a
    /// store of the current version is not opened for writing.
    ///
    /// *Rule:* runs on the calling thread, and stops with its task. Not while this process has the store open.
    /// *Cost:* counts the items of each type if there is anything to do; then the steps.
    ///
    /// - Parameters:
    ///   - options: The options of the store while the steps run. Its `recovery` is ignored: a store that
    ///     cannot be used stays where it is.
    ///   - progress: Takes the place of ``DataStoreOptions/schemaProgress``.
    /// - Returns: The steps that ran; none if no store exists, if it is up to date, or if another process was
    ///   faster.
    /// - Throws: As `setup()`; the store is what it was then. `.cannotOpen` when the store's file is removed while
    ///   the call runs.
    @available(*, noasync, message: "Await upgradeIfNeeded(_:options:progress:) instead.")
    @discardableResult
    public func upgradeIfNeeded(
        _ address: StoreAddress, options: DataStoreOptions = DataStoreOptions(),
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil
    ) throws(DataStoreError) -> [MigrationForecast.Step] {
        try upgrade(address, options, progress)
    }

    /// Brings a store to the current version and closes it again, without occupying the caller's actor.
    ///
    ///     try await history.upgradeIfNeeded(.sqlite(at: url))
    ///
    /// *Rule:* as the other form; a task that is cancelled stops the steps, and the store is what it was.
    /// *Cost:* as the other form; a thread of the pool while it runs.
    ///
    /// - Parameters: As in the other form.
    /// - Returns: As the other form.
    /// - Throws: As the other form; `.cancelled` when the task is cancelled.
    @concurrent
    @discardableResult
    public func upgradeIfNeeded(
        _ address: StoreAddress, options: DataStoreOptions = DataStoreOptions(),
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil
    ) async throws(DataStoreError) -> [MigrationForecast.Step] {
        try Cancellation.check("The upgrade")
        return try upgrade(address, options, progress)
    }

    private func upgrade(
        _ address: StoreAddress, _ options: DataStoreOptions,
        _ progress: (@Sendable (DataStoreProgress) -> Void)?
    ) throws(DataStoreError) -> [MigrationForecast.Step] {
        // Not checked page by page first, as opening the store does not do that either.
        let forecast = try forecast(for: address, verifiesStructure: false)
        if forecast.isEmpty { return [] }
        var options = options
        options.recovery = .refuse
        options.schemaProgress = progress ?? options.schemaProgress
        let store = StoreCoordinator(
            adapter: address.adapter(for: .updating), storing: self, options: options)
        let made = try store.setup()
        try store.tearDown()
        // Another process may have made some of them, or all.
        guard let made else { return [] }
        return forecast.steps.filter { step in
            step.from == step.to || made.steps.contains("\(step.from) → \(step.to)")
        }
    }
}
