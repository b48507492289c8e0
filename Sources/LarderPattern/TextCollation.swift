/// An order of texts that the store does not keep and each process makes for itself: the order of a language.
///
///     Recipe.all.sorted(by: \.name, .localized())
///
/// *Rule:* a value; may be kept and sent anywhere. Two are equal if their names are.
public struct TextCollation: Sendable, Hashable {
    /// The name, as requests show it: `de_DE`.
    public let name: String
    private let precedes: @Sendable (String, String) -> Bool

    /// - Parameter precedes: True if the first text comes before the second; always the same for one name.
    package init(named name: String, by precedes: @escaping @Sendable (String, String) -> Bool) {
        self.name = name
        self.precedes = precedes
    }

    /// The texts in this order, and by their bytes if it does not distinguish them.
    package func sorted(_ texts: [String]) -> [String] {
        // Both sorts are stable. So the answer depends on no other order in which an engine has found the texts.
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.sorted(by: precedes)
    }

    public static func == (left: TextCollation, right: TextCollation) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
