/// What an engine offers beyond the contract.
///
/// Answers never depend on it; only cost and reach do.
public struct AdapterCapabilities: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Data outlives the process.
    public static let persistent = AdapterCapabilities(rawValue: 1 << 0)
    /// Several processes may open the store at once.
    public static let multiProcess = AdapterCapabilities(rawValue: 1 << 1)
    /// Requests use the declared indexes.
    public static let indexedRequests = AdapterCapabilities(rawValue: 1 << 2)
    /// Filters, orders and windows run inside the engine, so that only the answer crosses the seam.
    public static let pushesDownRequests = AdapterCapabilities(rawValue: 1 << 3)
}

extension AdapterCapabilities: CustomStringConvertible {
    public var description: String {
        let names: [(AdapterCapabilities, String)] = [
            (.persistent, "persistent"), (.multiProcess, "multiProcess"),
            (.indexedRequests, "indexedRequests"), (.pushesDownRequests, "pushesDownRequests"),
        ]
        return "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
    }
}
