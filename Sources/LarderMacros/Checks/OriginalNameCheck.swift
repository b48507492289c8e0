#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension StoredItem {
        /// Problems of `originalName:`: values of an earlier version can move to only one property, and only
        /// if theirs is gone.
        func originalNameProblems(knownNames: Set<String>) -> [Diagnostic] {
            var owners: [String: String] = [:]
            let storedNames = storedNames
            let taken = Set(knownNames.map { storedNames[$0] ?? $0 } + ["id"])
            return ([identifier].compactMap(\.self) + storedProperties).compactMap { property in
                guard let expression = property.originalName else { return nil }
                if property.originalNames.count > 1 {
                    return Problem.originalNameTwice(property.name)
                        .diagnostic(at: property.originalNames[1])
                }
                if property.inverse != nil, !property.isReference {
                    return Problem.originalNameOfInverse(property.name).diagnostic(at: expression)
                }
                guard let original = expression.literalText, !original.isEmpty else {
                    return Problem.originalNameIsNotLiteral.diagnostic(at: expression)
                }
                if original != property.storedName, taken.contains(original) {
                    return Problem.originalNameIsTaken(original).diagnostic(at: expression)
                }
                if let owner = owners[original] {
                    return Problem.originalNameIsRepeated(original, other: owner).diagnostic(at: expression)
                }
                owners[original] = property.name
                return nil
            }
        }
    }

#endif
