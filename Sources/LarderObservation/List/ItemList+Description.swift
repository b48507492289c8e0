import LarderKernel

extension ItemList: CustomStringConvertible {
    /// The number of items, and the sections with their numbers: `3 items of Recipe in sections "Soup" (1), "Cake" (2)`.
    public var description: String {
        let text = "\(count) \(count == 1 ? "item" : "items") of \(Item.schema.name)"
        if shape.sections.count == 1, shape.sections[0].name.isEmpty { return text }
        // A list may have a section for each letter, or many more.
        let shown = sections.prefix(10).map { "\($0.name.debugDescription) (\($0.count))" }
        let more = sections.count > 10 ? " and \(sections.count - 10) more" : ""
        return "\(text) in sections \(shown.joined(separator: ", "))\(more)"
    }
}
