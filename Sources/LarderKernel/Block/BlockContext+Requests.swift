import LarderDiagnostics

/// A request in the terms of a store: its plan, and what is read with its rows.
package struct ResolvedRequest {
    let plan: RequestPlan
    /// The relationships whose items are read with whole rows.
    let prefetches: [Prefetch]
}

extension BlockContext {
    /// Saves the handles of a write block, so that a request finds what was set on them.
    package func prepareForRequest() throws(DataStoreError) {
        if let writeBlock { try writeBlock.takeUnretainedValue().prepareForRequest() }
    }

    /// Lowers a request.
    func resolved<Item: DataStoreItem>(
        _ request: DataStoreRequest<Item>, columns: RequestPlan.Columns = .all
    ) throws(DataStoreError) -> ResolvedRequest {
        ResolvedRequest(
            plan: try plan(of: request, columns: columns),
            prefetches: columns == .all ? request.core.graph?.prefetches ?? [] : [])
    }

    private func plan<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, columns: RequestPlan.Columns
    ) throws(DataStoreError) -> RequestPlan {
        try request.core.plan(
            entity: try number(of: Item.self), in: resources.schema, columns: columns)
    }

    /// Begins to read the rows of a request.
    ///
    /// - Parameter size: The items for which related ones are read at a time, if the request says so.
    @usableFromInline
    package func rows<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, columns: RequestPlan.Columns = .all, prefetching size: Int = .max
    ) throws(DataStoreError) -> RowScan {
        let request = try resolved(request, columns: columns)
        try prepareForRequest()
        return try rows(of: request, prefetching: size)
    }

    /// Begins to read the rows of a request between which code of the app runs.
    ///
    /// In a write block the code may change the items that the filter or the order leads through, which an engine may read
    /// as late as the rows. So the identifiers are read before; the rows themselves do not change meanwhile.
    @usableFromInline
    package func rows<Item: DataStoreItem>(
        ofWalkOver request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> RowScan {
        let resolved = try resolved(request)
        try prepareForRequest()
        guard writeBlock != nil, resolved.plan.isRelated else {
            return try rows(of: resolved, prefetching: 1000)
        }
        let identifiers = try identifiers(of: request)[...]
        let cursor = try withSnapshot { IdentifiedCursor(identifiers, of: resolved.plan, $0) }
        let scan = RowScan(cursor: cursor, cells: resources.cells, schema: Item.schema)
        return prefetchingScan(scan, of: resolved, size: 1000)
    }

    /// The identifiers of the items of a request, in its order.
    private func identifiers<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> [Constant] {
        let storage = Item.schema.storage(ofColumn: 0)
        let scan = try rows(of: request, columns: .some([0]))
        defer { scan.close() }
        var identifiers: [Constant] = []
        while try scan.next() { identifiers.append(Constant(scan.cells[0], storage: storage)) }
        return identifiers
    }

    /// Puts the identifiers of the items in the window of a request in its place: a filter or an order that is added then
    /// does not move the window.
    package func fixWindow<Item: DataStoreItem>(
        of request: inout DataStoreRequest<Item>
    ) throws(DataStoreError) {
        if request.core.offset == 0, request.core.limit == nil { return }
        request.core.filter = .isIn(column: 0, try identifiers(of: request))
        (request.core.offset, request.core.limit) = (0, nil)
    }

    func rows(of request: ResolvedRequest, prefetching size: Int) throws(DataStoreError) -> RowScan {
        prefetchingScan(try rows(of: request.plan), of: request, size: size)
    }

    /// The number of items of a request.
    func count<Item: DataStoreItem>(of request: DataStoreRequest<Item>) throws(DataStoreError) -> Int {
        let plan = try plan(of: request, columns: .some([0]))
        try prepareForRequest()
        return try count(of: plan)
    }

    package func rows(of plan: RequestPlan) throws(DataStoreError) -> RowScan {
        let start = requestStart
        do {
            // Before it runs, as an app may catch what it throws.
            tracker?.note(plan, in: schema)
            var cursor = try withSnapshot { snapshot throws(DataStoreError) in
                plan.isRelated
                    ? try snapshot.rows(for: plan, in: resources.schema) : try snapshot.rows(for: plan)
            }
            if let tracker {
                let width = plan.columns.numbers(of: plan.schema).count
                cursor = tracker.following(cursor, width: width)
            }
            if let start { cursor = TimedCursor(cursor, of: plan, since: start, in: self) }
            return RowScan(cursor: cursor, cells: resources.cells, schema: plan.schema)
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
    }

    /// Fills the cells with the row of an identifier; nil when there is none.
    // The identifier is encoded in the app's code, in which its type is concrete.
    @inlinable
    package func findRow<Item: DataStoreItem>(
        _ identifier: Item.ID, of type: Item.Type
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell>? {
        let number = try prepareForRow(of: type)
        return try findRow(at: try identifier.encode(in: resources.arena), of: number)
    }

    /// The number of an item type one of whose identifiers is going to be encoded.
    @usableFromInline
    func prepareForRow<Item: DataStoreItem>(of type: Item.Type) throws(DataStoreError) -> Int {
        let number = try number(of: type)
        try prepareForRequest()
        resources.arena.reset()
        return number
    }

    @usableFromInline
    func findRow(
        at cell: Cell, of number: Int
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell>? {
        try DataStoreLimits.check(identifier: cell)
        let (cells, start) = (resources.cells, lookUpStart)
        // Before it runs, as an app may catch what it throws.
        tracker?.noteLookUp(of: cell, in: number, schema.entities[number])
        let isFound = try withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.row(at: cell, of: number, into: cells)
        }
        if isFound { tracker?.noteRow(cells, count: schema.entities[number].attributes.count) }
        if let start { reportLookUp([cell], of: number, found: isFound ? 1 : 0, since: start) }
        return isFound ? cells : nil
    }

    /// Calls the body for each identifier, in the order of the list, with its row, or nil if there is none.
    ///
    /// Some hundred are looked up by one call of the engine. *Rule:* the row is valid during the body, which makes no
    /// request.
    // The identifiers are encoded in the app's code, in which their type is concrete.
    @inlinable
    package func forEachRow<Item: DataStoreItem>(
        _ identifiers: some Sequence<Item.ID>, of type: Item.Type,
        _ body: (Item.ID, UnsafeMutablePointer<Cell>?) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        var batch: [Item.ID] = []
        func handOver() throws(DataStoreError) {
            let number = try prepareForRow(of: type)
            var cells: [Cell] = []
            cells.reserveCapacity(batch.count)
            for identifier in batch { cells.append(try identifier.encode(in: resources.arena)) }
            try forEachRow(at: cells, of: number) { position, row throws(DataStoreError) in
                try body(batch[position], row)
            }
            batch.removeAll(keepingCapacity: true)
        }
        // All of a batch before it is encoded, as a lazy sequence may use the block.
        for identifier in identifiers {
            batch.append(identifier)
            if batch.count == WriteBlock.batchSize { try handOver() }
        }
        if !batch.isEmpty { try handOver() }
    }

    /// As ``forEachRow(at:of:_:)``, for identifiers that take the place of what is in the block's arena.
    package func forEachRow(
        at identifiers: [AnyItemID], of number: Int,
        _ body: (_ position: Int, UnsafeMutablePointer<Cell>?) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        resources.arena.reset()
        var cells: [Cell] = []
        cells.reserveCapacity(identifiers.count)
        for identifier in identifiers { cells.append(try identifier.encode(in: resources.arena)) }
        try forEachRow(at: cells, of: number, body)
    }

    /// As ``forEachRow(_:of:_:)``, for identifiers that are cells; the body gets the position of each.
    @usableFromInline
    package func forEachRow(
        at identifiers: [Cell], of number: Int,
        _ body: (_ position: Int, UnsafeMutablePointer<Cell>?) throws(DataStoreError) -> Void
    ) throws(DataStoreError) {
        // One row may cost less than several, and hold the snapshot of an engine.
        if identifiers.count == 1 { return try body(0, try findRow(at: identifiers[0], of: number)) }
        for identifier in identifiers {
            try DataStoreLimits.check(identifier: identifier)
            tracker?.noteLookUp(of: identifier, in: number, schema.entities[number])
        }
        let (cells, start) = (resources.cells, lookUpStart)
        var (next, found) = (0, 0)
        func give(_ row: UnsafeMutablePointer<Cell>?) throws(DataStoreError) {
            if let row {
                found += 1
                tracker?.noteRow(row, count: schema.entities[number].attributes.count)
            }
            try body(next, row)
            next += 1
        }
        try withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.forEachRow(inBatches: identifiers, of: number, into: cells) {
                position throws(DataStoreError) in
                while next < position { try give(nil) }
                try give(cells)
            }
        }
        while next < identifiers.count { try give(nil) }
        if let start { reportLookUp(identifiers, of: number, found: found, since: start) }
    }

    func count(of plan: RequestPlan) throws(DataStoreError) -> Int {
        let start = requestStart
        do {
            tracker?.note(plan, in: schema)
            let count = try withSnapshot { snapshot throws(DataStoreError) in
                plan.isRelated
                    ? try snapshot.count(for: plan, in: resources.schema) : try snapshot.count(for: plan)
            }
            tracker?.noteCount(count)
            if let start { reportRequest(plan, rows: count, since: start) }
            return count
        } catch {
            throw error.about(itemType: plan.schema.name, request: plan.description)
        }
    }

    func explain(of plan: RequestPlan) throws(DataStoreError) -> [String] {
        // The plans for related items are run, and how depends on what they find.
        if plan.isRelated { try prepareForRequest() }
        return try withSnapshot { snapshot throws(DataStoreError) in
            try snapshot.explain(plan, in: resources.schema)
        }
    }
}
