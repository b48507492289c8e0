#if Macros

    import SwiftDiagnostics
    import SwiftSyntax

    extension StoredItem {
        /// Problems of `@Indexed`, `@Unique` and `@Attribute` if they clash or are not allowed.
        var markProblems: [Diagnostic] {
            var problems = settableProperties.flatMap {
                $0.isTransient ? $0.transienceProblems : $0.clashProblems + $0.indexabilityProblems
            }
            if let identifier {
                let marks =
                    identifier.attributes(.indexed) + identifier.uniqueMarks
                    + identifier.attributes(.relationship)
                problems += (marks + identifier.attributes(.transient)).map {
                    Problem.markOnIdentifier($0).diagnostic(at: $0, fixIts: [$0.removedMark])
                }
            }
            return problems
        }
    }

    extension StoredProperty {
        fileprivate var clashProblems: [Diagnostic] {
            var problems: [Diagnostic] = []
            for mark in hasColumn ? PropertyMark.allCases : [.relationship] {
                problems += attributes(mark).dropFirst().map {
                    Problem.repeatedMark(mark, name).diagnostic(at: $0, fixIts: [.removing($0)])
                }
            }
            // A relationship without a column has none of these marks, and each is reported as such.
            guard hasColumn else { return problems }
            if let unique = uniqueMarks.dropFirst().first, attributes(.unique).count == 1 {
                problems.append(
                    Problem.uniqueTwice(name).diagnostic(at: unique, fixIts: [unique.removedMark]))
            }
            if let indexed = attributes(.indexed).first, indexed.hasMatching(of: uniqueMarks.first) {
                problems.append(
                    Problem.indexedAndUnique(name).diagnostic(at: indexed, fixIts: [.removing(indexed)]))
            }
            return problems
        }

        fileprivate var indexabilityProblems: [Diagnostic] {
            guard type.isNotIndexable else {
                guard type.isNoText || isReference else { return [] }
                // A reference has an index by itself.
                let marks = (isReference ? [] : attributes(.indexed)) + attributes(.unique)
                return marks.filter { $0.matching != nil }.map {
                    Problem.notText(name, type: type.core.trimmedDescription)
                        .diagnostic(at: $0, fixIts: [$0.withoutArgument])
                }
            }
            return (attributes(.indexed) + uniqueMarks).map {
                Problem.notIndexable(name, type: type.core.trimmedDescription)
                    .diagnostic(at: $0, fixIts: [$0.removedMark])
            }
        }

        /// Problems of a transient property: it needs an initial value, and cannot have marks that describe
        /// its storage.
        fileprivate var transienceProblems: [Diagnostic] {
            var problems = attributes(.transient).dropFirst().map {
                Problem.repeatedMark(.transient, name).diagnostic(at: $0, fixIts: [.removing($0)])
            }
            problems += [PropertyMark.indexed, .unique, .attribute, .relationship].flatMap { mark in
                attributes(mark).map {
                    Problem.markOnTransient(mark, name).diagnostic(at: $0, fixIts: [.removing($0)])
                }
            }
            if initialValue == nil, !type.is(OptionalTypeSyntax.self) {
                problems.append(
                    Problem.transientWithoutValue(name, optional: type.spelledOptional)
                        .diagnostic(at: identifier))
            }
            return problems
        }
    }

    extension AttributeSyntax {
        /// A fix-it that leaves the mark without its argument.
        fileprivate var withoutArgument: FixIt {
            let mark = with(\.arguments, nil).with(\.leftParen, nil).with(\.rightParen, nil)
            return .replacing(
                self, with: mark.with(\.trailingTrivia, trailingTrivia), "Remove the argument")
        }

        /// A fix-it that removes the mark, or only `.unique` if `@Attribute` has other arguments.
        fileprivate var removedMark: FixIt? {
            guard isUniqueOption, argumentList.count > 1 else { return .removing(self) }
            let rest = argumentList.filter { !$0.expression.trimmedDescription.hasSuffix(".unique") }
            return .replacing(argumentList, with: rest, "Remove '.unique'")
        }
    }

#endif
