public import Logging

/// How a store behaves, whatever its engine.
///
///     var options = DataStoreOptions()
///     options.slowBlockWarning = .seconds(1)
public struct DataStoreOptions: Sendable {
    /// Where the store logs: requests at trace level, trouble as warnings and errors.
    public var logger = Logger(label: "larder")

    /// Whether logged requests show the values they filter by.
    public var logsValues = false

    /// How long a block may be open before a warning is logged; nil for no warning and no clock.
    public var slowBlockWarning: Duration? = .seconds(5)

    /// Whether using a handle after its block stops a debug build, besides being reported.
    public var assertsOnMisuse = true

    /// How many blocks of `writeAsync` may wait for the writer; a call with a completion that finds so many
    /// waits for room.
    ///
    /// An awaited `writeAsync` waits anyway, and a call inside a block never does.
    public var maximumPendingWrites = 10_000

    /// How many blocks share a commit; for tests.
    package var batchLimits = WriteBatchLimits()
    /// The rules that are asked before uniqueness.
    package var rules: [any RowRule] = []
    /// The number of blocks that may read at the same time, for tests; nil for as many as the adapter says.
    package var maximumReaders: Int?

    public init() {}
}
