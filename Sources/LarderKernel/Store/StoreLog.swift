import Logging

/// The log of a store: requests at trace level, blocks that stay open long as warnings.
///
/// Values are never logged unless the options ask for it.
struct StoreLog: Sendable {
    let logger: Logger
    /// In nanoseconds; nil if long blocks are not reported.
    private let slowBlock: UInt64?
    private let tracesRequests: Bool
    private let logsValues: Bool

    init(options: DataStoreOptions) {
        logger = options.logger
        slowBlock = options.slowBlockWarning.map(CoarseClock.nanoseconds)
        tracesRequests = options.logger.logLevel <= .trace
        logsValues = options.logsValues
    }

    func request(_ plan: RequestPlan) {
        guard tracesRequests else { return }
        logger.trace(
            "request",
            metadata: ["plan": .string(logsValues ? plan.description : plan.descriptionWithoutValues)]
        )
    }

    /// The time, if long blocks are reported.
    @inline(__always)
    func blockBegins() -> UInt64 { slowBlock == nil ? 0 : CoarseClock.now }

    /// Warns of a block that pinned its snapshot for long.
    @inline(__always)
    func blockEnded(since start: UInt64, kind: StaticString) {
        guard let slowBlock else { return }
        let nanoseconds = CoarseClock.now &- start
        if nanoseconds > slowBlock { warn(of: kind, nanoseconds) }
    }

    private func warn(of kind: StaticString, _ nanoseconds: UInt64) {
        let duration = Duration.nanoseconds(Int64(clamping: nanoseconds))
        logger.warning(
            "A \(kind) block was open for \(duration); old versions of items stay on disk for as long.")
    }
}
