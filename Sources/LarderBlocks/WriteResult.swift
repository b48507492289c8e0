public import LarderKernel

/// The value of a write block and the changes that it has committed.
///
///     let result = try store.writeSyncReportingChanges { try $0.upsert(recipe, by: \.slug).id }
///     if result.hasChanges { upload(result.changes) }
///
/// *Rule:* a value; may be kept and sent anywhere if the block's value may.
public struct WriteResult<Value> {
    /// The value of the block.
    public let value: Value
    /// The changes of the block, each item once; empty if it has changed nothing in the end.
    public let changes: ChangeSet

    /// True if the block has inserted, changed or deleted anything.
    public var hasChanges: Bool { !changes.isEmpty }
}

extension WriteResult: Sendable where Value: Sendable {}

extension WriteResult: CustomStringConvertible {
    /// The value, and below it the changes.
    public var description: String { "\(value)\n\(changes)" }
}

extension DataStore {
    /// Runs a block that may change the store, commits, and returns its value with the changes.
    ///
    ///     let result = try store.writeSyncReportingChanges { try $0.update(open, .set(\.isDone, to: true)) }
    ///     print(result.hasChanges ? result.changes.updated(Request.self).count : "nothing to do")
    ///
    /// An item that got its old value back before anything was saved is not among the changes, nor is one that was
    /// inserted and deleted again. One that several calls have changed and changed back counts as updated. A block with
    /// `commit()` in its middle reports the changes of all its commits.
    ///
    /// *Rule:* as ``writeSync(origin:_:)``. *Cost:* the identifiers of the changed items in memory, as if the block
    /// were observed.
    ///
    /// - Throws: As ``writeSync(origin:_:)``.
    @available(*, noasync, message: "Use writeAsyncReportingChanges, which does not block the thread.")
    @discardableResult
    public func writeSyncReportingChanges<Result>(
        origin: WriteOrigin? = nil, _ block: (DataStoreReadWriteAccessor) throws -> Result
    ) throws -> WriteResult<Result> {
        let report = ChangeReport(origin: origin)
        let value = try valueOfWrite(in: self, WriteTerms(origin: origin, report: report), block)
        return WriteResult(value: value, changes: report.changes)
    }

    /// Runs a block that may change the store off the calling thread; returns its value with the changes after the
    /// commit.
    ///
    ///     let result = try await store.writeAsyncReportingChanges { try $0.upsert(recipe, by: \.slug).id }
    ///     if result.hasChanges { upload(result.changes) }
    ///
    /// *Rule:* as ``writeAsync(origin:_:)``. A handle lives in its block, so a block that inserts an item ends with
    /// another value, such as its identifier. *Cost:* as ``writeSyncReportingChanges(origin:_:)``.
    ///
    /// - Throws: As ``writeAsync(origin:_:)``.
    @discardableResult
    public func writeAsyncReportingChanges<Result: Sendable>(
        origin: WriteOrigin? = nil, _ block: @escaping @Sendable (DataStoreReadWriteAccessor) throws -> Result
    ) async throws -> WriteResult<Result> {
        let report = ChangeReport(origin: origin)
        let value = try await coordinator.value(
            ofEnqueued: block, on: WriteTerms(origin: origin, report: report))
        return WriteResult(value: value, changes: report.changes)
    }
}
