#if Macros

    import SwiftSyntax

    /// A struct marked `@StoredItem`: its name, its access level, its properties, its indexes.
    struct StoredItem {
        let structure: StructDeclSyntax
        let arguments: StoredItemArguments
        /// The properties in the order of their declaration, `id` among them where it is declared, and those
        /// that are `@Transient`.
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

        /// The declared `id`; nil where the macro adds it.
        var identifier: StoredProperty? { declaredProperties.first { $0.name == "id" } }

        /// All stored properties but `id`, in the order of their columns, the first of which is column 1.
        var properties: [StoredProperty] { settableProperties.filter { !$0.isTransient } }

        /// The properties but `id`: the stored and the transient ones.
        var settableProperties: [StoredProperty] { declaredProperties.filter { $0.name != "id" } }

        /// What an item is made from, besides `id`: not a transient property that fewer can see than the
        /// item, as its type may be hidden from them too.
        var parameters: [StoredProperty] {
            settableProperties.filter { !$0.isTransient || $0.access >= access }
        }

        /// The type's own name, without the types around it.
        var name: String { structure.name.plainText }

        /// The type's own name as Swift needs it written.
        var spelledName: String { structure.name.text }

        /// The level of generated members: they are seen wherever the struct is.
        var access: AccessLevel { .ofMembers(in: structure, lexicalContext: lexicalContext) }
    }

#endif
