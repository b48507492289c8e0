/// A mistake in a request that only shows at run time; thrown by `validate()` and by the first use.
package struct RequestMistake: Sendable, Hashable {
    package let message: String
    /// The attribute that it is about; nil if it is about none, or about several.
    package let column: Int?
    /// The nesting depth of a filter of which only this is kept; 0 for other mistakes.
    let depth: Int

    package init(_ message: String, column: Int? = nil) {
        self.message = message
        self.column = column
        depth = 0
    }

    /// A filter that nests deeper than ``FilterNode/maximumDepth``.
    package init(depth: Int) {
        message = "The filter nests \(depth) levels deep; at most \(FilterNode.maximumDepth) are allowed."
        column = nil
        self.depth = depth
    }

    /// - Parameter subject: The part of the request with the mistake.
    package func error(in subject: String = "filter", of entity: EntitySchema) -> DataStoreError {
        if depth > 0 {
            return DataStoreError(
                .invalidRequest, message,
                advice: "Join conditions in one chain of && or of ||, and remove a NOT of a NOT.",
                itemType: entity.name)
        }
        return DataStoreError(
            .invalidRequest, "The \(subject) cannot be used. \(message)", itemType: entity.name,
            attribute: column.map { entity.attributes[$0].propertyName })
    }
}
