// MARK: Items that are read besides

extension BlockContext {
    /// A scan that also reads related items, for a number of its rows at a time.
    func prefetchingScan(
        _ scan: RowScan, of entity: Int, _ prefetches: [Prefetch], size: Int
    ) -> RowScan {
        let values = PrefetchedValues()
        let cursor = PrefetchingRows(
            scan.cursor, width: scan.schema.attributes.count, size: size
        ) { [unowned self] rows throws(DataStoreError) in
            // The body of a walk may have set something since.
            try prepareForRequest()
            var tables: [PrefetchedTable] = []
            for prefetch in prefetches {
                tables.append(try table(of: prefetch, for: rows.rows, of: entity))
            }
            values.replace(by: tables)
        }
        return RowScan(
            cursor: cursor, cells: scan.cells, schema: scan.schema,
            prefetched: Unmanaged.passUnretained(values))
    }

    private func table(
        of prefetch: Prefetch, for rows: [UnsafeMutablePointer<Cell>], of entity: Int
    ) throws(DataStoreError) -> PrefetchedTable {
        let relationship = try schema.relationship(prefetch.relationship, of: entity)
        return try table(of: prefetch, relationship, for: rows, prefetch.target)
    }

    private func table<Target: DataStoreItem>(
        of prefetch: Prefetch, _ relationship: StoreRelationship, for rows: [UnsafeMutablePointer<Cell>],
        _ target: Target.Type
    ) throws(DataStoreError) -> PrefetchedTable {
        let table = Prefetching<Target>(prefetch, relationship, context: self)
        return switch relationship.form {
        case .reference(let column): try table.references(of: rows, column: column)
        case .referrers(let column): try table.referrers(to: rows, column: column)
        case .links(let side): try table.linked(with: rows, side)
        }
    }
}

/// The reading of the items at the other end of one relationship, for many owners at once.
private struct Prefetching<Target: DataStoreItem> {
    let prefetch: Prefetch
    let relationship: StoreRelationship
    let context: BlockContext
    /// The type of the owners' identifiers.
    let ownerType: AttributeType
    let targetType: AttributeType

    init(_ prefetch: Prefetch, _ relationship: StoreRelationship, context: BlockContext) {
        self.prefetch = prefetch
        self.relationship = relationship
        self.context = context
        ownerType = context.schema.entities[relationship.owner].attributes[0].type
        targetType = relationship.targetSchema.attributes[0].type
    }

    private var noItems: PrefetchedTable {
        PrefetchedTable(relationship: prefetch.relationship, none: PrefetchedItems<Target>([]))
    }

    /// The items to which a column refers.
    func references(
        of rows: [UnsafeMutablePointer<Cell>], column: Int
    ) throws(DataStoreError) -> PrefetchedTable {
        let storage = targetType.storage
        var table = PrefetchedTable(relationship: prefetch.relationship)
        let referred = rows.compactMap { row in
            row[column].isNull ? nil : Constant(row[column], storage: storage)
        }
        try forEachItem(whose: 0, isIn: referred) { item, cells throws(DataStoreError) in
            if let key = AnyItemID(cells[0], type: targetType) {
                table.objects[key] = PrefetchedItems([item])
            }
        }
        return table
    }

    /// The items whose column refers to an owner.
    func referrers(
        to rows: [UnsafeMutablePointer<Cell>], column: Int
    ) throws(DataStoreError) -> PrefetchedTable {
        var table = noItems
        var group: (owner: AnyItemID, items: [Target])?
        func finishGroup() {
            if let group { table.objects[group.owner] = PrefetchedItems(window(of: group.items)) }
        }
        try forEachItem(whose: column, isIn: identifiers(of: rows)) { item, cells throws(DataStoreError) in
            guard let owner = AnyItemID(cells[column], type: ownerType) else { return }
            if group?.owner == owner {
                group?.items.append(item)
            } else {
                finishGroup()
                group = (owner, [item])
            }
        }
        finishGroup()
        return table
    }

    /// The items that are linked with an owner.
    func linked(
        with rows: [UnsafeMutablePointer<Cell>], _ side: StoreRelationship.LinkSide
    ) throws(DataStoreError) -> PrefetchedTable {
        let links = try links(of: rows, side)
        var numbers: [AnyItemID: Int] = [:]
        var items: [Target] = []
        try forEachItem(whose: 0, isIn: links.targets) { item, cells throws(DataStoreError) in
            if let key = AnyItemID(cells[0], type: targetType) { numbers[key] = items.count }
            items.append(item)
        }
        var table = noItems
        for (owner, targets) in links.groups {
            var found = targets.compactMap { numbers[$0] }
            if !prefetch.core.order.isEmpty { found.sort() }
            table.objects[owner] = PrefetchedItems(window(of: found.map { items[$0] }))
        }
        return table
    }

    /// The links of some owners: the other ends of each in their order, and all of them.
    private func links(
        of rows: [UnsafeMutablePointer<Cell>], _ side: StoreRelationship.LinkSide
    ) throws(DataStoreError) -> (groups: [(AnyItemID, [AnyItemID])], targets: [Constant]) {
        let plan = context.links(
            side,
            where: try context.isIn(identifiers(of: rows), column: side.ownerColumn, of: side.entity),
            columns: [side.ownerColumn, side.targetColumn],
            order: [RequestPlan.SortTerm(column: side.ownerColumn, isAscending: true)])
        let scan = try context.scan(plan)
        defer { scan.close() }
        var groups: [(AnyItemID, [AnyItemID])] = []
        var targets: Set<AnyItemID> = []
        while try scan.next() {
            guard let owner = AnyItemID(scan.cells[0], type: ownerType),
                let target = AnyItemID(scan.cells[1], type: targetType)
            else { continue }
            targets.insert(target)
            if let last = groups.indices.last, groups[last].0 == owner {
                groups[last].1.append(target)
            } else {
                groups.append((owner, [target]))
            }
        }
        return (groups, targets.map { Constant($0) })
    }

    private func identifiers(of rows: [UnsafeMutablePointer<Cell>]) -> [Constant] {
        rows.map { Constant($0[0], storage: ownerType.storage) }
    }

    /// Reads the items whose column has one of some values: by the column, then in the request's order.
    private func forEachItem(
        whose column: Int, isIn values: [Constant],
        _ body: (Target, UnsafePointer<Cell>) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        if values.isEmpty { return }
        var core = prefetch.core
        (core.offset, core.limit) = (0, nil)
        let entity = relationship.target
        let scan = try context.scan(
            core, of: entity, where: try context.isIn(values, column: column, of: entity), by: column)
        defer { scan.close() }
        while try scan.next() { try body(try Target(row: scan.row), scan.cells) }
    }

    /// The part of an owner's items that the request asks for.
    private func window(of items: [Target]) -> [Target] {
        let (offset, limit) = (prefetch.core.offset, prefetch.core.limit)
        return offset == 0 && limit == nil ? items : Array(items.dropFirst(offset).prefix(limit ?? .max))
    }
}
