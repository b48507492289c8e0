/// The part of a request that an engine runs, and what is left to do.
struct RelatedPlan {
    var plan: RequestPlan
    /// The places of the items in an order that no column has; empty where the plan's order counts.
    var places: [Constant: Int] = [:]
    /// The plans that were run to find the items.
    var links: [RequestPlan] = []
}

// MARK: Requests for the items of a window

extension BlockContext {
    /// Begins to read the rows of a request that names related items.
    ///
    /// - Parameter size: The rows for which related items are read at a time.
    func scan(
        _ core: RequestCore, of entity: Int, columns: RequestPlan.Columns, prefetching size: Int
    ) throws(DataStoreError) -> RowScan {
        let related = try relatedPlan(core, of: entity, columns: columns)
        let scan = try related.places.isEmpty ? scan(related.plan) : arrangedScan(related, columns)
        return columns == .all ? prefetching(core, in: scan, of: entity, size: size) : scan
    }

    /// Begins to read the rows of a request that also pass another condition, first by a column.
    func scan(
        _ core: RequestCore, of entity: Int, where predicate: RowPredicate, by column: Int
    ) throws(DataStoreError) -> RowScan {
        var related = try relatedPlan(core, of: entity, columns: .all)
        related.add(predicate)
        if column != 0 {
            related.plan.order.insert(RequestPlan.SortTerm(column: column, isAscending: true), at: 0)
        }
        return prefetching(core, in: try scan(related.plan), of: entity, size: .max)
    }

    private func prefetching(_ core: RequestCore, in scan: RowScan, of entity: Int, size: Int) -> RowScan {
        guard let prefetches = core.graph?.prefetches, !prefetches.isEmpty else { return scan }
        return prefetchingScan(scan, of: entity, prefetches, size: size)
    }

    /// The number of items of a request that names related items.
    func count(_ core: RequestCore, of entity: Int) throws(DataStoreError) -> Int {
        if let links = try windowOfLinks(core, of: entity, columns: .some([0])) { return try count(links) }
        return try count(try relatedPlan(core, of: entity, columns: .some([0])).plan)
    }

    /// The steps by which a request that names related items is run.
    func explain(_ core: RequestCore, of entity: Int) throws(DataStoreError) -> [String] {
        let related = try relatedPlan(core, of: entity, columns: .all)
        return try withSnapshot { snapshot throws(DataStoreError) in
            var lines: [String] = []
            for plan in related.links + [related.plan] { lines += try snapshot.explain(plan) }
            return lines
        }
    }

    /// Replaces the windows of a request by conditions that an engine knows.
    private func relatedPlan(
        _ core: RequestCore, of entity: Int, columns: RequestPlan.Columns
    ) throws(DataStoreError) -> RelatedPlan {
        var plain = core
        plain.graph = nil
        var related = RelatedPlan(plan: try plain.plan(entity: entity, in: schema, columns: columns))
        if let links = try windowOfLinks(core, of: entity) {
            let identifiers = try constants(links)
            related.links.append(links)
            related.add(try isIn(identifiers, column: 0, of: entity))
            (related.plan.offset, related.plan.limit) = (0, nil)
            if links.isByRank { related.arrange(identifiers) }
            return related
        }
        for origin in core.graph?.origins ?? [] {
            let origin = try ResolvedOrigin(origin, of: entity, in: schema)
            guard case .links(let side) = origin.relationship.form else {
                related.add(origin.predicate(in: schema))
                continue
            }
            let links = self.links(side, of: origin.owner)
            let identifiers = try constants(links)
            related.links.append(links)
            related.add(try isIn(identifiers, column: 0, of: entity))
            if links.isByRank, core.order.isEmpty, related.places.isEmpty { related.arrange(identifiers) }
        }
        return related
    }

    /// The plan of the links whose other ends are just the items of a request, in its order.
    ///
    /// Nil where the links alone do not tell: because of a filter, an order, or links that lead nowhere.
    private func windowOfLinks(
        _ core: RequestCore, of entity: Int, columns: RequestPlan.Columns? = nil
    ) throws(DataStoreError) -> RequestPlan? {
        guard core.filter == .always(true), core.order.isEmpty, let origins = core.graph?.origins,
            origins.count == 1
        else { return nil }
        let origin = try ResolvedOrigin(origins[0], of: entity, in: schema)
        guard case .links(let side) = origin.relationship.form,
            !origin.relationship.mayDangle(in: schema)
        else { return nil }
        var plan = links(side, of: origin.owner)
        (plan.offset, plan.limit) = (core.offset, core.limit)
        if let columns { plan.columns = columns }
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

    /// The condition that a column has one of some values.
    func isIn(
        _ constants: [Constant], column: Int, of entity: Int
    ) throws(DataStoreError) -> RowPredicate {
        try RowPredicate(.isIn(column: column, constants), of: entity, in: schema)
    }

    /// Reads the rows at once, and brings them into the order of their places.
    private func arrangedScan(
        _ related: RelatedPlan, _ columns: RequestPlan.Columns
    ) throws(DataStoreError) -> RowScan {
        var plan = related.plan
        var numbers = columns.numbers(of: plan.schema)
        let width = numbers.count
        if !numbers.contains(0) { numbers.append(0) }
        if case .some = columns { plan.columns = .some(numbers) }
        (plan.offset, plan.limit) = (0, nil)
        let identifier = numbers.firstIndex(of: 0) ?? 0
        let storage = plan.schema.storage(ofColumn: 0)
        let kept = KeptRows(width: numbers.count)
        let scan = try scan(plan)
        defer { scan.close() }
        while try scan.next() { try kept.add(scan.cells) }
        kept.arrange(
            by: { related.places[Constant($0[identifier], storage: storage)] ?? .max },
            offset: related.plan.offset, limit: related.plan.limit)
        return RowScan(
            cursor: ArrangedRows(kept, width: width), cells: resources.cells, schema: plan.schema)
    }
}

extension RelatedPlan {
    fileprivate mutating func add(_ predicate: RowPredicate) {
        plan.predicate = RowPredicate.all([predicate, plan.predicate]).simplified
    }

    /// Orders by the places of these identifiers.
    fileprivate mutating func arrange(_ identifiers: [Constant]) {
        if identifiers.count < 2 { return }
        for (place, identifier) in identifiers.enumerated() { places[identifier] = place }
    }
}

extension RequestPlan {
    /// True if it gives links by their ranks.
    fileprivate var isByRank: Bool { schema.isLink && order[0].column == LinkEntity.rank }
}
