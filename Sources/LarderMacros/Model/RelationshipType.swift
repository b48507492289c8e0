#if Macros

    import SwiftSyntax

    /// A relationship as the spelling of a property's type shows it.
    struct RelationshipType {
        /// The kinds of relationships, as their types are spelled.
        enum Kind: String {
            case toOne = "ToOne"
            case toMany = "ToMany"
            case orderedToMany = "OrderedToMany"
            case toOneInverse = "ToOneInverse"

            /// The name with its article.
            var title: String { self == .orderedToMany ? "an \(rawValue)" : "a \(rawValue)" }
        }

        let kind: Kind
        /// The item type at the other end.
        let target: TypeSyntax

        /// The type without an optional around it, as it is spelled without its module.
        var spelling: String { "\(kind.rawValue)<\(target.trimmedDescription)>" }
    }

    extension TypeSyntax {
        /// The relationship if this is `ToOne<X>`, `ToMany<X>`, `OrderedToMany<X>` or `ToOneInverse<X>`, with
        /// or without `Larder.` before it and an optional around it.
        var relationship: RelationshipType? {
            let core = core
            if let member = core.as(MemberTypeSyntax.self),
                member.baseType.trimmedDescription != "Larder"
            {
                return nil
            }
            guard let name = core.lastName, let kind = RelationshipType.Kind(rawValue: name),
                let target = core.genericArguments.first
            else { return nil }
            return RelationshipType(kind: kind, target: target)
        }
    }

    extension StoredProperty {
        /// The relationship that the type shows; nil for `id` and for a transient property.
        var relationship: RelationshipType? { isTransient || name == "id" ? nil : type.relationship }

        /// False for a relationship that shows other items and stores nothing in its own item.
        var hasColumn: Bool { relationship == nil || isReference }

        /// True for a ToOne, which is a column with an index.
        var isReference: Bool { relationship?.kind == .toOne }

        /// The initial value that a relationship without a column has by itself.
        static var valueNotGiven: String { ".notGiven" }
    }

#endif
