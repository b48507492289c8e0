import LarderPattern

extension PatternTest {
    /// The test as engines get it: as one of text if the pattern says no more, or with the prefix of every
    /// match beside it, which an index finds.
    ///
    /// - Parameter folded: The column that keeps the text as it is compared; nil if there is none.
    func lowered(for column: Int, folded: (TextMatching) -> Int?, isOptional: Bool) -> RowPredicate {
        let whole = RowPredicate.column(column, .pattern(self, negated: false))
        func text(_ kind: TextTest.Kind, _ needle: String) -> RowPredicate {
            TextTest(kind, needle, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
                .lowered(for: column, folded: folded)
        }
        if let literals = machine.literals, let simple = simpleTest(literals, column, isOptional, text) {
            return simple
        }
        guard machine.folding.isExact, !machine.prefix.isEmpty else { return whole }
        return .all([text(.hasPrefix, machine.prefix), whole])
    }

    private func simpleTest(
        _ literals: [String], _ column: Int, _ isOptional: Bool,
        _ text: (TextTest.Kind, String) -> RowPredicate
    ) -> RowPredicate? {
        switch literals.count {
        case 1: return text(.equals, literals[0])
        case 2 where literals[0].isEmpty && literals[1].isEmpty:
            return isOptional ? .isNotNull(column: column) : .always(true)
        case 2 where literals[1].isEmpty: return text(.hasPrefix, literals[0])
        case 2 where literals[0].isEmpty: return text(.hasSuffix, literals[1])
        case 3 where literals[0].isEmpty && literals[2].isEmpty: return text(.contains, literals[1])
        default: return nil
        }
    }
}
