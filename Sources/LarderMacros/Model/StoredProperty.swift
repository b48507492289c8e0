#if Macros

    import SwiftSyntax

    /// One stored property as the source declares it.
    struct StoredProperty {
        let identifier: TokenSyntax
        let type: TypeSyntax
        let initialValue: ExprSyntax?
        let binding: PatternBindingSyntax
        let declaration: VariableDeclSyntax

        /// The name without backticks, as the store keeps it.
        var name: String { identifier.plainText }

        /// The name as Swift needs it written.
        var spelledName: String { identifier.text }

        var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

        var access: AccessLevel { AccessLevel(declaration.modifiers) ?? .internal }

        /// Whether the property is kept out of the store by `@Transient`.
        var isTransient: Bool { declaration.isTransient }

        /// What makes the property unique: `@Unique` or `@Attribute(.unique)`.
        var uniqueMarks: [AttributeSyntax] {
            attributes(.unique) + attributes(.attribute).filter(\.isUniqueOption)
        }

        /// Whether an index of its own is kept on the property.
        var isIndexed: Bool { !uniqueMarks.isEmpty || !attributes(.indexed).isEmpty }

        /// The attributes of the property that are this mark; more than one is a mistake.
        func attributes(_ mark: PropertyMark) -> [AttributeSyntax] {
            declaration.attributes.marks(mark)
        }

        /// The literal after `originalName:`; nil also where that is spelled `nil`.
        var originalName: ExprSyntax? {
            guard let argument = storageArgument("originalName"), !argument.is(NilLiteralExprSyntax.self)
            else { return nil }
            return argument
        }

        /// What stands after `fallback:`, where `nil` is a value like any other.
        var fallback: ExprSyntax? { storageArgument("fallback") }

        private func storageArgument(_ label: String) -> ExprSyntax? {
            attributes(.attribute).first?.argumentList.first { $0.label?.text == label }?.expression
        }
    }

#endif
