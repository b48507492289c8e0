#if Macros

    import SwiftSyntax

    /// The path after `inverse:`, as in `\Ingredient.recipe`: the names of a type and of one property.
    struct InversePath {
        /// The type at the other end, as it is spelled in the path.
        let type: String
        let property: TokenSyntax

        /// Reads the path; nil for any other expression.
        ///
        /// - Parameter target: The type at the other end as the property's type spells it.
        fileprivate init?(_ expression: ExprSyntax, target: TypeSyntax) {
            guard let path = expression.as(KeyPathExprSyntax.self), let root = path.root else { return nil }
            // The parser takes only the first name for the type.
            var names = path.components.compactMap {
                $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
            }
            guard names.count == path.components.count, let property = names.popLast() else { return nil }
            type = ([root.trimmedDescription] + names.map(\.text)).joined(separator: ".")
            self.property = property
            // Types and properties differ in their case, except in scripts without case.
            let areTypes = names.allSatisfy { $0.plainText.first?.isUppercase == true }
            guard areTypes || type == target.trimmedDescription else { return nil }
        }
    }

    extension StoredProperty {
        /// The argument `inverse:`; nil also if that is spelled `nil`.
        var inverse: LabeledExprSyntax? { hasNoInverse ? nil : argument("inverse", of: .relationship) }

        /// The path after `inverse:`; nil also if it is not one.
        var inversePath: InversePath? {
            guard let inverse, let relationship else { return nil }
            return InversePath(inverse.expression, target: relationship.target)
        }

        /// True for `inverse: nil`, which says that a relationship has no inverse.
        var hasNoInverse: Bool {
            argument("inverse", of: .relationship)?.expression.is(NilLiteralExprSyntax.self) == true
        }

        /// The argument `deleteRule:`.
        var deleteRule: LabeledExprSyntax? { argument("deleteRule", of: .relationship) }
    }

#endif
