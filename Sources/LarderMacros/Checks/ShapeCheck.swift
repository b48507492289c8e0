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
            if let keyword = modifiers.privateKeyword, !lexicalContext.isEmpty {
                problems.append(
                    Problem.privateInType(name.plainText)
                        .diagnostic(at: keyword, fixIts: [.makingFileprivate(keyword)]))
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

    extension StoredItem {
        /// Problems of properties whose types are private to the struct, so that no attribute can be of them.
        var hiddenTypeProblems: [Diagnostic] {
            let types = structure.memberBlock.members.compactMap(\.decl.declaredType)
            return storedProperties.flatMap { property -> [Diagnostic] in
                types.compactMap { type -> Diagnostic? in
                    let keyword = type.asProtocol((any WithModifiersSyntax).self)?.modifiers.privateKeyword
                    guard let keyword, property.type.names(type.name.plainText, of: name) else { return nil }
                    return Problem.privateType(type.name.plainText, of: property.name, in: name)
                        .diagnostic(at: property.identifier, fixIts: [.makingFileprivate(keyword)])
                }
            }
        }
    }

    extension DeclModifierListSyntax {
        fileprivate var privateKeyword: TokenSyntax? {
            first(where: { $0.name.tokenKind == .keyword(.private) })?.name
        }
    }

    extension FixIt {
        fileprivate static func makingFileprivate(_ keyword: TokenSyntax) -> FixIt {
            replacing(
                keyword, with: keyword.with(\.tokenKind, .keyword(.fileprivate)),
                "Change 'private' to 'fileprivate'")
        }
    }

    extension Syntax {
        fileprivate var isGeneric: Bool {
            asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }

        fileprivate var isPrivateType: Bool {
            asProtocol((any DeclGroupSyntax).self)?.modifiers.privateKeyword != nil
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
            return declaredType?.name.plainText == "Attributes" ? declaredType?.name : nil
        }

        /// The type or the other name of a type that this declares.
        fileprivate var declaredType: (any NamedDeclSyntax)? {
            let isType =
                self.asProtocol((any DeclGroupSyntax).self) != nil || self.is(TypeAliasDeclSyntax.self)
            return isType ? self.asProtocol((any NamedDeclSyntax).self) : nil
        }
    }

#endif
