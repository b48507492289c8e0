#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    /// The placement of a mark, which is only valid on a stored property of a `@StoredItem` struct.
    struct MarkPlacement {
        let mark: PropertyMark
        let declaration: DeclSyntax
        let lexicalContext: [Syntax]

        /// The problem of a misplaced mark, or nil if its place is right.
        var problem: Diagnostic? {
            let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes
            // The attribute passed to the macro is a copy outside the declaration, which is useless for a
            // fix-it.
            guard let attribute = attributes?.marks(mark).first else { return nil }
            guard let problem = misuse else { return nil }
            return problem.diagnostic(at: attribute, fixIts: [.removing(attribute)])
        }

        private var misuse: Problem? {
            guard let variable = declaration.as(VariableDeclSyntax.self) else {
                return .markOnOther(mark, what: "no property")
            }
            guard isInStoredItem else { return .markOutside(mark) }
            if variable.isStatic { return .markOnOther(mark, what: "a static one") }
            return variable.bindings.allSatisfy(\.isStored) ? nil : .markOnOther(mark, what: "a computed one")
        }

        private var isInStoredItem: Bool {
            let enclosing = lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
            return enclosing?.attributes.isStoredItem == true
        }
    }

#endif
