/// A request without its item type, as dynamic callers and tools build it.
@usableFromInline
package struct RequestCore: Sendable, Hashable {
    package var filter: FilterNode
    package var order: [OrderTerm] = []
    package var offset = 0
    package var limit: Int?
    /// The items that it is related to, and those to be read besides; nil for most requests.
    package var graph: RequestGraph?

    package init(filter: FilterNode = .always(true)) {
        self.filter = filter
    }

    /// Turns the order around.
    mutating func reverseOrder() {
        order =
            order.isEmpty
            ? [.own(RequestPlan.SortTerm(column: 0, isAscending: false))] : order.map(\.reversed)
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
        var predicate = try RowPredicate(filter, of: entity, in: store)
        if let graph { predicate = try graph.narrowing(predicate, of: entity, in: store) }
        var plan = RequestPlan(
            entity: entity, schema: schema, columns: columns, predicate: predicate, offset: offset,
            limit: limit)
        if order.contains(where: \.isRelated) {
            try order.follow(of: entity, in: store, in: &plan)
        } else if !order.isEmpty {
            plan.setOrder(order.lazy.compactMap(\.own))
        }
        return plan
    }
}

/// One term of the order of a request.
package enum OrderTerm: Sendable, Hashable {
    /// By an attribute of the item.
    case own(RequestPlan.SortTerm)
    /// By an attribute of the item at the end of a path of references.
    case related([RelationshipReference], RequestPlan.SortTerm)

    /// The term, where it is by an attribute of the item.
    var own: RequestPlan.SortTerm? {
        if case .own(let term) = self { term } else { nil }
    }

    var isRelated: Bool { own == nil }
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
            let resolved =
                switch term {
                case .own(let term): RelatedOrder.Term(path: [], term: term)
                case .related(let path, let term):
                    try RelatedOrder.Term(path, term, of: entity, in: store, through: "An order")
                }
            // What is named twice counts once, where it came first.
            let isKnown = terms.contains {
                $0.path == resolved.path && $0.term.column == resolved.term.column
            }
            if !isKnown { terms.append(resolved) }
            // Terms after a unique key have no effect.
            if let last = terms.last, last.path.isEmpty, last.term.column == 0 { break }
        }
        guard let last = terms.last else { return }
        if terms.allSatisfy(\.path.isEmpty) {
            plan.setOrder(terms.map(\.term))
        } else {
            plan.setOrder([RequestPlan.SortTerm(column: 0, isAscending: last.term.isAscending)])
            plan.relatedOrder = RelatedOrder(terms: terms)
        }
    }
}
