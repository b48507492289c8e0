#if Macros

    import SwiftSyntax

    /// One stored property as the source declares it.
    struct StoredProperty {
        let identifier: TokenSyntax
        let type: TypeSyntax
        let initialValue: ExprSyntax?
        let binding: PatternBindingSyntax
        let declaration: VariableDeclSyntax

        /// The name without backticks.
        var name: String { identifier.plainText }

        /// The name as Swift needs it written.
        var spelledName: String { identifier.text }

        var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

        var access: AccessLevel { AccessLevel(declaration.modifiers) ?? .internal }

        /// True if `@Transient` excludes the property from the store.
        var isTransient: Bool { declaration.isTransient }

        /// The marks that make the property unique: `@Unique` or `@Attribute(.unique)`.
        var uniqueMarks: [AttributeSyntax] {
            attributes(.unique) + attributes(.attribute).filter(\.isUniqueOption)
        }

        /// True if the property has an index of its own.
        var isIndexed: Bool { isReference || !uniqueMarks.isEmpty || !attributes(.indexed).isEmpty }

        /// The attributes of the property that are this mark; more than one is a mistake.
        func attributes(_ mark: PropertyMark) -> [AttributeSyntax] {
            declaration.attributes.marks(mark)
        }

        /// The literal after `originalName:`; nil also if that is spelled `nil`.
        var originalName: ExprSyntax? { originalNames.first?.expression }

        /// The arguments `originalName:` of all marks that have one; more than one is a mistake.
        var originalNames: [LabeledExprSyntax] { names("originalName") }

        /// The arguments `storedAs:` of all marks that have one; more than one is a mistake.
        var storedNames: [LabeledExprSyntax] { names("storedAs") }

        /// The name in the store: after `storedAs:`, or else the name of the property.
        var storedName: String { storedNames.first?.expression.literalText ?? name }

        private func names(_ label: String) -> [LabeledExprSyntax] {
            [PropertyMark.attribute, .relationship].compactMap { argument(label, of: $0) }
                .filter { !$0.expression.is(NilLiteralExprSyntax.self) }
        }

        /// The expression after `fallback:`, in which `nil` is a value like any other.
        var fallback: ExprSyntax? { argument("fallback", of: .attribute)?.expression }

        /// The argument with a label of a mark.
        func argument(_ label: String, of mark: PropertyMark) -> LabeledExprSyntax? {
            attributes(mark).first?.argumentList.first { $0.label?.text == label }
        }
    }

#endif
