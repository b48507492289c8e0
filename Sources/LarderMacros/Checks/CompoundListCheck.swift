#if Macros

    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder

    extension StoredItem {
        /// Problems of lists in `indexes:` and `uniques:` that make no index, or an index that already
        /// exists.
        func compoundListProblems(knownNames: Set<String>) -> [Diagnostic] {
            let lists = arguments.indexes + arguments.uniques
            var problems: [Diagnostic] = []
            for (position, list) in lists.enumerated() {
                let ownProblems = nameProblems(of: list, knownNames: knownNames.union(["id"]))
                problems += ownProblems
                if ownProblems.isEmpty {
                    let problem = repetition(
                        of: list, before: lists[..<position], after: lists[(position + 1)...])
                    problems += [problem ?? markRepetition(of: list)].compactMap(\.self)
                }
            }
            return problems
        }

        private func nameProblems(of list: CompoundList, knownNames: Set<String>) -> [Diagnostic] {
            guard !list.names.isEmpty else {
                return [
                    Problem.emptyList.diagnostic(
                        at: list.element.expression, fixIts: [.removing(list.element, "Remove the list")])
                ]
            }
            var seen: Set<String> = []
            return list.names.compactMap { name in
                if let kind = storedProperties.first(where: { !$0.hasColumn && $0.name == name.text })?
                    .relationship?.kind
                {
                    return Problem.relationshipInList(name.text, kind: kind).diagnostic(
                        at: name.literal, fixIts: [.removing(name.element, "Remove '\(name.text)'")])
                }
                guard knownNames.contains(name.text) else { return unknownName(name, knownNames: knownNames) }
                guard seen.insert(name.spelling).inserted else {
                    return Problem.repeatedName(name.spelling).diagnostic(
                        at: name.literal,
                        fixIts: [.removing(name.element, "Remove the second '\(name.spelling)'")])
                }
                guard let property = properties.first(where: { $0.name == name.text }) else { return nil }
                guard property.type.isNotIndexable else {
                    guard !name.flags.isEmpty, property.type.isNoText || property.isReference else {
                        return nil
                    }
                    return Problem.notText(name.text, type: property.type.core.trimmedDescription).diagnostic(
                        at: name.literal, fixIts: [name.replaced(by: name.text)])
                }
                return Problem.notIndexable(name.text, type: property.type.core.trimmedDescription)
                    .diagnostic(at: name.literal)
            }
        }

        private func unknownName(_ name: CompoundList.Name, knownNames: Set<String>) -> Diagnostic {
            let suggestion = name.text.nearest(among: knownNames)
            let repair = suggestion.map { name.replaced(by: $0 + name.flags) }
            return Problem.unknownName(name.text, in: self.name, suggestion: suggestion)
                .diagnostic(at: name.literal, fixIts: [repair])
        }

        private func repetition(
            of list: CompoundList, before earlier: ArraySlice<CompoundList>,
            after later: ArraySlice<CompoundList>
        ) -> Diagnostic? {
            let isEqual = { (other: CompoundList) in other.texts == list.texts }
            let problem: Problem
            if earlier.contains(where: { isEqual($0) && $0.mark == list.mark }) {
                problem = .repeatedList
            } else if list.mark == .indexed, later.contains(where: { isEqual($0) && $0.mark == .unique }) {
                problem = .listIsAlsoUnique
            } else {
                return nil
            }
            return problem.diagnostic(
                at: list.element.expression, fixIts: [.removing(list.element, "Remove the list")])
        }

        /// The problem of a list of one name, which means the same as a mark on that property.
        private func markRepetition(of list: CompoundList) -> Diagnostic? {
            guard list.names.count == 1, let name = list.names.first else { return nil }
            let removal = FixIt.removing(list.element, "Remove the list")
            if name.text == "id" {
                return Problem.listRepeatsKey.diagnostic(at: list.element.expression, fixIts: [removal])
            }
            guard let property = properties.first(where: { $0.name == name.text }) else { return nil }
            if property.uniqueMarks.contains(where: { $0.matchingFlags == name.flags }) {
                return Problem.listRepeatsMark(.unique, name.text)
                    .diagnostic(at: list.element.expression, fixIts: [removal])
            }
            if property.isReference, list.mark == .indexed {
                return Problem.listRepeatsReference(name.text)
                    .diagnostic(at: list.element.expression, fixIts: [removal])
            }
            let indexes = property.attributes(.indexed)
            guard let indexed = indexes.first(where: { $0.matchingFlags == name.flags }) else { return nil }
            if list.mark == .unique {
                return Problem.markRepeatsList(name.text)
                    .diagnostic(at: indexed, fixIts: [.removing(indexed)])
            }
            return Problem.listRepeatsMark(.indexed, name.text)
                .diagnostic(at: list.element.expression, fixIts: [removal])
        }
    }

    extension CompoundList.Name {
        /// A fix-it that writes another name.
        fileprivate func replaced(by other: String) -> FixIt {
            let literal = StringLiteralExprSyntax(content: other)
                .with(\.leadingTrivia, self.literal.leadingTrivia)
                .with(\.trailingTrivia, self.literal.trailingTrivia)
            return .replacing(self.literal, with: literal, "Change '\(spelling)' to '\(other)'")
        }
    }

#endif
