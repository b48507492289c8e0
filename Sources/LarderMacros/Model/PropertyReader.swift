#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    /// Reads the stored properties of a struct and collects their problems.
    struct PropertyReader {
        private(set) var properties: [StoredProperty] = []
        private(set) var problems: [Diagnostic] = []
        private var identifiers: [TokenSyntax] = []

        /// The names of all stored properties, including properties with a problem, so that it is reported
        /// only once.
        var names: Set<String> { Set(identifiers.map(\.plainText)) }

        init(_ members: MemberBlockItemListSyntax) {
            for member in members {
                if let variable = member.decl.as(VariableDeclSyntax.self), !variable.isStatic {
                    read(variable)
                } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                    refuseStoredProperties(in: conditional)
                }
            }
        }

        private mutating func read(_ variable: VariableDeclSyntax) {
            problems += variable.attributes.conditionalMarks.map {
                Problem.conditionalMark.diagnostic(at: $0)
            }
            let bindings = Array(variable.bindings)
            for (index, binding) in bindings.enumerated() where binding.isStored {
                guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
                    problems.append(Problem.tuplePattern.diagnostic(at: binding.pattern))
                    continue
                }
                // An index cannot use a transient property.
                if !variable.isTransient { identifiers.append(identifier) }
                read(identifier, of: binding, type: bindings.declaredType(at: index), in: variable)
            }
        }

        private mutating func read(
            _ identifier: TokenSyntax, of binding: PatternBindingSyntax, type: TypeSyntax?,
            in variable: VariableDeclSyntax
        ) {
            let name = identifier.plainText
            if let lazy = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.lazy) }) {
                let repair = FixIt.removing(lazy, "Remove 'lazy'")
                problems.append(Problem.lazyProperty(name).diagnostic(at: lazy, fixIts: [repair]))
                return
            }
            if name == "self" {
                problems.append(Problem.selfProperty.diagnostic(at: identifier))
            }
            if name != "id", variable.bindingSpecifier.tokenKind == .keyword(.let) {
                problems.append(.constantProperty(name, in: variable))
            }
            if let type {
                let property = StoredProperty(
                    identifier: identifier, type: type.trimmed,
                    initialValue: binding.initializer?.value.trimmed,
                    binding: binding, declaration: variable)
                properties.append(property)
                if !variable.isTransient || name == "id" { problems += property.typeProblems(at: type) }
                // The value of a transient property is not repeated for the schema.
                if name != "id", !variable.isTransient, let value = binding.initializer?.value,
                    value.isBranching
                {
                    problems.append(Problem.branchingValue(name).diagnostic(at: value))
                }
            } else if name != "id" || binding.initializer == nil {
                problems.append(.missingType(of: binding, named: identifier))
            } else {
                problems.append(.identifierWithValue(binding))
            }
        }

        private mutating func refuseStoredProperties(in conditional: IfConfigDeclSyntax) {
            for clause in conditional.clauses {
                guard case .decls(let members) = clause.elements else { continue }
                let nested = PropertyReader(members)
                identifiers += nested.identifiers
                problems += nested.identifiers.map {
                    Problem.conditionalProperty($0.plainText).diagnostic(at: $0)
                }
            }
        }
    }

    extension [PatternBindingSyntax] {
        /// The type of one binding; in `var x, y: Int` a later binding has it.
        fileprivate func declaredType(at index: Int) -> TypeSyntax? {
            if let type = self[index].typeAnnotation?.type { return type }
            guard self[index].initializer == nil else { return nil }
            return self[index...].first { $0.typeAnnotation != nil }?.typeAnnotation?.type
        }
    }

#endif
