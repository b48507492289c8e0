/// The steps in which a request for the items of a window is run.
private struct WindowSteps {
    /// The links that are read first, for the items or for their order.
    let links: RequestPlan
    /// The places of the items in the order of the links; empty where the plan's order counts.
    let places: [Constant: Int]
    /// The plan for the items.
    let items: RequestPlan
}

// MARK: Requests for the items of a window

extension BlockContext {
    /// Begins to read the rows of a request that names windows, or related items to be read besides.
    ///
    /// - Parameters:
    ///   - plan: The request's own.
    ///   - size: The rows for which related items are read at a time.
    func scan(
        _ core: RequestCore, as plan: RequestPlan, prefetching size: Int
    ) throws(DataStoreError) -> RowScan {
        let steps = try steps(for: core, as: plan)
        let items = steps?.items ?? plan
        let places = steps?.places ?? [:]
        let scan = try places.isEmpty ? scan(items) : arrangedScan(items, by: places)
        return plan.columns == .all ? prefetching(core, in: scan, of: plan.entity, size: size) : scan
    }

    /// Begins to read the rows of a request that also pass another condition, first by a column.
    func scan(
        _ core: RequestCore, of entity: Int, where predicate: RowPredicate, by column: Int
    ) throws(DataStoreError) -> RowScan {
        var plan = try core.plan(entity: entity, in: schema)
        plan.predicate = RowPredicate.all([predicate, plan.predicate]).simplified
        if column != 0 { plan.orderFirst(by: column) }
        return prefetching(core, in: try scan(plan), of: entity, size: .max)
    }

    private func prefetching(_ core: RequestCore, in scan: RowScan, of entity: Int, size: Int) -> RowScan {
        guard let prefetches = core.graph?.prefetches, !prefetches.isEmpty else { return scan }
        return prefetchingScan(scan, of: entity, prefetches, size: size)
    }

    /// The number of items of a request that names windows.
    func count(_ core: RequestCore, as plan: RequestPlan) throws(DataStoreError) -> Int {
        try count(try windowOfLinks(core, of: plan.entity, columns: [0]) ?? plan)
    }

    /// The steps by which a request that names windows is run.
    func explain(_ core: RequestCore, as plan: RequestPlan) throws(DataStoreError) -> [String] {
        guard let steps = try steps(for: core, as: plan) else { return try explain(plan) }
        return try explain(steps.links) + explain(steps.items)
    }

    /// The plan for the items of a request whose order does not matter, and for the links that were read for it;
    /// nil where only a scan in the order of links finds the items of its window.
    func itemsInAnyOrder(
        _ core: RequestCore, as plan: RequestPlan
    ) throws(DataStoreError) -> (links: RequestPlan?, items: RequestPlan)? {
        if core.graph == nil || plan.offset == 0 && plan.limit == nil { return (nil, plan) }
        if try windowOfLinks(core, of: plan.entity) != nil {
            return try steps(for: core, as: plan).map { ($0.links, $0.items) } ?? (nil, plan)
        }
        if core.order.isEmpty, try rankedLinks(core, of: plan.entity) != nil { return nil }
        return (nil, plan)
    }

    /// The steps where a request needs several; nil where its plan is all.
    private func steps(for core: RequestCore, as plan: RequestPlan) throws(DataStoreError) -> WindowSteps? {
        if let links = try windowOfLinks(core, of: plan.entity) {
            let runsWhole = try withSnapshot { $0.runsWhole(plan) }
            if runsWhole, !links.isByRank { return nil }
            let identifiers = try constants(links)
            var items = plan
            items.predicate = isIn(identifiers, of: plan.entity)
            (items.offset, items.limit) = (0, nil)
            return WindowSteps(
                links: links, places: links.isByRank ? Self.places(of: identifiers) : [:], items: items)
        }
        guard core.order.isEmpty, let links = try rankedLinks(core, of: plan.entity) else { return nil }
        return WindowSteps(links: links, places: Self.places(of: try constants(links)), items: plan)
    }

    /// The place of each identifier; none where there is nothing to be arranged.
    private static func places(of identifiers: [Constant]) -> [Constant: Int] {
        if identifiers.count < 2 { return [:] }
        return Dictionary(
            zip(identifiers, identifiers.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The plan of the links that give the items of a request their order.
    func rankedLinks(_ core: RequestCore, of entity: Int) throws(DataStoreError) -> RequestPlan? {
        for origin in core.graph?.origins ?? [] {
            let origin = try ResolvedOrigin(origin, of: entity, in: schema)
            guard case .links(let side) = origin.relationship.form else { continue }
            let links = self.links(side, of: origin.owner)
            if links.isByRank { return links }
        }
        return nil
    }

    /// The plan of the links whose other ends are just the items of a request, in its order.
    ///
    /// Nil where the links alone do not tell, because of a filter or an order, or as one may lead to an item that is
    /// gone.
    private func windowOfLinks(
        _ core: RequestCore, of entity: Int, columns: [Int]? = nil
    ) throws(DataStoreError) -> RequestPlan? {
        guard core.filter == .always(true), core.order.isEmpty, let origins = core.graph?.origins,
            origins.count == 1
        else { return nil }
        let origin = try ResolvedOrigin(origins[0], of: entity, in: schema)
        guard case .links(let side) = origin.relationship.form, origin.areLinksEnough else { return nil }
        var plan = links(side, of: origin.owner)
        (plan.offset, plan.limit) = (core.offset, core.limit)
        if let columns { plan.columns = .some(columns) }
        return plan
    }

    /// The plan of the links of one owner: their other ends, by rank or by identifier.
    private func links(_ side: StoreRelationship.LinkSide, of owner: Constant) -> RequestPlan {
        links(
            side, where: .compare(column: side.ownerColumn, .equal, owner), columns: [side.targetColumn],
            order: [])
    }

    func links(
        _ side: StoreRelationship.LinkSide, where predicate: RowPredicate, columns: [Int],
        order: [RequestPlan.SortTerm]
    ) -> RequestPlan {
        let last = side.isOrdered && !side.isReversed ? LinkEntity.rank : side.targetColumn
        return RequestPlan(
            entity: side.entity, schema: schema.entities[side.entity], columns: .some(columns),
            predicate: predicate, order: order + [RequestPlan.SortTerm(column: last, isAscending: true)])
    }

    /// The values of a plan's only column.
    private func constants(_ plan: RequestPlan) throws(DataStoreError) -> [Constant] {
        let storage = plan.schema.storage(ofColumn: plan.columns.numbers(of: plan.schema)[0])
        let scan = try scan(plan)
        defer { scan.close() }
        var constants: [Constant] = []
        while try scan.next() { constants.append(Constant(scan.cells[0], storage: storage)) }
        return constants
    }

    /// The condition that an item has one of some identifiers.
    private func isIn(_ identifiers: [Constant], of entity: Int) -> RowPredicate {
        var set = ConstantSet(schema.entities[entity].storage(ofColumn: 0))
        for identifier in identifiers { identifier.withCell { set.insert($0) } }
        return RowPredicate.isIn(column: 0, set.sorted, negated: false)
    }

    /// Reads the rows at once, and brings them into the order of their places.
    private func arrangedScan(
        _ plan: RequestPlan, by places: [Constant: Int]
    ) throws(DataStoreError) -> RowScan {
        var all = plan
        var columns = plan.columns.numbers(of: plan.schema)
        let width = columns.count
        if !columns.contains(0) { columns.append(0) }
        if case .some = plan.columns { all.columns = .some(columns) }
        (all.offset, all.limit) = (0, nil)
        let identifier = columns.firstIndex(of: 0) ?? 0
        let storage = plan.schema.storage(ofColumn: 0)
        let kept = KeptRows(width: columns.count)
        let scan = try scan(all)
        defer { scan.close() }
        while try scan.next() { try kept.add(scan.cells) }
        kept.arrange(
            by: { places[Constant($0[identifier], storage: storage)] ?? .max },
            offset: plan.offset, limit: plan.limit)
        return RowScan(
            cursor: ArrangedRows(kept, width: width), cells: resources.cells, schema: plan.schema)
    }
}

extension RequestPlan {
    /// Puts a column before the order that the plan has.
    fileprivate mutating func orderFirst(by column: Int) {
        let term = SortTerm(column: column, isAscending: true)
        if let relatedOrder {
            self.relatedOrder = RelatedOrder(
                terms: [RelatedOrder.Term(path: [], term: term)] + relatedOrder.terms)
        } else {
            setOrder([term] + order)
        }
    }

    /// True if it gives links by their ranks.
    fileprivate var isByRank: Bool { schema.isLink && order[0].column == LinkEntity.rank }
}
