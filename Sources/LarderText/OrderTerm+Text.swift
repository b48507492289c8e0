package import LarderKernel
import LarderPattern

extension [OrderTerm] {
    /// The order that a text describes: `name[c], kind.name DESC, id ASC`.
    ///
    /// - Throws: `.invalidText`, `.unknownAttribute`, `.wrongType` for an attribute without an order; the
    ///   message shows the place.
    package init(text: String, of entity: Int, in schema: StoreSchema) throws(DataStoreError) {
        var tokens = try TokenCursor(SourceText(text: text, schema: schema, root: entity))
        self = []
        repeat { append(try tokens.sortTerm()) } while try tokens.skip(.symbol(","))
        guard tokens.current.kind == .end else {
            throw tokens.invalid(
                "ASC, DESC, a comma or the end of the order is expected",
                advice: "Write the attributes with commas between them: rating DESC, name.")
        }
    }

    /// The order as the text that describes it.
    package func text(of entity: Int, in schema: StoreSchema) -> String {
        map { $0.text(of: entity, in: schema) }.joined(separator: ", ")
    }
}

extension OrderTerm {
    fileprivate func text(of entity: Int, in schema: StoreSchema) -> String {
        place.names(from: entity, in: schema) + matching.flags + (isAscending ? "" : " DESC")
    }
}

extension TokenCursor {
    fileprivate mutating func sortTerm() throws(DataStoreError) -> OrderTerm {
        let start = current.start
        let path = try path(
            advice: "Name the attributes to sort by, in backticks if a name is a keyword.")
        if let relationship = path.relationships.first(where: \.kind.isToMany) {
            throw source.error(
                .wrongType, "\(relationship.propertyName) may have several items, and cannot be sorted by",
                at: start,
                advice: "Sort by an attribute of a reference.", of: relationship.owner,
                attribute: relationship.propertyName)
        }
        guard case .attribute(let place) = path.end else {
            throw source.error(
                .wrongType, "@count cannot be sorted by, as is asked for", at: start,
                advice: "Sort by an attribute.")
        }
        let attribute = place.schema
        guard attribute.type.isOrdered else {
            throw source.error(
                .wrongType,
                "\(attribute.propertyName), of type \(attribute.type.rawValue), has no order, as is asked for",
                at: start, advice: "Sort by another attribute.", of: place.entity,
                attribute: attribute.propertyName)
        }
        let flag = current.start
        let matching = try TextOperator.takeFlag(from: &self)
        if matching != .exact, attribute.type.storage != .text {
            throw source.error(
                .wrongType,
                "\(attribute.propertyName), of type \(attribute.type.rawValue), has no text to fold, as is asked for",
                at: flag, advice: "Leave out the \(matching.flags).", of: place.entity,
                attribute: attribute.propertyName)
        }
        return OrderTerm(
            AttributePlace(path.relationships.map(\.reference), column: place.column),
            isAscending: try direction() == .ascending, matching)
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
