public import LarderKernel

/// A store opened by its own stored schema, without the app's types: for tools.
///
///     let store = try UntypedStore(reading: .sqlite(at: url))
///     defer { try? store.close() }
///     let count = try store.read { try $0.count(for: UntypedRequest("Recipe", filter: "rating > 4")) }
///
/// The store is read-only, and its structure is checked first. *Rule:* may be used from any thread; one store
/// for a file in a process, as always. *Cost:* opening reads the whole file once.
public final class UntypedStore: Sendable {
    public let address: StoreAddress
    /// The stored schema.
    public let storedSchema: StoredSchema
    let schema: StoreSchema
    let adapter: any StorageAdapter

    /// Opens a store to read it, without changing its file.
    ///
    /// - Parameters:
    ///   - acceptsIncomplete: True if it may be the destination of a transfer that has not ended.
    ///   - verifiesStructure: True to check the structure of every page first. Without it, opening is quick,
    ///     and a damaged file may crash the process.
    /// - Throws: `.cannotOpen` when there is none; `.incompleteTransfer`; `.notADatabase`, `.foreignStore`,
    ///   `.damaged`, `.newerFormat`, `.alreadyOpen`; `.cancelled` when the task is cancelled while the
    ///   structure is checked; other errors that prevent opening it.
    public init(
        reading address: StoreAddress, acceptsIncomplete: Bool = false, verifiesStructure: Bool = true
    ) throws(DataStoreError) {
        adapter = address.adapter(for: verifiesStructure ? .reading : .readingQuickly)
        guard let stored = try adapter.storedSchema() else {
            throw DataStoreError(
                .cannotOpen, "No store exists at this path.", advice: "Check the path.",
                path: address.location)
        }
        self.address = address
        storedSchema = stored
        if !acceptsIncomplete, let transfer = stored.transfer, !transfer.isComplete {
            throw transfer.incomplete().about(path: address.location)
        }
        schema = try StoreSchema(of: stored).opened(for: .inspection)
        try adapter.open(schema)
    }

    /// The error with which an app is refused this store; nil if a transfer has not filled it, or has
    /// completed.
    public var unfinishedTransfer: DataStoreError? {
        guard let transfer = storedSchema.transfer, !transfer.isComplete else { return nil }
        return transfer.incomplete().about(path: address.location)
    }

    /// Closes the store; it cannot be used afterwards.
    ///
    /// - Throws: `.nestedTransaction` inside ``read(_:)``.
    public func close() throws(DataStoreError) {
        try adapter.close()
    }

    /// Runs a block on one snapshot of the store.
    ///
    /// *Rule:* the reader is used inside the block only, on its thread. When the task that runs the block is
    /// cancelled, the reader's requests throw `.cancelled`.
    ///
    /// - Throws: The block's own error; `.notSetUp` or `.closed` after ``close()``; rethrows errors from the engine.
    public func read<Result>(_ block: (UntypedReader) throws -> Result) throws -> Result {
        let reader = UntypedReader(try adapter.beginCancellableReading(), of: schema)
        defer { reader.end() }
        return try block(reader)
    }
}
