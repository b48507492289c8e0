#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension StoredItem {
        /// `@Indexed`, `@Unique` and `@Attribute` where they clash or cannot be.
        var markProblems: [Diagnostic] {
            var problems = properties.flatMap { $0.clashProblems + $0.indexabilityProblems }
            for mark in [PropertyMark.indexed, .unique] {
                problems += (identifier?.attributes(mark) ?? []).map {
                    Problem.markOnIdentifier(mark).diagnostic(at: $0, fixIts: [.removing($0)])
                }
            }
            return problems
        }
    }

    extension StoredProperty {
        fileprivate var clashProblems: [Diagnostic] {
            var problems: [Diagnostic] = []
            for mark in [PropertyMark.indexed, .unique, .attribute] {
                problems += attributes(mark).dropFirst().map {
                    Problem.repeatedMark(mark, name).diagnostic(at: $0, fixIts: [.removing($0)])
                }
            }
            if !attributes(.unique).isEmpty, let indexed = attributes(.indexed).first {
                problems.append(
                    Problem.indexedAndUnique(name).diagnostic(at: indexed, fixIts: [.removing(indexed)]))
            }
            return problems
        }

        fileprivate var indexabilityProblems: [Diagnostic] {
            guard type.isNotIndexable else { return [] }
            return (attributes(.indexed) + attributes(.unique)).map {
                Problem.notIndexable(name, type: type.core.trimmedDescription)
                    .diagnostic(at: $0, fixIts: [.removing($0)])
            }
        }
    }

#endif
