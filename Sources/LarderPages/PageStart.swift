import LarderKernel
import LarderPattern

/// The place where a page begins: the values of an item for each term of the order of a request.
struct PageStart {
    private let terms: [Term]

    /// A term of the order, and the value of the item.
    private struct Term {
        let place: AttributePlace
        let isAscending: Bool
        let matching: TextMatching
        /// False if the value is never nil.
        let isOptional: Bool
        let value: Constant

        func order(isForward: Bool) -> OrderTerm {
            OrderTerm(place, isAscending: isAscending == isForward, matching)
        }

        func compare(_ comparison: Comparison, _ constant: Constant) -> FilterNode {
            guard matching != .exact, case .text(let text) = constant,
                let kind = TextTest.Kind(rawValue: comparison.rawValue)
            else { return .through(place.path, .compare(column: place.column, comparison, constant)) }
            return .through(place.path, .text(column: place.column, TextTest(kind, text, matching)))
        }

        /// True if it is by a value of the item's own, as it is stored.
        var isOwn: Bool { place.path.isEmpty && matching == .exact }
    }

    /// - Parameters:
    ///   - terms: The whole order, `id` last.
    ///   - values: One for each term.
    init(_ terms: [RelatedOrder.Term], of schema: EntitySchema, values: [Constant]) {
        self.terms = zip(terms, values).map { term, value in
            let attribute = term.schema(schema).attributes[term.term.column]
            return Term(
                place: AttributePlace(term.path.map(\.reference), column: term.term.column),
                isAscending: term.term.isAscending, matching: term.matching,
                isOptional: !term.path.isEmpty || attribute.isOptional, value: value)
        }
    }

    /// Some of the items that follow, and their order.
    struct Part {
        let filter: FilterNode
        let order: [OrderTerm]
    }

    /// The items that follow: first those that are equal up to the last term, then those that are
    /// equal up to the one before, and so on.
    ///
    /// Each fixes the values of the first terms and has one bound for the next. So an index that begins with the
    /// terms leads to the place at once, and the rows of one filter after the other are in the order. A related
    /// value or a folded text that is fixed is left out of the order, which then is one by the items' own attributes.
    ///
    /// - Parameter isForward: False for the items before it, in the opposite order.
    func partsOfFollowing(isForward: Bool) -> [Part] {
        var parts: [Part] = []
        for position in terms.indices.reversed() {
            let equal = terms[..<position].map { $0.compare(.equal, $0.value) }
            let sorted = terms[..<position].filter(\.isOwn) + terms[position...]
            let order = sorted.map { $0.order(isForward: isForward) }
            for next in Self.filtersOfFollowing(terms[position], isForward: isForward) {
                parts.append(Part(filter: equal.isEmpty ? next : .all(equal + [next]), order: order))
            }
        }
        return parts
    }

    /// Filters for the values of one term that follow its value; nil is before all others (contract rule 8).
    private static func filtersOfFollowing(_ term: Term, isForward: Bool) -> [FilterNode] {
        if term.isAscending == isForward {
            return [term.compare(term.value.isNull ? .notEqual : .greater, term.value)]
        }
        if term.value.isNull { return [] }
        let less = term.compare(.less, term.value)
        return term.isOptional ? [less, term.compare(.equal, .null)] : [less]
    }
}

extension StoreRelationship {
    /// The relationship as its owner declares it.
    fileprivate var reference: RelationshipReference {
        if case .reference(let column) = form { .column(column) } else { .number(number) }
    }
}

extension BlockContext {
    /// The start of the page that follows an item.
    ///
    /// - Throws: `.invalidRequest` if the order is not one by values; `.itemNotFound` if it leads through a
    ///   reference and the item is not stored.
    func pageStart<Item: DataStoreItem>(
        after item: Item, in core: RequestCore, of entity: Int
    ) throws(DataStoreError) -> PageStart {
        let plan = try planByValues(core, of: entity)
        let terms = plan.terms
        let isRelated = terms.contains { !$0.path.isEmpty }
        let own = try orderedValues(of: item, at: isRelated ? [0] : terms.map(\.term.column))
        let values = try isRelated ? relatedValues(of: plan, at: own[0]) : own
        return PageStart(terms, of: plan.schema, values: values)
    }

    /// The values by which a plan orders a stored item.
    private func relatedValues(
        of plan: RequestPlan, at identifier: Constant
    ) throws(DataStoreError) -> [Constant] {
        try prepareForRequest()
        var plan = plan
        plan.predicate = .compare(column: 0, .equal, identifier)
        // Before it runs, as an app may catch what it throws.
        tracker?.note(plan, in: schema)
        let values = try withSnapshot { snapshot throws(DataStoreError) in
            var sorting = RelatedSorting(plan, in: schema, snapshot)
            return try sorting.valuesOfFirst()
        }
        if let values { return values }
        throw DataStoreError(
            .itemNotFound, "The item that the page follows is not in the store.",
            advice: "An order through a reference needs it; begin again, or order by attributes of the item.",
            itemType: plan.schema.name,
            identifier: identifier.withCell { AnyItemID($0, type: plan.schema.attributes[0].type) })
    }

    /// The plan of a request whose order is one by values of the items.
    ///
    /// - Throws: `.invalidRequest` for the order of a relationship.
    @discardableResult
    func planByValues(_ core: RequestCore, of entity: Int) throws(DataStoreError) -> RequestPlan {
        let plan = try core.plan(entity: entity, in: schema)
        guard plan.links?.areRanked == true else { return plan }
        throw DataStoreError(
            .invalidRequest, "A page is not possible for items in the order of a relationship.",
            advice: "Sort the request by an attribute, or ask for a page by its number.",
            itemType: plan.schema.name)
    }
}
