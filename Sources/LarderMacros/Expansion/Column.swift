#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// One property in the expansion: its column and its spelling.
    struct Column {
        let number: Int
        let name: String
        let spelledName: String
        let storedName: String
        let type: TypeSyntax
        let access: AccessLevel
        let initialValue: ExprSyntax?
        let originalName: ExprSyntax?
        let fallback: ExprSyntax?
        /// True if any index contains the column.
        let isIndexed: Bool
    }

    extension StoredItem {
        /// `id` in column 0, then the properties in the order of their declaration.
        var columns: [Column] {
            let first = Column(
                number: 0, name: "id", spelledName: "id", storedName: "id",
                type: identifierType.replacingSelf(by: spelledName),
                access: access, initialValue: nil, originalName: identifier?.originalName,
                fallback: identifier?.fallback, isIndexed: false)
            let listed = Set((arguments.indexes + arguments.uniques).flatMap(\.texts))
            let others = properties.enumerated().map { index, property in
                Column(
                    number: index + 1, name: property.name, spelledName: property.spelledName,
                    storedName: property.storedName, type: property.type.replacingSelf(by: spelledName),
                    access: attributeAccess(of: property),
                    initialValue: property.initialValue, originalName: property.originalName,
                    fallback: property.fallback,
                    isIndexed: property.isIndexed || listed.contains(property.name))
            }
            return [first] + others
        }

        /// The level of a property's attribute: a private property of the struct is still needed in its file.
        func attributeAccess(of property: StoredProperty) -> AccessLevel {
            min(max(property.access, .fileprivate), access)
        }
    }

#endif
