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
            problems += item.hiddenTypeProblems
            let names = reader.names.subtracting(item.relationships.map(\.name))
            problems += item.relationshipProblems + item.compoundListProblems(knownNames: names)
            problems += item.storedNameProblems + item.originalNameProblems(knownNames: names)
            if !problems.contains(where: { $0.diagMessage.severity == .error }) {
                self.item = item
            }
        }
    }

#endif
