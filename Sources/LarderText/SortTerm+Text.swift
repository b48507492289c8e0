package import Larder

extension [RequestPlan.SortTerm] {
    /// The order that a text describes: `name, rating DESC, id ASC`.
    ///
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType` for an attribute without an order; the
    ///   message shows the place.
    package init(text: String, of entity: EntitySchema) throws(DataStoreError) {
        var tokens = try TokenCursor(SourceText(text: text, entity: entity))
        self = []
        repeat { append(try tokens.sortTerm()) } while try tokens.skip(.symbol(","))
        guard tokens.current.kind == .end else {
            throw tokens.invalid(
                "ASC, DESC, a comma or the end of the order is expected",
                advice: "Write the attributes with commas between them: rating DESC, name.")
        }
    }

    /// The order as the text that describes it.
    package func text(of entity: EntitySchema) -> String {
        map { entity.attributes[$0.column].nameInText + ($0.isAscending ? "" : " DESC") }.joined(
            separator: ", ")
    }
}

extension TokenCursor {
    fileprivate mutating func sortTerm() throws(DataStoreError) -> RequestPlan.SortTerm {
        let start = current.start
        let column = try column(
            advice: "Name the attributes to sort by, in backticks where a name is a keyword.")
        let attribute = source.entity.attributes[column]
        guard attribute.type.isOrdered else {
            throw source.error(
                .wrongType,
                "\(attribute.name), of type \(attribute.type.rawValue), has no order, as is asked for",
                at: start, advice: "Sort by another attribute.", attribute: attribute.name)
        }
        return RequestPlan.SortTerm(column: column, isAscending: try direction() == .ascending)
    }

    private mutating func direction() throws(DataStoreError) -> SortDirection {
        guard case .name(let word) = current.kind, let direction = Self.directions[word.lowercased()]
        else { return .ascending }
        try advance()
        return direction
    }

    private static let directions: [String: SortDirection] = [
        "asc": .ascending, "ascending": .ascending, "desc": .descending, "descending": .descending,
    ]
}
