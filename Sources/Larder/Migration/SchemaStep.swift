/// The step from one version of an app's types to the next.
public struct SchemaStep: Sendable {
    /// The name of the version that the step starts from.
    public let from: String
    /// The name of the version that the step leads to.
    public let to: String
    public var isInferred: Bool { true }

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

extension SchemaStep: CustomStringConvertible {
    public var description: String { "\(from) → \(to)" }
}
