import Larder

/// The code of the error a body throws; nil when it throws none of ours.
func code(_ body: () throws -> some Any) -> DataStoreError.Code? {
    thrown(body)?.code
}

/// The error a body throws; nil when it throws none of ours.
func thrown(_ body: () throws -> some Any) -> DataStoreError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? DataStoreError
    }
}

/// Awaits a body, and returns its error; nil when it throws none of ours.
func thrownAsync(_ body: @Sendable () async throws -> Void) async -> DataStoreError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? DataStoreError
    }
}

/// The error a body throws in a task that is cancelled already.
func thrownWhenCancelled(_ body: @escaping @Sendable () throws -> Void) async -> DataStoreError? {
    await thrownWhenCancelled(awaiting: body)
}

/// Awaits a body in a task that is cancelled before, and returns its error.
func thrownWhenCancelled(
    awaiting body: @escaping @Sendable () async throws -> Void
) async -> DataStoreError? {
    await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await thrownAsync(body)
    }.value
}
