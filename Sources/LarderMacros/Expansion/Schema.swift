#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension Column {
        /// The property as the schema describes it.
        var schemaEntry: String {
            var arguments = ["\(storedName.literal), \(type.metatype)"]
            if storedName != name { arguments.append("property: \(name.literal)") }
            if let originalName { arguments.append("originalName: \(originalName.trimmed)") }
            if let initialValue { arguments.append("default: \(initialValue)") }
            return ".attribute(\(arguments.joined(separator: ", ")))"
        }
    }

    extension StoredItem {
        /// The name under which the type is stored, as a literal.
        var entityName: String { arguments.entityName?.description ?? name.literal }

        /// Indexes of single properties in the order of their declaration, then the compound ones.
        var indexEntries: [String] {
            let single = properties.flatMap { property -> [String] in
                let unique = property.uniqueMarks.first
                // A reference has an index by itself.
                let indexed = property.isReference ? nil : property.attributes(.indexed).first
                return [
                    unique.map { ".unique(\(property.storedName.literal)\($0.matchingArgument))" },
                    indexed.flatMap { indexed in
                        indexed.hasMatching(of: unique)
                            ? nil : ".index(\(property.storedName.literal)\(indexed.matchingArgument))"
                    },
                ].compactMap(\.self)
            }
            let storedNames = storedNames
            let compound = (arguments.indexes + arguments.uniques).map { list in
                let names = list.names.map { ((storedNames[$0.text] ?? $0.text) + $0.flags).literal }
                    .joined(separator: ", ")
                return list.mark == .unique ? ".unique(\(names))" : ".index(\(names))"
            }
            return single + compound
        }
    }

    extension AttributeSyntax {
        /// The comparison of texts as a further argument.
        fileprivate var matchingArgument: String { matching.map { ", \($0.trimmed)" } ?? "" }
    }

    extension String {
        /// The string as Swift writes it.
        var literal: String { StringLiteralExprSyntax(content: self).description }
    }

#endif
