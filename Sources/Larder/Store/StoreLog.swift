import Logging

/// What a store says to its logger: requests at trace level, blocks that stay open long as warnings.
///
/// Values are never logged unless the options ask for it.
struct StoreLog: Sendable {
    let logger: Logger
    let slowBlock: Duration?
    private let tracesRequests: Bool
    private let logsValues: Bool

    init(options: DataStoreOptions) {
        logger = options.logger
        slowBlock = options.slowBlockWarning
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

    /// Warns of a block that pinned its snapshot for long.
    func blockEnded(after duration: Duration, kind: String) {
        guard let slowBlock, duration > slowBlock else { return }
        logger.warning(
            "A \(kind) block was open for \(duration); old versions of items stay on disk for as long.")
    }
}
