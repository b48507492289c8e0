package import LarderPattern

/// A request without its item type, as dynamic callers and tools build it.
@usableFromInline
package struct RequestCore: Sendable, Hashable {
    package var filter: FilterNode
    package var order: [OrderTerm] = []
    package var offset = 0
    package var limit: Int?
    /// The items that it is related to, and its prefetches; nil for most requests.
    package var graph: RequestGraph?
    /// As ``RequestPlan/isLookUp``.
    package var isLookUp = false

    package init(filter: FilterNode = .always(true)) {
        self.filter = filter
    }

    /// Turns the order around.
    package mutating func reverseOrder() {
        order =
            order.isEmpty
            ? [OrderTerm(AttributePlace(column: 0), isAscending: false)] : order.map(\.reversed)
    }

    /// Lowers the request to a plan for the entity with this number.
    ///
    /// - Throws: `.invalidRequest`.
    package func plan(
        entity: Int, in store: StoreSchema, columns: RequestPlan.Columns = .all
    ) throws(DataStoreError) -> RequestPlan {
        let schema = store.entities[entity]
        if offset < 0 {
            throw DataStoreError(.invalidRequest, "The offset is \(offset).", itemType: schema.name)
        }
        if let limit, limit < 0 {
            throw DataStoreError(.invalidRequest, "The limit is \(limit).", itemType: schema.name)
        }
        var plan = RequestPlan(
            entity: entity, schema: schema, columns: columns,
            predicate: try RowPredicate(filter, of: entity, in: store), offset: offset, limit: limit)
        plan.isLookUp = isLookUp
        if let graph { try graph.narrow(&plan, of: self, in: store) }
        if order.contains(where: { !$0.isOwn }) {
            try order.follow(of: entity, in: store, in: &plan)
        } else if !order.isEmpty {
            plan.setOrder(order.lazy.map(\.own))
        }
        return plan
    }
}

/// One term of the order of a request.
package struct OrderTerm: Sendable, Hashable {
    package let place: AttributePlace
    package let isAscending: Bool
    package let matching: TextMatching
    package let collation: TextCollation?

    package init(
        _ place: AttributePlace, isAscending: Bool, _ matching: TextMatching = .exact,
        _ collation: TextCollation? = nil
    ) {
        (self.place, self.isAscending) = (place, isAscending)
        (self.matching, self.collation) = (matching, collation)
    }

    package var reversed: OrderTerm { OrderTerm(place, isAscending: !isAscending, matching, collation) }

    /// True if engines sort by it as by any column of the items.
    fileprivate var isOwn: Bool { place.path.isEmpty && matching == .exact && collation == nil }

    /// The term for the items of a plan, if it is by one of their own attributes.
    fileprivate var own: RequestPlan.SortTerm {
        RequestPlan.SortTerm(column: place.column, isAscending: isAscending)
    }
}

extension [OrderTerm] {
    /// Gives a plan the order that these terms describe.
    ///
    /// - Throws: `.invalidRequest` when a path leads to several items.
    fileprivate func follow(
        of entity: Int, in store: StoreSchema, in plan: inout RequestPlan
    ) throws(DataStoreError) {
        var terms: [RelatedOrder.Term] = []
        for term in self {
            let resolved = try RelatedOrder.Term(term, of: entity, in: store, through: "An order")
            // A term that is named twice counts once, at its first place.
            let isKnown = terms.contains {
                $0.path == resolved.path && $0.term.column == resolved.term.column
                    && $0.matching == resolved.matching && $0.collation == resolved.collation
            }
            if !isKnown { terms.append(resolved) }
            // Terms after a unique key have no effect.
            if resolved.path.isEmpty, resolved.term.column == 0, !resolved.isFolded { break }
        }
        guard let last = terms.last else { return }
        if terms.allSatisfy({ $0.path.isEmpty && !$0.isFolded }) {
            plan.setOrder(terms.map(\.term))
        } else {
            plan.setOrder([RequestPlan.SortTerm(column: 0, isAscending: last.term.isAscending)])
            plan.relatedOrder = RelatedOrder(terms: terms)
        }
    }
}
