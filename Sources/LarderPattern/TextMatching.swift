/// The comparison of text in a filter or an order: ``exact``, or without differences of case, diacritics or both.
///
///     Recipe.where(.contains(\.name, "creme", [.caseInsensitive, .diacriticInsensitive]))
///     Recipe.all.sorted(by: \.name, .caseInsensitive)
public struct TextMatching: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// By its UTF-8 bytes.
    public static let exact: TextMatching = []
    /// With both sides folded by ``CaseFolding``, so that case does not matter.
    public static let caseInsensitive = TextMatching(rawValue: 1)
    /// With both sides decomposed canonically, and without combining diacritical marks.
    ///
    /// "é", "e" with an accent of its own, and "e" are equal. Letters without a decomposition stay unchanged,
    /// such as "ø" and "ł".
    public static let diacriticInsensitive = TextMatching(rawValue: 2)

    /// The matching without regard to case, diacritics or both.
    package init(ignoringCase ignoresCase: Bool, ignoringDiacritics ignoresDiacritics: Bool) {
        rawValue = (ignoresCase ? 1 : 0) | (ignoresDiacritics ? 2 : 0)
    }

    /// The things that do not matter, for the end of a sentence.
    package var ignored: String {
        let names = [
            contains(.caseInsensitive) ? "case" : nil, contains(.diacriticInsensitive) ? "diacritics" : nil,
        ]
        return names.compactMap(\.self).joined(separator: " and ")
    }

    /// The folding of both sides.
    package var folding: TextFolding {
        TextFolding(
            ignoringCase: contains(.caseInsensitive), ignoringDiacritics: contains(.diacriticInsensitive))
    }

    /// The flags as texts write them: `[cd]`.
    package var flags: String { folding.flags }
}
