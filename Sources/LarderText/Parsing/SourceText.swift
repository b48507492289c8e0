import LarderKernel

/// The text of a filter or sort, and the errors about places in it.
struct SourceText: Sendable {
    let text: String
    let schema: StoreSchema
    /// The number of the item type that the text is about.
    let root: Int
    /// The values for `%@` and `%K`; nil if none may be asked for.
    var arguments: [TextArgument]?

    /// The number of the character at an index, counted from 1.
    func column(of index: String.Index) -> Int {
        text.distance(from: text.startIndex, to: index) + 1
    }

    /// An error that shows its place.
    ///
    /// - Parameter problem: The problem, as the beginning of a sentence that ends with the place.
    func error(
        _ code: DataStoreError.Code, _ problem: String, at index: String.Index, advice: String,
        of entity: Int? = nil, attribute: String? = nil
    ) -> DataStoreError {
        DataStoreError(
            code, "\(problem) at column \(column(of: index)):", excerpt: excerpt(around: index),
            advice: advice, itemType: schema.entities[entity ?? root].name, attribute: attribute)
    }

    /// The text around a place on one line, and a caret under the place.
    private func excerpt(around index: String.Index) -> [String] {
        let start = text.index(index, offsetBy: -40, limitedBy: text.startIndex) ?? text.startIndex
        let end = text.index(index, offsetBy: 30, limitedBy: text.endIndex) ?? text.endIndex
        let shownStart = start > text.startIndex ? "…" : ""
        let shownEnd = end < text.endIndex ? "…" : ""
        let line = String(text[start..<end].map { $0.isControl ? " " : $0 })
        let indent = shownStart.count + text.distance(from: start, to: index)
        return ["    \(shownStart)\(line)\(shownEnd)", "    \(String(repeating: " ", count: indent))^"]
    }
}

extension Character {
    /// True if it would break the line or the alignment of an excerpt.
    fileprivate var isControl: Bool {
        isNewline || unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
