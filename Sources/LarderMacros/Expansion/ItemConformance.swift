#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// What makes a struct a `DataStoreItem`: the members that the protocol asks for, and the conformance.
    struct ItemConformance {
        private let item: StoredItem
        private let columns: [Column]

        init(item: StoredItem) {
            self.item = item
            columns = item.columns
        }

        var members: [DeclSyntax] {
            [attributesType, attributes, schema, decoding, encoding].map { "\(raw: $0)" }
        }

        /// The conformance of the type, whose name says also what types are around it.
        func declaration(for type: String) -> ExtensionDeclSyntax? {
            let source: DeclSyntax = """
                \(raw: availability)extension \(raw: type): \(raw: conformance) {
                }
                """
            return source.as(ExtensionDeclSyntax.self)
        }

        /// Without `nonisolated` no app whose default isolation is the main actor could store anything.
        private var access: String { "nonisolated \(item.access.prefix)" }

        private var conformance: String {
            #if compiler(>=6.2)
                return "nonisolated Larder.DataStoreItem"
            #else
                return "Larder.DataStoreItem"
            #endif
        }

        /// An extension is not available where its type is not, and has to say so itself.
        private var availability: String {
            let enclosing = item.lexicalContext.compactMap { $0.asProtocol((any WithAttributesSyntax).self) }
            let lists = [item.structure.attributes] + enclosing.map(\.attributes)
            let attributes = lists.joined().compactMap { $0.as(AttributeSyntax.self) }
            return attributes.filter { $0.attributeName.trimmedDescription == "available" }
                .map { "\($0.trimmedDescription)\n" }.joined()
        }

        private var attributesType: String {
            let properties = columns.map {
                "\($0.access.prefix)let \($0.spelledName) = "
                    + "Larder.Attribute<\(item.spelledName), \($0.type)>(column: \($0.number))"
            }
            return """
                \(access)struct Attributes: Swift.Sendable {
                    \(properties.joined(separator: "\n    "))
                }
                """
        }

        private var attributes: String { "\(access)static let attributes = Attributes()" }

        private var schema: String {
            let entries = columns.map { "\($0.schemaEntry)," }.joined(separator: "\n        ")
            let indexes = item.indexEntries.joined(separator: ", ")
            return """
                \(access)static let schema = Larder.EntitySchema(
                    \(item.entityName),
                    attributes: [
                        \(entries)
                    ]\(indexes.isEmpty ? "" : ",\n    indexes: [\(indexes)]")
                )
                """
        }

        private var decoding: String {
            let lines = columns.map { column in
                let fallback = column.fallback.map { ", fallback: \($0.trimmed)" } ?? ""
                return "self.\(column.spelledName) = try row.value(at: \(column.number)\(fallback))"
            }
            return """
                \(access)init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError) {
                    \(lines.joined(separator: "\n    "))
                }
                """
        }

        private var encoding: String {
            let lines = columns.map { "try row.set(self.\($0.spelledName), at: \($0.number))" }
            return """
                \(access)func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                    \(lines.joined(separator: "\n    "))
                }
                """
        }
    }

#endif
