// MARK: Items that are read besides

extension BlockContext {
    /// A scan that also reads what its request prefetches, for a number of its rows at a time.
    func prefetchingScan(_ scan: RowScan, of request: ResolvedRequest, size: Int) -> RowScan {
        if request.prefetches.isEmpty { return scan }
        tracker?.notePrefetching()
        let values = PrefetchedValues()
        let cursor = PrefetchingRows(
            scan.cursor, width: scan.schema.attributes.count, size: size
        ) { [unowned self] rows throws(DataStoreError) in
            // The body of a walk may have set something since.
            try prepareForRequest()
            var tables: [PrefetchedTable] = []
            for prefetch in request.prefetches {
                tables.append(try table(of: prefetch, for: rows.rows, of: request.plan.entity))
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
    let areAll: Bool

    init(_ prefetch: Prefetch, _ relationship: StoreRelationship, context: BlockContext) {
        self.prefetch = prefetch
        self.relationship = relationship
        self.context = context
        ownerType = context.schema.entities[relationship.owner].attributes[0].type
        targetType = relationship.targetSchema.attributes[0].type
        areAll = prefetch.readsAll(of: relationship)
    }

    private var noItems: PrefetchedTable {
        PrefetchedTable(
            relationship: prefetch.relationship, none: PrefetchedItems<Target>([], areAll: areAll),
            keyType: ownerType)
    }

    /// The items to which a column refers.
    func references(
        of rows: [UnsafeMutablePointer<Cell>], column: Int
    ) throws(DataStoreError) -> PrefetchedTable {
        var table = PrefetchedTable(relationship: prefetch.relationship, keyType: targetType)
        var referred = ConstantSet(targetType.storage)
        for row in rows where !row[column].isNull { referred.insert(row[column]) }
        guard let scan = try items(whose: 0, isIn: referred) else { return table }
        defer { scan.close() }
        var items = ItemBuffer<Target>()
        while try scan.next() {
            guard let key = AnyItemID(scan.cells[0], type: targetType) else { continue }
            try items.append(scan.row)
            table.objects[key] = PrefetchedItems(items.take(), areAll: true)
            if context.keepsDigests { table.digests[key] = scan.digest }
        }
        return table
    }

    /// The items whose column refers to an owner.
    func referrers(
        to rows: [UnsafeMutablePointer<Cell>], column: Int
    ) throws(DataStoreError) -> PrefetchedTable {
        var table = noItems
        guard let scan = try items(whose: column, isIn: identifiers(of: rows)) else { return table }
        defer { scan.close() }
        var items = ItemBuffer<Target>()
        var digests: [Int] = []
        var current: AnyItemID?
        while try scan.next() {
            guard let owner = AnyItemID(scan.cells[column], type: ownerType) else { continue }
            if owner != current {
                if let current { put(items.take(), &digests, of: current, in: &table) }
                current = owner
            }
            try items.append(scan.row)
            if context.keepsDigests { digests.append(scan.digest) }
        }
        if let current { put(items.take(), &digests, of: current, in: &table) }
        return table
    }

    /// Puts the items of an owner into a table, and takes their digests, if there are any.
    private func put(
        _ items: [Target], _ digests: inout [Int], of owner: AnyItemID, in table: inout PrefetchedTable
    ) {
        table.objects[owner] = PrefetchedItems(window(of: items), areAll: areAll)
        if !digests.isEmpty { table.digests[owner] = RowFingerprint.combining(window(of: digests)) }
        digests.removeAll(keepingCapacity: true)
    }

    /// The items that are linked with an owner.
    func linked(
        with rows: [UnsafeMutablePointer<Cell>], _ side: StoreRelationship.LinkSide
    ) throws(DataStoreError) -> PrefetchedTable {
        let links = try links(of: rows, side)
        var numbers: [AnyItemID: Int] = [:]
        var items = ItemBuffer<Target>()
        var digests: [Int] = []
        if let scan = try self.items(whose: 0, isIn: links.targets) {
            defer { scan.close() }
            while try scan.next() {
                if let key = AnyItemID(scan.cells[0], type: targetType) { numbers[key] = items.count }
                try items.append(scan.row)
                if context.keepsDigests { digests.append(scan.digest) }
            }
        }
        var table = noItems
        for (owner, targets) in links.groups {
            var found = targets.compactMap { numbers[$0] }
            if !prefetch.core.order.isEmpty { found.sort() }
            found = window(of: found)
            table.objects[owner] = PrefetchedItems(items.copies(of: found), areAll: areAll)
            if !digests.isEmpty {
                table.digests[owner] = RowFingerprint.combining(found.lazy.map { digests[$0] })
            }
        }
        return table
    }

    /// The links of some owners: the other ends of each in their order, and all of them.
    private func links(
        of rows: [UnsafeMutablePointer<Cell>], _ side: StoreRelationship.LinkSide
    ) throws(DataStoreError) -> (groups: [(AnyItemID, [AnyItemID])], targets: ConstantSet) {
        let plan = RequestPlan(
            links: side, where: isIn(identifiers(of: rows), column: side.ownerColumn),
            columns: [side.ownerColumn, side.targetColumn],
            sortedBy: [RequestPlan.SortTerm(column: side.ownerColumn, isAscending: true)],
            in: context.schema)
        let scan = try context.rows(of: plan)
        defer { scan.close() }
        var groups: [(AnyItemID, [AnyItemID])] = []
        var targets = ConstantSet(targetType.storage)
        while try scan.next() {
            guard let owner = AnyItemID(scan.cells[0], type: ownerType),
                let target = AnyItemID(scan.cells[1], type: targetType)
            else { continue }
            targets.insert(scan.cells[1])
            if let last = groups.indices.last, groups[last].0 == owner {
                groups[last].1.append(target)
            } else {
                groups.append((owner, [target]))
            }
        }
        return (groups, targets)
    }

    private func identifiers(of rows: [UnsafeMutablePointer<Cell>]) -> ConstantSet {
        var identifiers = ConstantSet(ownerType.storage)
        for row in rows { identifiers.insert(row[0]) }
        return identifiers
    }

    private func isIn(_ values: ConstantSet, column: Int) -> RowPredicate {
        RowPredicate.isIn(column: column, values.sorted, negated: false).simplified
    }

    /// Begins to read the items whose column has one of some values: by the column, then in the request's order.
    ///
    /// Nil if there are none.
    private func items(whose column: Int, isIn values: ConstantSet) throws(DataStoreError) -> RowScan? {
        let isWanted = isIn(values, column: column)
        if isWanted == .always(false) { return nil }
        let core = prefetch.core
        var plan = try core.plan(entity: relationship.target, in: context.schema)
        (plan.offset, plan.limit, plan.links) = (0, nil, nil)
        plan.predicate = RowPredicate.all([isWanted, plan.predicate]).simplified
        if column != 0 { plan.orderFirst(by: column) }
        return try context.rows(
            of: ResolvedRequest(plan: plan, prefetches: core.graph?.prefetches ?? []), prefetching: .max)
    }

    /// The part of an owner's items that the request asks for.
    private func window<Element>(of items: [Element]) -> [Element] {
        let (offset, limit) = (prefetch.core.offset, prefetch.core.limit)
        return offset == 0 && limit == nil ? items : Array(items.dropFirst(offset).prefix(limit ?? .max))
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
}

/// Items that are collected one by one.
///
/// The type of the items is not known where this is compiled, and an array would look up the types of its own
/// storage for each item that it takes: a third of the time of reading it.
private struct ItemBuffer<Item: DataStoreItem>: ~Copyable {
    // reason: this buffer alone has the memory, of whose places the first `count` hold an item.
    private var places = UnsafeMutablePointer<Item>.allocate(capacity: 16)
    private var capacity = 16
    private(set) var count = 0

    deinit {
        places.deinitialize(count: count)
        places.deallocate()
    }

    // reason for inlining: a call would look up the type of this buffer for each row.
    @inline(__always)
    mutating func append(_ row: borrowing RowReader) throws(DataStoreError) {
        if count == capacity { grow() }
        (places + count).initialize(to: try Item(row: row))
        count += 1
    }

    /// All items, which it no longer has afterwards.
    mutating func take() -> [Item] {
        let (places, count) = (places, count)
        self.count = 0
        // The array that all empty ones share would be written to, which the thread sanitizer reports.
        if count == 0 { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: places, count: count)
            initialized = count
        }
    }

    /// The items with some numbers, which it keeps.
    func copies(of numbers: [Int]) -> [Item] { numbers.map { places[$0] } }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Item>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: places, count: count)
        places.deallocate()
        (places, capacity) = (larger, 2 * capacity)
    }
}
