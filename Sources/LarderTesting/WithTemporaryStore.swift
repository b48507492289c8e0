public import LarderKernel

/// Runs a body with an empty store, which is removed afterwards, even if the body throws.
///
///     try withTemporaryStore(.sqlite, storing: [Recipe.self]) { store in
///         try store.writeSync { try $0.insert(Recipe(name: "Toast", slug: "toast")) }
///     }
///
/// *Rule:* the store is set up when the body begins, and closed when it has ended, after all pending writes.
/// *Cost:* as ``TemporaryStore``.
///
/// - Parameters:
///   - engine: The engine that keeps the items.
///   - itemTypes: The types of the stored items.
///   - options: The options common to all stores.
/// - Returns: The value of the body.
/// - Throws: The body's own error; rethrows errors of `setup()` and ``TemporaryStore/remove()``.
@discardableResult
public func withTemporaryStore<Result>(
    _ engine: TestEngine = .memory, storing itemTypes: [any DataStoreItem.Type],
    options: DataStoreOptions = DataStoreOptions(), _ body: (TemporaryStore) throws -> Result
) throws -> Result {
    let store = try TemporaryStore(engine, storing: itemTypes, options: options)
    let result: Result
    do {
        result = try body(store)
    } catch {
        try? store.remove()  // The first error is the one that matters.
        throw error
    }
    try store.remove()
    return result
}

/// Runs an asynchronous body with an empty store, which is removed afterwards, even if the body throws.
///
///     try await withTemporaryStore(storing: [Recipe.self]) { store in
///         try await store.writeAsync { try $0.insert(Recipe(name: "Toast", slug: "toast")) }
///     }
///
/// *Rule:* as the synchronous form; the body runs where the caller does.
///
/// - Returns: The value of the body.
/// - Throws: The body's own error; rethrows errors of `setup()` and ``TemporaryStore/remove()``.
@discardableResult
nonisolated(nonsending) public func withTemporaryStore<Result>(
    _ engine: TestEngine = .memory, storing itemTypes: [any DataStoreItem.Type],
    options: DataStoreOptions = DataStoreOptions(),
    _ body: nonisolated(nonsending) (TemporaryStore) async throws -> Result
) async throws -> Result {
    let store = try TemporaryStore(engine, storing: itemTypes, options: options)
    let result: Result
    do {
        result = try await body(store)
    } catch {
        try? store.remove()  // The first error is the one that matters.
        throw error
    }
    try store.remove()
    return result
}
