/// A plan whose links have been read: what is left of it.
struct LinkedItems {
    /// The plan of the links.
    let links: RequestPlan
    /// The plan of the items.
    let items: RequestPlan
    /// The position of each item in the order of the links; empty if the order of `items` counts.
    let positions: [Constant: Int]

    /// Reads the links of a plan; nil if it has none, and if the engine needs none to be read.
    init?(_ plan: RequestPlan, _ snapshot: any StorageReading) throws(DataStoreError) {
        guard let links = plan.links, links.areRanked || !snapshot.runsWhole(plan) else { return nil }
        self.links = links.plan(for: plan)
        var items = plan
        items.links = nil
        let storage = plan.schema.storage(ofColumn: 0)
        var identifiers: [Constant] = []
        var set = ConstantSet(storage)
        try snapshot.forEachRow(of: self.links) { row in
            identifiers.append(Constant(row[0], storage: storage))
            set.insert(row[0])
        }
        if links.areAlone {
            items.predicate = .isIn(column: 0, set.sorted, negated: false)
            (items.offset, items.limit) = (0, nil)
        }
        self.items = items
        let isArranged = links.areRanked && identifiers.count > 1
        positions =
            isArranged
            ? Dictionary(
                zip(identifiers, identifiers.indices), uniquingKeysWith: { first, _ in first }) : [:]
    }

    /// True if the window counts items in the order of the links, which no engine knows.
    var areArrangedFirst: Bool { !positions.isEmpty && (items.offset > 0 || items.limit != nil) }

    /// The rows of the items, in their order.
    func rows(
        of snapshot: any StorageReading, in schema: StoreSchema
    ) throws(DataStoreError) -> any RowCursor {
        if positions.isEmpty { return try snapshot.rows(for: items, in: schema) }
        var all = items
        var columns = items.columns.numbers(of: items.schema)
        let width = columns.count
        if !columns.contains(0) { columns.append(0) }
        if case .some = items.columns { all.columns = .some(columns) }
        (all.offset, all.limit) = (0, nil)
        let identifier = columns.firstIndex(of: 0) ?? 0
        let storage = items.schema.storage(ofColumn: 0)
        let kept = KeptRows(width: columns.count)
        let cursor = try snapshot.rows(for: all, in: schema)
        defer { cursor.close() }
        let cells = CellBuffer(count: columns.count)
        while try cursor.next(into: cells.start) { try kept.add(cells.start) }
        kept.arrange(
            by: { positions[Constant($0[identifier], storage: storage)] ?? .max },
            offset: items.offset, limit: items.limit)
        return ArrangedRows(kept, width: width)
    }
}

extension OwnerLinks {
    /// The plan of the links for the items of a plan.
    fileprivate func plan(for items: RequestPlan) -> RequestPlan {
        var links = plan
        if areAlone { (links.offset, links.limit) = (items.offset, items.limit) }
        return links
    }
}

extension RequestPlan {
    /// The plan of the links that are as many as the plan's items; nil if only these can be counted.
    var countedLinks: RequestPlan? {
        guard let links, links.areAlone else { return nil }
        var counted = links.plan(for: self)
        counted.columns = .some([0])
        return counted
    }
}
