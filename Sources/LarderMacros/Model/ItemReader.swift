#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    /// Reads a declaration marked `@StoredItem` into either a ``StoredItem`` or problems.
    struct ItemReader {
        private(set) var problems: [Diagnostic] = []
        private(set) var item: StoredItem?

        init(attribute: AttributeSyntax, declaration: some DeclGroupSyntax, lexicalContext: [Syntax]) {
            guard let structure = declaration.as(StructDeclSyntax.self) else {
                problems = [.notAStruct(DeclSyntax(declaration), attribute: attribute)]
                return
            }
            problems += structure.shapeProblems(lexicalContext: lexicalContext)
            let arguments = StoredItemArguments(attribute)
            let reader = PropertyReader(structure.memberBlock.members)
            let item = StoredItem(
                structure: structure, arguments: arguments, declaredProperties: reader.properties,
                lexicalContext: lexicalContext)

            problems += arguments.problems + reader.problems + item.identifierProblems + item.markProblems
            problems += item.compoundListProblems(knownNames: reader.names)
            problems += item.originalNameProblems(knownNames: reader.names)
            if problems.isEmpty {
                self.item = item
            }
        }
    }

#endif
