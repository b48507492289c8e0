public import Larder

/// Copies a store into a new one of any engine, and verifies the copy.
///
///     let transfer = StoreTransfer(from: .sqlite(at: old), to: .lmdb(at: new))
///     let report = try transfer.run()
///
/// The source is only read, at one moment's state, and its structure is looked at first. The destination must
/// not exist. It is marked incomplete until counts and digests of all item types agree: whoever opens it
/// before gets `.incompleteTransfer`. A transfer that was cancelled, failed or killed goes on where it
/// stopped when it is run again: what was copied is compared with the source, and taken back from the first
/// difference on.
///
/// *Rule:* a value; may be run from any thread. Nobody else uses the destination meanwhile. *Cost:* reads the
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
    ///   for a row nobody can read; `.cancelled`; `.transferMismatch` when the copy differs; what the engines
    ///   say.
    public func run() throws(DataStoreError) -> StoreTransferReport {
        try TransferRun(self).run()
    }

    /// As ``run()``, off the calling thread; ends with `.cancelled` when the task is cancelled.
    @concurrent
    public func runAsync() async throws(DataStoreError) -> StoreTransferReport {
        try run()
    }
}

/// How a transfer is done; the defaults suit most.
public struct StoreTransferOptions: Sendable {
    /// How many items share a commit, at most; large ones make a batch smaller.
    public var itemsPerBatch = 1000
    /// What is done about a row that cannot be decoded.
    public var undecodableRows = UndecodableRowPolicy.abort
    /// Whether a transfer between files is refused when less room is free than the source takes.
    public var checksFreeSpace = true
    /// Is told how far the transfer is, on the transfer's thread: at the beginning and after every batch.
    public var progress: (@Sendable (StoreTransferProgress) -> Void)?
    /// Is asked after every batch whether to stop; a cancelled task stops it too.
    public var isCancelled: (@Sendable () -> Bool)?
    /// What time it is; for tests.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    public init() {}
}

/// What a transfer has done.
public struct StoreTransferReport: Sendable {
    /// The items of each type that the destination holds, with their digests.
    public let digests: [EntityDigest]
    /// Whether it has gone on from where an earlier run had stopped; an import starts over instead.
    public let isResumed: Bool
    /// How many items this run has copied.
    public let copiedItems: Int
    /// How many rows were left out because they cannot be decoded.
    public let skippedRows: Int
    /// Why they cannot, for the first thousand of them; each names its item.
    public let skipped: [DataStoreError]
    /// How long this run has taken.
    public let duration: Duration
}
