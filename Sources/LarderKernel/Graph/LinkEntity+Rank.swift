import LarderValues

extension LinkEntity {
    /// The text of the rank of a link, by its position among the links of its owner, for links that are all
    /// made at once.
    package static func initialRank(_ position: Int) -> String { Rank.initial(position).text }

    /// True if a text is the rank of a link.
    package static func isRank(_ text: String) -> Bool { Rank(text) != nil }
}
