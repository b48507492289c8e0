#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension StoredItem {
        /// `let id`, unless the struct declares it.
        var identifierDeclaration: DeclSyntax? {
            guard identifier == nil else { return nil }
            return "\(raw: access.prefix)let id: \(identifierType)"
        }

        /// The type of the `id`, declared or generated.
        var identifierType: TypeSyntax {
            identifier?.type ?? "Larder.ItemID<\(raw: spelledName)>"
        }

        /// True if new values of the identifier's type can be made without the app.
        var isIdentifierMade: Bool {
            if identifierType.lastName == "UUID" { return true }
            guard identifierType.lastName == "ItemID", let item = identifierType.genericArguments.first else {
                return false
            }
            return ["Self", name].contains(item.lastName)
        }
    }

#endif
