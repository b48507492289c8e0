#if Macros

    import SwiftParser
    import SwiftSyntax

    extension TokenSyntax {
        /// The text without the backticks that a keyword needs as a name.
        var plainText: String {
            text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`")
                ? String(text.dropFirst().dropLast()) : text
        }
    }

    extension AttributeSyntax {
        /// The arguments in parentheses; empty if there are no parentheses.
        var argumentList: LabeledExprListSyntax {
            arguments?.as(LabeledExprListSyntax.self) ?? []
        }

        /// True if this is `@Name` or `@Larder.Name`.
        func isLarder(_ name: String) -> Bool {
            let spelling = attributeName.trimmedDescription
            return spelling == name || spelling == "Larder.\(name)"
        }
    }

    extension AttributeSyntax {
        /// True if this is `@Attribute(.unique)`, as in SwiftData; other arguments may follow.
        var isUniqueOption: Bool {
            argumentList.contains { argument in
                let option = argument.expression.as(MemberAccessExprSyntax.self)
                return argument.label == nil && option?.declName.baseName.text == "unique"
            }
        }
    }

    extension AttributeSyntax {
        /// The comparison of texts after `@Indexed` or `@Unique`; nil for the exact one.
        var matching: ExprSyntax? {
            guard isLarder(PropertyMark.indexed.rawValue) || isLarder(PropertyMark.unique.rawValue),
                let expression = argumentList.first?.expression,
                expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text != "exact",
                expression.as(ArrayExprSyntax.self)?.elements.isEmpty != true
            else { return nil }
            return expression
        }

        /// The comparison of texts as a list has it after a name, `[cd]`; a constant as it is spelled.
        var matchingFlags: String {
            guard let matching else { return "" }
            let flags = ["caseInsensitive": "c", "diacriticInsensitive": "d"]
            let options = matching.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [matching]
            let known = options.compactMap { option in
                option.as(MemberAccessExprSyntax.self).flatMap { flags[$0.declName.baseName.text] }
            }
            guard known.count == options.count else { return matching.trimmedDescription }
            return "[\(Set(known).sorted().joined())]"
        }

        /// True if another mark compares in the same way.
        func hasMatching(of other: AttributeSyntax?) -> Bool { other?.matchingFlags == matchingFlags }
    }

    extension AttributeListSyntax {
        func marks(_ mark: PropertyMark) -> [AttributeSyntax] {
            compactMap { $0.as(AttributeSyntax.self) }.filter { $0.isLarder(mark.rawValue) }
        }

        /// Larder's marks inside of `#if`.
        var conditionalMarks: [AttributeSyntax] {
            flatMap { element -> [AttributeSyntax] in
                guard case .ifConfigDecl(let conditional) = element else { return [] }
                return conditional.clauses.flatMap { clause -> [AttributeSyntax] in
                    guard case .attributes(let attributes) = clause.elements else { return [] }
                    let marks = PropertyMark.allCases.flatMap(attributes.marks)
                    return marks + attributes.conditionalMarks
                }
            }
        }

        var isStoredItem: Bool {
            contains { $0.as(AttributeSyntax.self)?.isLarder("StoredItem") == true }
        }
    }

    extension AttributeListSyntax.Element {
        /// True if this is one of Larder's marks, and not another attribute or a condition.
        var isPropertyMark: Bool {
            guard let attribute = self.as(AttributeSyntax.self) else { return false }
            return PropertyMark.allCases.contains { attribute.isLarder($0.rawValue) }
        }
    }

    extension VariableDeclSyntax {
        var isTransient: Bool { !attributes.marks(.transient).isEmpty }

        var isStatic: Bool {
            modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
        }
    }

    extension PatternBindingSyntax {
        /// True if the property has storage of its own: without accessors, or only with observers.
        var isStored: Bool {
            switch accessorBlock?.accessors {
            case nil:
                return true
            case .getter:
                return false
            case .accessors(let accessors):
                let observers: [TokenKind] = [.keyword(.willSet), .keyword(.didSet)]
                return accessors.allSatisfy { observers.contains($0.accessorSpecifier.tokenKind) }
            }
        }

        /// True if the property sets stored ones in initializers.
        var hasInitAccessor: Bool {
            guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
            return accessors.contains { $0.accessorSpecifier.text == "init" }
        }
    }

    extension ExprSyntax {
        /// True for one of these members of a type of Larder, with or without the type before it.
        func isMember(of type: String, among names: [String]) -> Bool {
            guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
            return names.contains(member.declName.baseName.plainText)
                && [nil, type, "Larder.\(type)"].contains(member.base?.trimmedDescription)
        }

        /// True for an `if` or a `switch`, which Swift takes as a value in few places only.
        var isBranching: Bool { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) }

        /// True if the value is written out, without a name.
        var isLiteral: Bool {
            if literalTypeName != nil {
                return self.is(StringLiteralExprSyntax.self) ? literalText != nil : true
            }
            if self.is(NilLiteralExprSyntax.self) { return true }
            if let array = self.as(ArrayExprSyntax.self) {
                return array.elements.allSatisfy { $0.expression.isLiteral }
            }
            guard let dictionary = self.as(DictionaryExprSyntax.self) else { return false }
            switch dictionary.content {
            case .colon: return true
            case .elements(let elements):
                return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
            }
        }

        /// The text of a string literal, or nil if this is not a string literal or has interpolations.
        var literalText: String? {
            self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }

        /// The type that Swift infers for a literal, if the spelling alone shows it.
        var literalTypeName: String? {
            if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
            if self.is(FloatLiteralExprSyntax.self) { return "Double" }
            if self.is(StringLiteralExprSyntax.self) { return "String" }
            if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
            guard let prefixed = self.as(PrefixOperatorExprSyntax.self), prefixed.operator.text == "-" else {
                return nil
            }
            return prefixed.expression.literalTypeName
        }
    }

#endif
