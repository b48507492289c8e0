/// A test of the items at the other end of a relationship.
public struct RelatedTest: Sendable, Hashable {
    public let relationship: StoreRelationship
    public let test: Test

    /// The kinds of tests; the predicates are about the items at the other end.
    public enum Test: Sendable, Hashable {
        case any(RowPredicate)
        case none(RowPredicate)
        /// The number of items, compared with another.
        case count(Comparison, Int)
    }

    public init(_ relationship: StoreRelationship, _ test: Test) {
        self.relationship = relationship
        self.test = test
    }
}

extension RelatedTest {
    var negated: RelatedTest {
        switch test {
        case .any(let predicate): RelatedTest(relationship, .none(predicate))
        case .none(let predicate): RelatedTest(relationship, .any(predicate))
        case .count(let comparison, let count): RelatedTest(relationship, .count(comparison.opposite, count))
        }
    }

    var simplified: RowPredicate {
        switch test {
        case .any(let predicate):
            let inner = predicate.simplified
            return inner == .always(false)
                ? .always(false) : .related(RelatedTest(relationship, .any(inner)))
        case .none(let predicate):
            let inner = predicate.simplified
            return inner == .always(false)
                ? .always(true) : .related(RelatedTest(relationship, .none(inner)))
        case .count(let comparison, let count): return simplified(comparison, count)
        }
    }

    /// A comparison that holds for every number of items, or for none, or that asks whether there is any.
    private func simplified(_ comparison: Comparison, _ count: Int) -> RowPredicate {
        let any = RowPredicate.related(RelatedTest(relationship, .any(.always(true))))
        let none = RowPredicate.related(RelatedTest(relationship, .none(.always(true))))
        switch comparison {
        case .equal: if count < 0 { return .always(false) } else if count == 0 { return none }
        case .notEqual: if count < 0 { return .always(true) } else if count == 0 { return any }
        case .less: if count <= 0 { return .always(false) } else if count == 1 { return none }
        case .lessOrEqual: if count < 0 { return .always(false) } else if count == 0 { return none }
        case .greater: if count < 0 { return .always(true) } else if count == 0 { return any }
        case .greaterOrEqual: if count <= 0 { return .always(true) } else if count == 1 { return any }
        }
        return .related(self)
    }

    func description(showingValues: Bool) -> String {
        func inner(_ predicate: RowPredicate) -> String {
            predicate.description(of: relationship.targetSchema, showingValues: showingValues)
        }
        switch test {
        case .any(.always(true)): return "any \(relationship.name)"
        case .none(.always(true)): return "no \(relationship.name)"
        case .any(let predicate): return "any \(relationship.name) {\(inner(predicate))}"
        case .none(let predicate): return "no \(relationship.name) {\(inner(predicate))}"
        case .count(let comparison, let count):
            return "\(relationship.name).count \(comparison.rawValue) \(showingValues ? String(count) : "?")"
        }
    }
}
