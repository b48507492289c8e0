/// A change of the stored schema that a store's own `setup()` has made.
///
///     if case .migrated(let migration) = event { log("now version \(migration.to ?? "-")") }
///
/// *Rule:* a value; may be kept and sent anywhere.
public struct StoreMigration: Sendable, Hashable {
    /// The name of the version that the store had; nil if it had none.
    public let from: String?
    /// The name of the version that it has now; nil for an app without a ``SchemaHistory``.
    public let to: String?
    /// The steps that were taken, each as `1 → 2`; none if small changes were all that was needed.
    public let steps: [String]

    package init(from: String?, to: String?, steps: [String]) {
        self.from = from
        self.to = to
        self.steps = steps
    }
}
