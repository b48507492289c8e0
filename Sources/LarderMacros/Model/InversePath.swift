#if Macros

    import SwiftSyntax

    /// The path after `inverse:`, as in `\Ingredient.recipe`: the names of a type and of one property.
    struct InversePath {
        /// The type at the other end, as it is spelled in the path.
        let type: String
        let property: TokenSyntax

        /// Reads the path; nil for any other expression.
        init?(_ expression: ExprSyntax) {
            guard let path = expression.as(KeyPathExprSyntax.self), let root = path.root else { return nil }
            // The parser takes only the first name for the type.
            var names = path.components.compactMap {
                $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
            }
            guard names.count == path.components.count, let property = names.popLast(),
                names.allSatisfy({ $0.plainText.first?.isUppercase == true })
            else { return nil }
            type = ([root.trimmedDescription] + names.map(\.text)).joined(separator: ".")
            self.property = property
        }
    }

    extension StoredProperty {
        /// The argument `inverse:`; nil also if that is spelled `nil`.
        var inverse: LabeledExprSyntax? { hasNoInverse ? nil : argument("inverse", of: .relationship) }

        /// True for `inverse: nil`, which says that a relationship has no inverse.
        var hasNoInverse: Bool {
            argument("inverse", of: .relationship)?.expression.is(NilLiteralExprSyntax.self) == true
        }

        /// The argument `deleteRule:`.
        var deleteRule: LabeledExprSyntax? { argument("deleteRule", of: .relationship) }
    }

#endif
