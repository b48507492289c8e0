#if Macros

    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension StoredItem {
        /// `let id`, unless the struct declares it.
        var identifierDeclaration: DeclSyntax? {
            guard identifier == nil else { return nil }
            return "\(raw: access.prefix)let id: \(raw: generatedIdentifierType)"
        }

        /// The memberwise initialiser, unless the struct declares one with the same labels.
        var memberwiseInitializer: DeclSyntax? {
            let labels = ["id"] + properties.map(\.name)
            guard !declaredInitializers.contains(labels) else { return nil }

            let parameters = ([identifierParameter] + properties.map(\.parameter)).joined(
                separator: ",\n    ")
            let names = ["id"] + properties.map(\.spelledName)
            let assignments = names.map { "self.\($0) = \($0)" }.joined(separator: "\n    ")
            // An app whose default isolation is the main actor still makes items anywhere.
            return """
                nonisolated \(raw: access.prefix)init(
                    \(raw: parameters)
                ) {
                    \(raw: assignments)
                }
                """
        }

        private var generatedIdentifierType: String { "Larder.ItemID<\(spelledName)>" }

        private var identifierParameter: String {
            guard let identifier else {
                return "id: \(generatedIdentifierType) = \(generatedIdentifierType)()"
            }
            let type = identifier.type
            return "id: \(type)" + (isMadeByClient(type) ? " = \(type)()" : "")
        }

        /// Whether new values of the identifier's type need nothing from the app.
        private func isMadeByClient(_ type: TypeSyntax) -> Bool {
            if type.lastName == "UUID" { return true }
            guard type.lastName == "ItemID", let item = type.genericArguments.first else { return false }
            return ["Self", name].contains(item.lastName)
        }

        private var declaredInitializers: [[String]] {
            let initializers = structure.memberBlock.members.compactMap {
                $0.decl.as(InitializerDeclSyntax.self)
            }
            return initializers.map { $0.signature.parameterClause.parameters.map(\.firstName.plainText) }
        }
    }

    extension StoredProperty {
        fileprivate var parameter: String {
            if let initialValue { return "\(spelledName): \(type) = \(initialValue)" }
            return "\(spelledName): \(type)" + (type.wrappedInOptional == nil ? "" : " = nil")
        }
    }

#endif
