#if Macros

    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension StoredItem {
        /// Problems of relationships that the syntax shows.
        var relationshipProblems: [Diagnostic] {
            storedProperties.flatMap { property in
                guard let relationship = property.relationship else { return property.otherTypeProblems }
                return inverseProblems(of: property, relationship)
                    + (property.isReference
                        ? property.referenceProblems : property.windowProblems(relationship))
            }
        }

        private func inverseProblems(of property: StoredProperty, _ relationship: RelationshipType)
            -> [Diagnostic]
        {
            let target = relationship.target.trimmedDescription
            guard let inverse = property.inverse else {
                guard relationship.kind == .toOneInverse else {
                    return unnamedInverseProblems(of: property, relationship)
                }
                let repair = property.added("\\\(target).<#name#>", shown: "…")
                return [
                    Problem.inverseMissing(property.name, target: target)
                        .diagnostic(at: property.identifier, fixIts: [repair])
                ]
            }
            if relationship.kind == .toOne {
                return [
                    Problem.inverseOnReference(property.name, target: target).diagnostic(
                        at: inverse,
                        fixIts: [
                            property.changedType(to: "ToOneInverse<\(target)>"), property.removed(inverse),
                        ])
                ]
            }
            if relationship.kind == .orderedToMany {
                return [
                    Problem.inverseOnOrdered(property.name, target: target).diagnostic(
                        at: inverse,
                        fixIts: [property.changedType(to: "ToMany<\(target)>"), property.removed(inverse)])
                ]
            }
            guard let path = property.inversePath else {
                return [
                    Problem.inverseIsNotPath(target).diagnostic(
                        at: inverse.expression, fixIts: [inverse.expression.rooted(at: target)])
                ]
            }
            guard path.property.plainText == property.name, isOwn(path.type) else { return [] }
            return [
                Problem.ownInverse(property.name)
                    .diagnostic(at: inverse.expression, fixIts: [property.removed(inverse)])
            ]
        }

        /// The problem of links to the type itself if a ToOne of the type leads back and has no inverse.
        ///
        /// Between two types, the store reports it.
        private func unnamedInverseProblems(
            of property: StoredProperty, _ relationship: RelationshipType
        ) -> [Diagnostic] {
            guard relationship.kind != .toOne, !property.hasNoInverse, isOwn(relationship.target) else {
                return []
            }
            let inverses = Set(
                storedProperties.compactMap(\.inversePath).filter { isOwn($0.type) }
                    .map(\.property.plainText))
            let reference = properties.first { other in
                guard let back = other.relationship, back.kind == .toOne else { return false }
                return isOwn(back.target) && !inverses.contains(other.name)
            }
            guard let reference, !inverses.contains(property.name) else { return [] }
            let problem = Problem.inverseUnnamed(
                property.name, relationship.kind, reference: reference.name, type: name)
            let path = "\\\(spelledName).\(reference.spelledName)"
            let repairs = [relationship.kind == .toMany ? path : nil, "nil"].map { value in
                value.flatMap { property.added($0, shown: $0) }
            }
            return [problem.diagnostic(at: property.identifier, fixIts: repairs)]
        }

        private func isOwn(_ type: TypeSyntax) -> Bool { isOwn(type.trimmedDescription) }

        private func isOwn(_ type: String) -> Bool { ["Self", spelledName].contains(type) }
    }

    extension StoredProperty {
        /// Problems of a property that is not a relationship, and should be one.
        fileprivate var otherTypeProblems: [Diagnostic] {
            let spelling = type.trimmedDescription
            let suggestion = type.suggestedRelationship
            if let mark = attributes(.relationship).first {
                let repair = suggestion.flatMap(changedType) ?? .removing(mark)
                return [
                    Problem.relationshipOnOther(name, type: spelling, suggestion: suggestion)
                        .diagnostic(at: mark, fixIts: [repair])
                ]
            }
            guard type.containsRelationship else { return [] }
            return [
                Problem.containedRelationship(name, type: spelling, suggestion: suggestion)
                    .diagnostic(at: identifier, fixIts: [suggestion.flatMap(changedType)])
            ]
        }

        fileprivate var referenceProblems: [Diagnostic] {
            guard uniqueMarks.isEmpty, let mark = attributes(.indexed).first else { return [] }
            return [Problem.indexedReference(name).diagnostic(at: mark, fixIts: [.removing(mark)])]
        }

        /// Problems of a relationship without a column.
        fileprivate func windowProblems(_ relationship: RelationshipType) -> [Diagnostic] {
            var problems = [PropertyMark.indexed, .unique, .attribute].flatMap { mark in
                attributes(mark).map {
                    guard let repair = renamed($0) else {
                        return Problem.markOnRelationship(mark, name, relationship.kind)
                            .diagnostic(at: $0, fixIts: [.removing($0)])
                    }
                    return Problem.nameOfAttribute(name, relationship.kind, label: $0.onlyLabel ?? "")
                        .diagnostic(at: $0, fixIts: [repair])
                }
            }
            if type.wrappedInOptional != nil {
                problems.append(
                    Problem.optionalRelationship(name, kind: relationship.kind)
                        .diagnostic(at: identifier, fixIts: [changedType(to: relationship.spelling)]))
            }
            if let value = binding.initializer?.value, !value.isNotGiven {
                let repaired = ExprSyntax(stringLiteral: StoredProperty.valueNotGiven)
                    .with(\.trailingTrivia, value.trailingTrivia)
                let repair = FixIt.replacing(
                    value, with: repaired, "Change the value to '\(StoredProperty.valueNotGiven)'")
                problems.append(
                    Problem.relationshipWithValue(name, value: StoredProperty.valueNotGiven)
                        .diagnostic(at: value, fixIts: [repair]))
            }
            return problems
        }

        /// A fix-it that changes the type, unless several properties share it.
        func changedType(to spelling: String) -> FixIt? {
            guard let old = binding.typeAnnotation?.type else { return nil }
            let new = TypeSyntax(stringLiteral: spelling)
                .with(\.leadingTrivia, old.leadingTrivia).with(\.trailingTrivia, old.trailingTrivia)
            return .replacing(old, with: new, "Change the type to '\(spelling)'")
        }

        /// A fix-it for a name in `@Attribute`, which a relationship without a column has in its own mark.
        private func renamed(_ mark: AttributeSyntax) -> FixIt? {
            guard attributes(.relationship).isEmpty, inverse == nil,
                ["originalName", "storedAs"].contains(mark.onlyLabel)
            else { return nil }
            let new = mark.with(
                \.attributeName,
                TypeSyntax(stringLiteral: PropertyMark.relationship.rawValue)
                    .with(\.trailingTrivia, mark.attributeName.trailingTrivia))
            return .replacing(mark, with: new, "Change '@Attribute' to '@Relationship'")
        }

        /// A fix-it that removes `inverse:`, or the whole mark if that is all it says.
        fileprivate func removed(_ argument: LabeledExprSyntax) -> FixIt? {
            guard let mark = attributes(.relationship).first else { return nil }
            var rest = Array(mark.argumentList.filter { $0.id != argument.id })
            guard let last = rest.popLast() else { return .removing(mark, "Remove 'inverse'") }
            rest.append(last.with(\.trailingComma, argument.trailingComma))
            return .replacing(mark.argumentList, with: LabeledExprListSyntax(rest), "Remove 'inverse'")
        }

        /// A fix-it that writes `inverse:` with a value.
        fileprivate func added(_ value: String, shown: String) -> FixIt? {
            let inverse = "inverse: \(value)"
            guard let mark = attributes(.relationship).first else {
                guard let first = declaration.firstToken(viewMode: .sourceAccurate) else { return nil }
                let new = TokenSyntax.identifier(
                    "@Relationship(\(inverse)) \(first.text)", leadingTrivia: first.leadingTrivia,
                    trailingTrivia: first.trailingTrivia)
                return .replacing(first, with: new, "Add '@Relationship(inverse: \(shown))'")
            }
            let others = mark.argumentList.filter { $0.label?.text != "inverse" }.map {
                "\($0.label.map { "\($0.text): " } ?? "")\($0.expression.trimmedDescription)"
            }
            let list = (others + [inverse]).joined(separator: ", ")
            let name = mark.attributeName.trimmedDescription
            let new = TokenSyntax.identifier(
                "@\(name)(\(list))", leadingTrivia: mark.leadingTrivia, trailingTrivia: mark.trailingTrivia)
            return .replacing(mark, with: new, "Add 'inverse: \(shown)'")
        }
    }

    extension AttributeSyntax {
        /// The label of the one argument; nil if there are more, or none.
        fileprivate var onlyLabel: String? { argumentList.count == 1 ? argumentList.first?.label?.text : nil }
    }

    extension ExprSyntax {
        /// True for `.notGiven`, with or without its type.
        fileprivate var isNotGiven: Bool {
            self.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "notGiven"
        }

        /// A fix-it that writes the type into a path that leaves it out.
        fileprivate func rooted(at type: String) -> FixIt? {
            guard let path = self.as(KeyPathExprSyntax.self), path.root == nil, path.components.count == 1
            else { return nil }
            return .replacing(
                path, with: path.with(\.root, TypeSyntax(stringLiteral: type)), "Add the type '\(type)'")
        }
    }

#endif
