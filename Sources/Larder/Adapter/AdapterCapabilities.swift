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
}

extension AdapterCapabilities: CustomStringConvertible {
    public var description: String {
        let names: [(AdapterCapabilities, String)] = [
            (.persistent, "persistent"), (.multiProcess, "multiProcess"),
        ]
        return "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
    }
}
