public import LarderKernel

/// Copies a store into a new one of any engine, and verifies the copy.
///
///     let transfer = StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new))
///     let report = try transfer.run()
///
/// The source is only read, in one snapshot, and its structure is checked first. The destination must not
/// exist. It is marked incomplete until counts and digests of all item types agree; opening it earlier throws
/// `.incompleteTransfer`. A transfer that was cancelled, failed or killed continues where it stopped when it
/// is run again: the copied rows are compared with the source, and dropped from the first difference on.
///
/// *Rule:* a value; may be run from any thread. The destination must not be used meanwhile. *Cost:* reads the
/// structure of the source, its rows and the copy, each once; keeps one batch in memory.
public struct StoreTransfer: Sendable {
    public let source: StoreAddress
    public let destination: StoreAddress
    public var options: StoreTransferOptions

    public init(
        from source: StoreAddress, to destination: StoreAddress,
        options: StoreTransferOptions = StoreTransferOptions()
    ) {
        self.source = source
        self.destination = destination
        self.options = options
    }

    /// Copies and verifies, on the calling thread.
    ///
    /// - Throws: `.destinationExists` when there is a complete store in the place; `.incompleteTransfer` when
    ///   it holds half of another transfer; `.storeFull` when there is no room; `.undecodable` or `.damaged`
    ///   for a row that cannot be decoded; `.cancelled`; `.transferMismatch` when the copy differs; rethrows
    ///   errors of the engines.
    public func run() throws(DataStoreError) -> StoreTransferReport {
        try TransferRun(self).run()
    }

    /// Copies and verifies as ``run()`` does, without occupying the caller's actor.
    ///
    ///     let report = try await transfer.runAsync()
    ///
    /// *Rule:* if the task is cancelled, the transfer stops, and continues there when it is run again. *Cost:* as ``run()``;
    /// a thread of the pool while it runs.
    ///
    /// - Throws: As ``run()``; `.cancelled` when the task is cancelled.
    @concurrent
    public func runAsync() async throws(DataStoreError) -> StoreTransferReport {
        try run()
    }
}

/// The options of a transfer; the defaults suit most.
public struct StoreTransferOptions: Sendable {
    /// The maximum number of items in a commit; large items make a batch smaller.
    public var itemsPerBatch = 1000
    /// The handling of rows that cannot be decoded.
    public var undecodableRows = UndecodableRowPolicy.abort
    /// True if a transfer between files is refused when the free space is less than the size of the source.
    public var checksFreeSpace = true
    /// Called with the progress on the transfer's thread, at the beginning and after every batch; the phases are
    /// `"copying"` and `"verifying"`.
    public var progress: (@Sendable (DataStoreProgress) -> Void)?
    /// Is asked after every batch whether to stop; a cancelled task stops it too.
    public var isCancelled: (@Sendable () -> Bool)?
    /// The clock; for tests.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    public init() {}
}

/// The result of a transfer.
public struct StoreTransferReport: Sendable {
    /// The items of each type that the destination holds, and the links of each relationship, with their
    /// digests.
    public let digests: [EntityDigest]
    /// The digests among ``digests`` that are of links.
    public let links: [RelationshipDigest]
    /// True if it has continued where an earlier run had stopped; an import starts over instead.
    public let isResumed: Bool
    /// The number of items that this run has copied.
    public let copiedItems: Int
    /// The number of rows left out because they cannot be decoded, or require an item that is left out.
    public let skippedRows: Int
    /// The errors of the first thousand of them; each names its item.
    public let skipped: [DataStoreError]
    /// The number of references that became nil, and of links left out, because they led to an item that is
    /// left out.
    public let lostReferences: Int
    /// The errors of the first thousand of them; each names its item, the relationship and the item left out.
    public let lost: [DataStoreError]
    /// The duration of this run.
    public let duration: Duration

    init(
        digests: [EntityDigest], of schema: StoreSchema, isResumed: Bool, copiedItems: Int,
        _ undecodable: UndecodableRows, duration: Duration
    ) {
        self.digests = digests
        links = schema.links(in: digests)
        self.isResumed = isResumed
        self.copiedItems = copiedItems
        skippedRows = undecodable.skipped.count
        skipped = undecodable.skipped.errors
        lostReferences = undecodable.lost.count
        lost = undecodable.lost.errors
        self.duration = duration
    }
}
