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
            let single = properties.compactMap { property -> String? in
                if !property.uniqueMarks.isEmpty { return ".unique(\(property.storedName.literal))" }
                // A reference has an index by itself.
                guard !property.attributes(.indexed).isEmpty, !property.isReference else { return nil }
                return ".index(\(property.storedName.literal))"
            }
            let storedNames = Dictionary(
                properties.map { ($0.name, $0.storedName) }, uniquingKeysWith: { first, _ in first })
            let compound = (arguments.indexes + arguments.uniques).map { list in
                let names = list.texts.map { (storedNames[$0] ?? $0).literal }.joined(separator: ", ")
                return list.mark == .unique ? ".unique(\(names))" : ".index(\(names))"
            }
            return single + compound
        }
    }

    extension String {
        /// The string as Swift writes it.
        var literal: String { StringLiteralExprSyntax(content: self).description }
    }

#endif
