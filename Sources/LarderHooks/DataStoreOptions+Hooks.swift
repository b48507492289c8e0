public import LarderKernel

extension DataStoreOptions {
    /// Sets the hooks of item types, in place of those that were set before.
    ///
    ///     var options = DataStoreOptions()
    ///     options.setHooks(
    ///         ItemHooks(Recipe.self).validating(\.name, "is empty") { !$0.isEmpty },
    ///         ItemHooks(Ingredient.self).beforeInsert { $0.amount = max(1, $0.amount) })
    ///
    /// Several hooks of one type are joined in their order.
    ///
    /// *Rule:* they are about the write blocks of the store that gets the options, and not about the commits of other
    /// processes, transfers, restored files, steps between versions, or children, until they are merged. Blocks of a store
    /// with hooks throw `.invalidItems` with all ``LarderKernel/DataStoreError/findings`` at their end, and are not stored.
    public mutating func setHooks<each Item: DataStoreItem>(_ hooks: repeat ItemHooks<each Item>) {
        var types: [any TypeHooks] = []
        repeat types.append(each hooks)
        if types.isEmpty {
            watch = nil
            return
        }
        let tables = HookTables(types)
        watch = { pipeline in HookedBlock(pipeline, tables.table(for: pipeline.context)) }
    }
}
