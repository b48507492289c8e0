#if Macros

    import SwiftSyntax

    /// A struct marked `@StoredItem`: its name, its access level, its properties, its indexes.
    struct StoredItem {
        let structure: StructDeclSyntax
        let arguments: StoredItemArguments
        /// The properties in the order of their declaration, including a declared `id` and `@Transient`
        /// properties.
        let declaredProperties: [StoredProperty]
        let lexicalContext: [Syntax]

        init(
            structure: StructDeclSyntax, arguments: StoredItemArguments,
            declaredProperties: [StoredProperty], lexicalContext: [Syntax]
        ) {
            self.structure = structure
            self.arguments = arguments
            self.declaredProperties = declaredProperties
            self.lexicalContext = lexicalContext
        }

        /// The declared `id`, or nil if the macro adds it.
        var identifier: StoredProperty? { declaredProperties.first { $0.name == "id" } }

        /// All properties with a column except `id`, in the order of their columns, beginning with column 1.
        var properties: [StoredProperty] { storedProperties.filter(\.hasColumn) }

        /// The properties except `id` that a store knows: those with a column, and the relationships without.
        var storedProperties: [StoredProperty] { settableProperties.filter { !$0.isTransient } }

        /// The names in the store by the names of the properties.
        var storedNames: [String: String] {
            Dictionary(
                storedProperties.map { ($0.name, $0.storedName) }, uniquingKeysWith: { first, _ in first })
        }

        /// The properties except `id`: the stored and the transient ones.
        var settableProperties: [StoredProperty] { declaredProperties.filter { $0.name != "id" } }

        /// The parameters of an item's initializer besides `id`.
        ///
        /// A transient property that is less visible than the item is not among them, as its type may be
        /// hidden too.
        var parameters: [StoredProperty] {
            settableProperties.filter { !$0.isTransient || $0.access >= access }
        }

        /// The type's own name, without the enclosing types.
        var name: String { structure.name.plainText }

        /// The type's own name as Swift needs it written.
        var spelledName: String { structure.name.text }

        /// The level of generated members, which are visible wherever the struct is.
        var access: AccessLevel { .ofMembers(in: structure, lexicalContext: lexicalContext) }
    }

#endif
