// Blocks with a value. The coordinator runs blocks without one; everything generic is here, so that the
// compiler makes it concrete in the app's own code. A protocol's generic code would look up the metadata of
// the value for each block.

// Functions and not methods of `DataStore`, as the compiler makes nothing concrete that depends on the type
// in an `any DataStore`.

@inlinable
func valueOfRead<Value>(
    in store: any DataStore, _ block: (DataStoreReadAccessor) throws -> Value
) throws -> Value {
    try blockValue { keep in
        try store.withCoordinator { coordinator in
            try coordinator.read { accessor in keep(try block(accessor)) }
        }
    }
}

@inlinable
package func valueOfWrite<Value>(
    in store: any DataStore, _ terms: WriteTerms, _ block: (DataStoreReadWriteAccessor) throws -> Value
) throws -> Value {
    try blockValue { keep in
        try store.withCoordinator { coordinator in
            try coordinator.write(terms) { accessor in keep(try block(accessor)) }
        }
    }
}

extension DataStore {
    @inlinable
    @inline(__always)
    func withCoordinator(_ body: (StoreCoordinator) throws -> Void) throws {
        try Self.withCoordinator(of: self, body)
    }
}

extension StoreCoordinator {
    @inlinable
    func enqueue<Value: Sendable>(
        valued block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Value, on terms: WriteTerms,
        completion: (@Sendable (Result<Value, any Error>) -> Void)?
    ) {
        guard let completion else { return enqueue({ _ = try block($0) }, on: terms, completion: nil) }
        let value = BlockValue<Value>()
        enqueue(
            { accessor in value.value = try block(accessor) }, on: terms,
            completion: { error in completion(Result { try value.value(unless: error) }) })
    }

    @inlinable
    package func value<Value: Sendable>(
        ofEnqueued block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Value,
        on terms: WriteTerms
    ) async throws -> Value {
        let value = BlockValue<Value>()
        try await enqueue({ accessor in value.value = try block(accessor) }, on: terms)
        return try value.value(unless: nil)
    }
}

/// The value that a block gives while a store runs it.
///
/// Kept in uninitialised memory: in an optional of what is often an optional itself, it is moved and checked
/// by way of its type's tables, which costs as much as the block.
@inlinable
@inline(__always)
func blockValue<Value>(running run: (_ keep: (consuming Value) -> Void) throws -> Void) throws -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
        let place = memory.baseAddress.unsafelyUnwrapped  // never nil for a capacity of one
        var isKept = false
        do {
            try run { value in
                place.initialize(to: value)
                isKept = true
            }
        } catch {
            if isKept { place.deinitialize(count: 1) }
            throw error
        }
        guard isKept else { throw DataStoreError.blockWasNotRun }
        return place.move()
    }
}

/// The value of a block, on its way from the writer's thread to the caller.
@usableFromInline
final class BlockValue<Value: Sendable>: @unchecked Sendable {
    // reason: written by the block, and read only after the store has called back, which comes after it.
    @usableFromInline var value: Value?

    @inlinable
    init() {}

    @inlinable
    func value(unless error: (any Error)?) throws -> Value {
        if let error { throw error }
        // Moved out, as a copy of an item retains each of its texts.
        guard let value = value.take() else { throw DataStoreError.blockWasNotRun }
        return value
    }
}

extension DataStoreError {
    @usableFromInline package static var blockWasNotRun: DataStoreError {
        DataStoreError(.engine, "The store returned without having run the block.")
    }
}
