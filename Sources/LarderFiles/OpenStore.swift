package import LarderKernel

/// The store that an adapter has open; none before it is opened, and after it is closed.
package final class OpenStore<Store>: @unchecked Sendable {
    // reason: `store` is only touched with `lock` held.
    @usableFromInline package let lock = Lock()
    @usableFromInline package var store: Store?

    package init() {}

    /// Opens the store unless it is open.
    package func open(_ open: () throws(DataStoreError) -> Store) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if store == nil { store = try open() }
        }
    }

    /// Closes the store if it is open; it stays when the body throws.
    package func close(_ close: (Store) throws(DataStoreError) -> Void) throws(DataStoreError) {
        try lock.withLock { () throws(DataStoreError) in
            if let store { try close(store) }
            store = nil
        }
    }

    /// - Parameter location: The place of the store, for the error.
    /// - Throws: `.closed`.
    @inlinable
    package func current(at location: @autoclosure () -> String) throws(DataStoreError) -> Store {
        // Not `withLock`, whose closure costs as much as the lock.
        lock.lock()
        defer { lock.unlock() }
        guard let store else {
            throw DataStoreError(.closed, "The store is not open.", path: location())
        }
        return store
    }
}
