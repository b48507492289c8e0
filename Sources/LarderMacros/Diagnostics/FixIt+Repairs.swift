#if Macros

    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension FixIt {
        static func replacing(_ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: String)
            -> FixIt
        {
            FixIt(
                message: Repair(message),
                changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
        }

        /// Removes an attribute or a modifier; the trivia before it (a comment, an indent) stays.
        static func removing(_ node: some SyntaxProtocol, _ message: String) -> FixIt {
            let nothing = TokenSyntax.identifier("", leadingTrivia: node.leadingTrivia)
            var changes: [Change] = [.replace(oldNode: Syntax(node), newNode: Syntax(nothing))]
            let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)
            if let next, next.leadingTrivia.first?.isWhitespace == true {
                let rest = next.leadingTrivia.drop { $0.isWhitespace }
                changes.append(.replaceLeadingTrivia(token: next, newTrivia: Trivia(pieces: rest)))
            }
            return FixIt(message: Repair(message), changes: changes)
        }

        static func removing(_ mark: AttributeSyntax) -> FixIt {
            removing(mark, "Remove '@\(mark.attributeName.trimmedDescription)'")
        }

        /// Removes one list or one name from the array literal that contains it.
        static func removing(_ element: ArrayElementSyntax, _ message: String) -> FixIt? {
            guard let elements = element.parent?.as(ArrayElementListSyntax.self) else { return nil }
            var rest = Array(elements.filter { $0.id != element.id })
            if let last = rest.popLast() {
                // A comma stays at the end only if there was one.
                let isLast = elements.last?.id == element.id
                rest.append(isLast ? last.with(\.trailingComma, element.trailingComma) : last)
            }
            return replacing(elements, with: ArrayElementListSyntax(rest), message)
        }

        /// Exchanges `let` and `var`, unless the declaration has several properties.
        static func exchangingSpecifier(of variable: VariableDeclSyntax, by keyword: Keyword) -> FixIt? {
            guard variable.bindings.count == 1 else { return nil }
            let old = variable.bindingSpecifier
            let new = old.with(\.tokenKind, .keyword(keyword))
            return replacing(old, with: new, "Change '\(old.text)' to '\(new.text)'")
        }

        /// Writes the type after the name.
        static func annotating(_ binding: PatternBindingSyntax, with type: String, keepsValue: Bool) -> FixIt
        {
            let annotation = TypeAnnotationSyntax(
                colon: .colonToken(trailingTrivia: .space), type: TypeSyntax(stringLiteral: type),
                trailingTrivia: keepsValue ? .space : binding.trailingTrivia)
            let new = binding.with(\.pattern.trailingTrivia, []).with(\.typeAnnotation, annotation)
            return replacing(
                binding, with: keepsValue ? new : new.with(\.initializer, nil),
                keepsValue ? "Add ': \(type)'" : "Replace the value with ': \(type)'")
        }
    }

#endif
