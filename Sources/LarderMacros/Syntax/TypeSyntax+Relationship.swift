#if Macros

    import SwiftSyntax

    extension TypeSyntax {
        /// True if this is a collection of ``ToOne`` or of another relationship.
        var containsRelationship: Bool {
            parts.contains { $0.relationship != nil || $0.containsRelationship }
        }

        /// The relationship that was probably meant: `ToMany<X>` for `[X]`, `ToOne<X>?` for `X?`.
        ///
        /// Nil for a dictionary, and for the standard library's and Foundation's values.
        var suggestedRelationship: String? {
            let isCollection =
                core.is(ArrayTypeSyntax.self) || ["Array", "Set"].contains(core.lastName)
            guard let target = isCollection ? parts.first?.item : item else { return nil }
            if isCollection { return "ToMany<\(target)>" }
            return "ToOne<\(target)>" + (wrappedInOptional == nil ? "" : "?")
        }

        /// The types of the elements of a collection.
        private var parts: [TypeSyntax] {
            if let array = core.as(ArrayTypeSyntax.self) { return [array.element] }
            if let dictionary = core.as(DictionaryTypeSyntax.self) {
                return [dictionary.key, dictionary.value]
            }
            return ["Array", "Set", "Dictionary"].contains(core.lastName) ? core.genericArguments : []
        }

        /// The item type that this names: itself, or the type in `ItemID<X>`, `ToOne<X>`, `ToMany<X>`.
        private var item: String? {
            if let relationship { return relationship.target.trimmedDescription }
            guard let name = core.lastName else { return nil }
            if name == "ItemID" { return core.genericArguments.first?.trimmedDescription }
            return Self.values.contains(name) || !core.genericArguments.isEmpty
                ? nil : core.trimmedDescription
        }

        /// Types that cannot be items.
        private static let values: Set<String> = [
            "String", "Substring", "Character", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt",
            "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "Date", "Duration", "UUID", "Data",
            "Decimal", "URL", "Array", "Set", "Dictionary",
        ]
    }

#endif
