#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension StoredProperty {
        /// The problem of a type whose spelling shows that it cannot be stored; `type` is the node in the
        /// source.
        func typeProblems(at type: TypeSyntax) -> [Diagnostic] {
            if type.core.is(TupleTypeSyntax.self) {
                return [Problem.tupleProperty(name).diagnostic(at: type)]
            }
            if type.core.is(FunctionTypeSyntax.self) {
                return [Problem.functionProperty(name).diagnostic(at: type)]
            }
            // An optional `id` is reported as that.
            guard name != "id", let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else {
                return []
            }
            let mark = unwrapped.exclamationMark
            let repair = FixIt.replacing(
                mark, with: mark.with(\.tokenKind, .postfixQuestionMark), "Change '!' to '?'")
            return [Problem.implicitlyUnwrapped(name).diagnostic(at: mark, fixIts: [repair])]
        }
    }

    extension Diagnostic {
        static func missingType(of binding: PatternBindingSyntax, named name: TokenSyntax) -> Diagnostic {
            let type = binding.initializer?.value.literalTypeName
            let repair = type.map { FixIt.annotating(binding, with: $0, keepsValue: true) }
            let example =
                name.plainText == "id" ? "let id: UUID" : "var \(name.text): \(type ?? "SomeType")"
            return Problem.missingType(name.plainText, example: example)
                .diagnostic(at: binding.pattern, fixIts: [repair])
        }

        static func constantProperty(_ name: String, in variable: VariableDeclSyntax) -> Diagnostic {
            let repair = FixIt.exchangingSpecifier(of: variable, by: .var)
            return Problem.constantProperty(name).diagnostic(at: variable.bindingSpecifier, fixIts: [repair])
        }
    }

#endif
