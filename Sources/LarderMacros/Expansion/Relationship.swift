#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// One relationship without a column in the expansion: its number and its spelling.
    struct Relationship {
        /// The names of the rules that `deleteRule` takes; the macro sees the name of a rule, and not its value.
        static let deleteRules = ["nullify", "cascade", "deny", "noAction"]

        let number: Int
        let name: String
        let spelledName: String
        let storedName: String
        let type: TypeSyntax
        let access: AccessLevel
        /// The rule as `.cascade`; nil for the default.
        let deleteRule: String?
        /// The relationship that shows the same from the other end, as `Ingredient.attributes.recipe`.
        let inverse: String?
        /// True if the source says that there is none: `inverse: nil`.
        let hasNoInverse: Bool
        let originalName: ExprSyntax?
    }

    extension StoredItem {
        /// The relationships without a column in the order of their declaration.
        var relationships: [Relationship] {
            storedProperties.filter { !$0.hasColumn }.enumerated().map { number, property in
                Relationship(
                    number: number, name: property.name, spelledName: property.spelledName,
                    storedName: property.storedName, type: property.type.replacingSelf(by: spelledName),
                    access: attributeAccess(of: property),
                    deleteRule: property.spelledDeleteRule,
                    inverse: property.inversePath.map(attribute),
                    hasNoInverse: property.hasNoInverse, originalName: property.originalName)
            }
        }

        /// The relationships as the schema lists them: those without a column, then each reference with a rule.
        var relationshipEntries: [String] {
            let references = properties.filter(\.isReference).compactMap { property in
                property.spelledDeleteRule.map {
                    ".reference(\(property.storedName.literal), deleteRule: \($0))"
                }
            }
            return relationships.map { $0.schemaEntry(of: spelledName) } + references
        }

        private func attribute(at path: InversePath) -> String {
            let type = TypeSyntax(stringLiteral: path.type).replacingSelf(by: spelledName)
            return "\(type).attributes.\(path.property.text)"
        }
    }

    extension Relationship {
        /// The value of the relationship in a row, without `try`.
        var decoding: String { "row.value(atRelationship: \(number), of: Self.self)" }

        fileprivate func schemaEntry(of owner: String) -> String {
            var arguments = ["\(storedName.literal), \(type.metatype)"]
            if storedName != name { arguments.append("property: \(name.literal)") }
            if let originalName { arguments.append("originalName: \(originalName.trimmed)") }
            if let inverse { arguments.append("of: \(owner).self, inverse: \(inverse)") }
            if hasNoInverse { arguments.append("inverse: nil") }
            if let deleteRule { arguments.append("deleteRule: \(deleteRule)") }
            return ".relationship(\(arguments.joined(separator: ", ")))"
        }
    }

    extension StoredProperty {
        /// The rule as `.cascade`, or nil for `.nullify`: without the argument, the compiler refuses that rule
        /// if the other end is required.
        fileprivate var spelledDeleteRule: String? {
            let rule = deleteRule?.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainText
            // Any other name is reported at the mark, and the compiler would report it again in the schema.
            guard let rule, rule != "nullify", Relationship.deleteRules.contains(rule) else { return nil }
            return ".\(rule)"
        }
    }

#endif
