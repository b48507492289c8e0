/// A test of the items at the other end of a relationship.
public struct RelatedTest: Sendable, Hashable {
    public let relationship: StoreRelationship
    public let test: Test

    /// The kinds of tests; the predicates are about the items at the other end.
    public enum Test: Sendable, Hashable {
        case any(RowPredicate)
        case none(RowPredicate)
        /// The number of items, compared with another.
        ///
        /// In a plan it is about a relationship with many items, and neither holds for every number nor only
        /// asks whether there are any.
        case count(Comparison, Int)
    }

    public init(_ relationship: StoreRelationship, _ test: Test) {
        self.relationship = relationship
        self.test = test
    }

    /// The predicates about the items, moved to the links that lead to them, if they test identifiers alone.
    ///
    /// If no link leads to an item that is gone, the items themselves need not be read. Nil elsewhere, and if
    /// there are no links.
    public func linksAlone(_ predicate: RowPredicate) -> RowPredicate? {
        guard case .links(let side) = relationship.form, relationship.ends != .mayBeGone else { return nil }
        return predicate.moved(to: side.targetColumn)
    }
}

extension Comparison {
    /// True if a ``RelatedTest/Test/count(_:_:)`` of a plan accepts an owner of no items.
    public var acceptsNone: Bool {
        switch self {
        case .equal, .greater, .greaterOrEqual: false
        case .notEqual, .less, .lessOrEqual: true
        }
    }
}

extension RowPredicate {
    /// The same test of another column; nil if it tests more than the identifier.
    fileprivate func moved(to column: Int) -> RowPredicate? {
        switch self {
        case .always: return self
        case .column(0, let test): return .column(column, test)
        case .column, .related, .expression: return nil
        case .all(let parts): return Self.moved(parts, to: column).map { .all($0) }
        case .any(let parts): return Self.moved(parts, to: column).map { .any($0) }
        }
    }

    private static func moved(_ parts: [RowPredicate], to column: Int) -> [RowPredicate]? {
        let moved = parts.compactMap { $0.moved(to: column) }
        return moved.count == parts.count ? moved : nil
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
        case .any(let predicate): simplified(predicate.simplified, areRefused: false)
        case .none(let predicate): simplified(predicate.simplified, areRefused: true)
        case .count(let comparison, let count): simplified(comparison, count)
        }
    }

    private func simplified(_ predicate: RowPredicate, areRefused: Bool) -> RowPredicate {
        if predicate == .always(false) { return .always(areRefused) }
        if predicate == .always(true), case .reference(let column) = relationship.form {
            switch relationship.ends {
            case .always: return .always(!areRefused)
            case .any: return areRefused ? .isNull(column: column) : .isNotNull(column: column)
            case .mayBeGone: break
            }
        }
        return .related(RelatedTest(relationship, areRefused ? .none(predicate) : .any(predicate)))
    }

    private func simplified(_ comparison: Comparison, _ count: Int) -> RowPredicate {
        // Nothing changes between these numbers.
        let greatest = relationship.kind.isToMany ? Int.max : 1
        let numbers = [1, count &- 1, count, count &+ 1, greatest].filter { (1...greatest).contains($0) }
        let acceptsNone = comparison.holds(0, count)
        let acceptsOne = comparison.holds(1, count)
        if numbers.contains(where: { comparison.holds($0, count) != acceptsOne }) { return .related(self) }
        // Whether there are any decides, or not even that.
        return acceptsNone == acceptsOne
            ? .always(acceptsNone) : simplified(.always(true), areRefused: acceptsNone)
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
