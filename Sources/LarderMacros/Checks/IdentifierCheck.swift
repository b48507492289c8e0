#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension StoredItem {
        /// Problems of `id`.
        var identifierProblems: [Diagnostic] {
            guard let identifier else { return computedIdentifierProblems }
            let declaration = identifier.declaration
            var problems: [Diagnostic] = []
            if !identifier.isConstant {
                let repair = FixIt.exchangingSpecifier(of: declaration, by: .let)
                problems.append(
                    Problem.variableIdentifier.diagnostic(at: declaration.bindingSpecifier, fixIts: [repair]))
            }
            if identifier.type.isOptional {
                let annotation = identifier.binding.typeAnnotation.map { Syntax($0.type) }
                let type = identifier.type.core.trimmedDescription
                problems.append(
                    Problem.optionalIdentifier(type: type).diagnostic(
                        at: annotation ?? Syntax(identifier.identifier),
                        fixIts: [identifier.changedType(to: type)]))
            }
            if identifier.initialValue != nil {
                problems.append(.identifierWithValue(identifier.binding))
            }
            if identifier.access < access {
                let repair = declaration.raised(to: access)
                problems.append(
                    Problem.hiddenIdentifier(access).diagnostic(at: identifier.identifier, fixIts: [repair]))
            }
            return problems
        }

        private var computedIdentifierProblems: [Diagnostic] {
            let variables = structure.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
            return variables.filter { !$0.isStatic }.flatMap(\.bindings).compactMap { binding in
                let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
                guard !binding.isStored, pattern?.identifier.plainText == "id" else { return nil }
                return Problem.computedIdentifier(spelledName).diagnostic(at: binding.pattern)
            }
        }
    }

    extension Diagnostic {
        static func identifierWithValue(_ binding: PatternBindingSyntax) -> Diagnostic {
            let node = binding.initializer.map(Syntax.init) ?? Syntax(binding)
            return Problem.identifierWithValue.diagnostic(at: node, fixIts: [binding.withoutValue])
        }
    }

    extension PatternBindingSyntax {
        fileprivate var withoutValue: FixIt? {
            guard let initializer else { return nil }
            if typeAnnotation != nil {
                var new = self.with(\.initializer, nil)
                new.trailingTrivia = initializer.trailingTrivia
                return .replacing(self, with: new, "Remove the value")
            }
            guard let type = initializer.value.literalTypeName ?? initializer.value.constructedTypeName else {
                return nil
            }
            return .annotating(self, with: type, keepsValue: false)
        }
    }

    extension ExprSyntax {
        /// `UUID` if this is `UUID()`, `ItemID<Recipe>` if this is `ItemID<Recipe>()`.
        fileprivate var constructedTypeName: String? {
            guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.isEmpty else { return nil }
            let name = call.calledExpression.trimmedDescription
            let isType = name.split(separator: ".").allSatisfy { $0.first?.isUppercase == true }
            return isType ? name : nil
        }
    }

    extension VariableDeclSyntax {
        /// A fix-it that makes the property visible at the level.
        fileprivate func raised(to level: AccessLevel) -> FixIt? {
            let message = "Make it \(level.rawValue)"
            if let modifier = modifiers.first(where: {
                $0.detail == nil && AccessLevel(rawValue: $0.name.text) != nil
            }) {
                let name = modifier.name
                return .replacing(name, with: name.with(\.tokenKind, .identifier(level.rawValue)), message)
            }
            var specifier = bindingSpecifier
            specifier.leadingTrivia = []
            let trivia = bindingSpecifier.leadingTrivia
            let new = TokenSyntax.identifier(
                "\(level.rawValue) \(specifier.text)", leadingTrivia: trivia,
                trailingTrivia: specifier.trailingTrivia)
            return .replacing(bindingSpecifier, with: new, message)
        }
    }

#endif
