#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// The conformance of a struct to `DataStoreItem`, with the members that the protocol requires.
    struct ItemConformance {
        private let item: StoredItem
        private let columns: [Column]
        private let relationships: [Relationship]

        init(item: StoredItem) {
            self.item = item
            columns = item.columns
            relationships = item.relationships
        }

        var members: [DeclSyntax] {
            [attributesType, attributes, schema, encoding].map { "\(raw: $0)" }
        }

        /// The extension of the type, whose name includes the enclosing types.
        ///
        /// It declares the conformance if that is new, and the initializers that are not in the struct; nil
        /// if there is neither.
        func declaration(for type: String, isNew: Bool) -> ExtensionDeclSyntax? {
            let initializers = item.initializersInExtension
            guard isNew || !initializers.isEmpty else { return nil }
            let body = initializers.map { "\n\($0)" }.joined(separator: "\n")
                .replacing("\n", with: "\n    ").replacing("\n    \n", with: "\n\n")
            let source: DeclSyntax = """
                \(raw: availability)extension \(raw: type)\(raw: isNew ? ": \(conformance)" : "") {\(raw: body)
                }
                """
            return source.as(ExtensionDeclSyntax.self)
        }

        /// Without `nonisolated`, an app whose default isolation is the main actor could not store items.
        private var access: String { "nonisolated \(item.access.prefix)" }

        private var conformance: String {
            #if compiler(>=6.2)
                return "nonisolated Larder.DataStoreItem"
            #else
                return "Larder.DataStoreItem"
            #endif
        }

        /// An extension must repeat the availability of its type.
        private var availability: String {
            let enclosing = item.lexicalContext.compactMap { $0.asProtocol((any WithAttributesSyntax).self) }
            let lists = [item.structure.attributes] + enclosing.map(\.attributes)
            let attributes = lists.joined().compactMap { $0.as(AttributeSyntax.self) }
            return attributes.filter { $0.attributeName.trimmedDescription == "available" }
                .map { "\($0.trimmedDescription)\n" }.joined()
        }

        private var attributesType: String {
            var properties = columns.map {
                let label = $0.isIndexed ? "indexedColumn" : "column"
                return "\($0.access.prefix)let \($0.spelledName) = "
                    + "Larder.Attribute<\(item.spelledName), \($0.type)>(\(label): \($0.number))"
            }
            properties += relationships.map {
                "\($0.access.prefix)let \($0.spelledName) = "
                    + "Larder.RelationshipAttribute<\(item.spelledName), \($0.type)>(number: \($0.number))"
            }
            return """
                \(access)struct Attributes: Larder.StoredAttributes {
                    \(properties.joined(separator: "\n    "))
                }
                """
        }

        private var attributes: String { "\(access)static let attributes = Attributes()" }

        private var schema: String {
            let entries = columns.map { "\($0.schemaEntry)," }.joined(separator: "\n        ")
            let indexes = item.indexEntries.joined(separator: ", ")
            let relationships = item.relationshipEntries.map { "\n        \($0)," }.joined()
            return """
                \(access)static let schema = Larder.EntitySchema(
                    \(item.entityName),\(originalName)
                    attributes: [
                        \(entries)
                    ]\(indexes.isEmpty ? "" : ",\n    indexes: [\(indexes)]")\
                \(relationships.isEmpty ? "" : ",\n    relationships: [\(relationships)\n    ]")
                )
                """
        }

        private var originalName: String {
            item.arguments.originalName.map { " originalName: \($0)," } ?? ""
        }

        private var encoding: String {
            let lines =
                columns.map { "try row.set(self.\($0.spelledName), at: \($0.number))" }
                + relationships.map { "try row.set(self.\($0.spelledName), atRelationship: \($0.number))" }
            return """
                \(access)func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                    \(lines.joined(separator: "\n    "))
                }
                """
        }
    }

#endif
