#if Macros

    package import SwiftSyntax
    package import SwiftSyntaxMacros

    /// `@StoredItem`: makes a struct storable, or reports why it cannot be.
    package struct StoredItemMacro {}

    extension StoredItemMacro: MemberMacro {
        package static func expansion(
            of node: AttributeSyntax,
            providingMembersOf declaration: some DeclGroupSyntax,
            conformingTo protocols: [TypeSyntax],
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            let reader = ItemReader(
                attribute: node, declaration: declaration, lexicalContext: context.lexicalContext)
            // Both roles read the same source; only this one reports problems, or each would be shown twice.
            for problem in reader.problems {
                context.diagnose(problem)
            }
            guard let item = reader.item else { return [] }

            // Here and not in the extension, which could not name the types around a nested struct.
            return [item.identifierDeclaration].compactMap(\.self)
                + ItemConformance(item: item).members + item.initializersInStruct
        }
    }

    extension StoredItemMacro: ExtensionMacro {
        package static func expansion(
            of node: AttributeSyntax,
            attachedTo declaration: some DeclGroupSyntax,
            providingExtensionsOf type: some TypeSyntaxProtocol,
            conformingTo protocols: [TypeSyntax],
            in context: some MacroExpansionContext
        ) throws -> [ExtensionDeclSyntax] {
            let reader = ItemReader(
                attribute: node, declaration: declaration, lexicalContext: context.lexicalContext)
            guard let item = reader.item else { return [] }

            // No protocol remains if the app has written the conformance itself.
            let conformance = ItemConformance(item: item)
            return [conformance.declaration(for: type.trimmedDescription, isNew: !protocols.isEmpty)]
                .compactMap(\.self)
        }
    }

#endif
