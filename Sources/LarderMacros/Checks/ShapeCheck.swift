#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension Diagnostic {
        /// The problem of `@StoredItem` on a class, an actor, an enum or another declaration.
        static func notAStruct(_ declaration: DeclSyntax, attribute: AttributeSyntax) -> Diagnostic {
            let problem: (String, TokenSyntax) -> Problem = {
                .notAStruct(kind: $0, name: "'\($1.plainText)'")
            }
            if let declaration = declaration.as(ClassDeclSyntax.self) {
                return problem("a class", declaration.name)
                    .diagnostic(at: declaration.classKeyword, fixIts: [declaration.turnedIntoStruct])
            }
            if let declaration = declaration.as(ActorDeclSyntax.self) {
                return problem("an actor", declaration.name).diagnostic(at: declaration.actorKeyword)
            }
            if let declaration = declaration.as(EnumDeclSyntax.self) {
                return problem("an enum", declaration.name).diagnostic(at: declaration.enumKeyword)
            }
            return Problem.notAStruct(kind: "something else", name: "this").diagnostic(at: attribute)
        }
    }

    extension ClassDeclSyntax {
        /// A fix-it for a class that only its keyword distinguishes from a struct.
        fileprivate var turnedIntoStruct: FixIt? {
            let mayBeSuperclass = inheritanceClause != nil
            let hasDeinitializer = memberBlock.members.contains { $0.decl.is(DeinitializerDeclSyntax.self) }
            let onlyOfClasses: [TokenKind] = [.keyword(.final), .keyword(.open)]
            let isModified = modifiers.contains { onlyOfClasses.contains($0.name.tokenKind) }
            guard !mayBeSuperclass, !hasDeinitializer, !isModified else { return nil }
            return .replacing(
                classKeyword, with: classKeyword.with(\.tokenKind, .keyword(.struct)),
                "Change 'class' to 'struct'")
        }
    }

    extension StructDeclSyntax {
        /// Problems of the struct as a whole.
        func shapeProblems(lexicalContext: [Syntax]) -> [Diagnostic] {
            var problems: [Diagnostic] = []
            if let clause = genericParameterClause {
                problems.append(Problem.genericStruct(name.plainText).diagnostic(at: clause))
            } else if lexicalContext.contains(where: \.isGeneric) {
                problems.append(Problem.genericSurroundings(name.plainText).diagnostic(at: name))
            }
            let privateModifier = modifiers.first { $0.name.tokenKind == .keyword(.private) }
            if let privateModifier, !lexicalContext.isEmpty {
                let keyword = privateModifier.name
                let repair = FixIt.replacing(
                    keyword, with: keyword.with(\.tokenKind, .keyword(.fileprivate)),
                    "Change 'private' to 'fileprivate'")
                problems.append(
                    Problem.privateInType(name.plainText).diagnostic(at: keyword, fixIts: [repair]))
            }
            // A type that is not nested is seen in its file, even if it is private.
            let hiding = lexicalContext.dropLast().filter(\.isPrivateType)
            problems += hiding.compactMap { $0.asProtocol((any NamedDeclSyntax).self) }.map {
                Problem.privateSurroundings(name.plainText, type: $0.name.plainText).diagnostic(at: name)
            }
            return problems
                + memberBlock.members.compactMap { $0.decl.reservedName }.map {
                    Problem.reservedMember($0.plainText).diagnostic(at: $0)
                }
        }
    }

    extension Syntax {
        fileprivate var isGeneric: Bool {
            asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }

        fileprivate var isPrivateType: Bool {
            asProtocol((any DeclGroupSyntax).self).flatMap { AccessLevel($0.modifiers) } == .private
        }
    }

    extension DeclSyntax {
        /// The name of a declared member that the expansion would declare again.
        fileprivate var reservedName: TokenSyntax? {
            if let variable = self.as(VariableDeclSyntax.self) {
                guard variable.isStatic else { return nil }
                return variable.bindings.compactMap {
                    $0.pattern.as(IdentifierPatternSyntax.self)?.identifier
                }
                .first { ["attributes", "schema"].contains($0.plainText) }
            }
            let isType =
                self.asProtocol((any DeclGroupSyntax).self) != nil || self.is(TypeAliasDeclSyntax.self)
            let named = self.asProtocol((any NamedDeclSyntax).self)
            guard isType, let named, named.name.plainText == "Attributes" else { return nil }
            return named.name
        }
    }

#endif
