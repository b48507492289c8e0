#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    /// The placement of a mark, which is only valid on a stored property of a `@StoredItem` struct, and its arguments.
    struct MarkPlacement {
        let mark: PropertyMark
        let declaration: DeclSyntax
        let lexicalContext: [Syntax]

        /// The problem of a misplaced mark or of its arguments, or nil if it has none.
        var problem: Diagnostic? {
            let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes
            // The attribute passed to the macro is a copy outside the declaration, which is useless for a
            // fix-it.
            guard let attribute = attributes?.marks(mark).first else { return nil }
            guard let problem = misuse else { return attribute.argumentProblem }
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

    extension AttributeSyntax {
        /// The problem of a delete rule or an option that is a constant: the macro sees its name, and not its value.
        ///
        /// It is found by the mark and not by `@StoredItem`: the compiler expands a mark only if its arguments are
        /// valid, so a misspelled rule is reported once.
        fileprivate var argumentProblem: Diagnostic? {
            let rule = argumentList.first { $0.label?.text == "deleteRule" }?.expression
            if let rule, !rule.isMember(of: "DeleteRule", among: Relationship.deleteRules) {
                return Problem.ruleIsNotLiteral.diagnostic(at: rule)
            }
            guard isLarder(PropertyMark.attribute.rawValue) else { return nil }
            // The compiler reports all except the first as unavailable.
            let options = ["unique", "externalStorage", "ephemeral", "transformable"]
            let option = argumentList.first {
                $0.label == nil && !$0.expression.isMember(of: "AttributeOption", among: options)
            }
            return option.map { Problem.optionIsNotLiteral.diagnostic(at: $0.expression) }
        }
    }

#endif
