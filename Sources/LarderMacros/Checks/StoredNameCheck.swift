#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension StoredItem {
        /// Problems of `storedAs:`: no two properties can have one name in the store.
        var storedNameProblems: [Diagnostic] {
            var owners = ["id": "id"]
            // A name that is not said is the older claim.
            for property in storedProperties where property.storedNames.isEmpty {
                owners[property.name] = property.name
            }
            return ([identifier].compactMap(\.self) + storedProperties).compactMap { property in
                guard let expression = property.storedNames.first?.expression else { return nil }
                if property.storedNames.count > 1 {
                    return Problem.storedNameTwice(property.name).diagnostic(at: property.storedNames[1])
                }
                if property.name == "id" {
                    return Problem.storedNameOfIdentifier.diagnostic(at: expression)
                }
                if property.inverse != nil, !property.isReference {
                    return Problem.storedNameOfInverse(property.name).diagnostic(at: expression)
                }
                guard let stored = expression.literalText, !stored.isEmpty else {
                    return Problem.storedNameIsNotLiteral.diagnostic(at: expression)
                }
                if let owner = owners[stored] {
                    return Problem.storedNameIsTaken(stored, other: owner).diagnostic(at: expression)
                }
                owners[stored] = property.name
                return nil
            }
        }
    }

#endif
