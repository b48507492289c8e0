// MARK: Calls that change rows

extension WriteBlock {
    /// The number of rows that cross the seam at a time; fewer for a test that crosses the bounds with few rows.
    @inlinable package static var batchSize: Int {
        #if DEBUG
            return testedBatchSize.get()
        #else
            return 1000
        #endif
    }

    /// The same for work that copies stored rows whole, whose size is not known.
    package static var copiedBatchSize: Int { min(batchSize, 256) }

    #if DEBUG
        /// For tests: bound on the thread that runs the blocks.
        @usableFromInline package static let testedBatchSize = TaskLocal(wrappedValue: 1000)
    #endif

    /// The value of one attribute of an item; nil when it is nil.
    package func value<Item: DataStoreItem>(of item: Item, at column: Int) throws(DataStoreError) -> Constant?
    {
        let arena = context.resources.arena
        arena.reset()
        let row = try RowMutation.inserting(item, entity: 0, in: arena)
        let value = Item.schema.constant(at: column, of: row.cells)
        return value.isNull ? nil : value
    }

    /// Deletes items by their identifiers, which are distinct, and are all stored if there are several.
    func delete<Item: DataStoreItem>(_ ids: [Item.ID], of type: Item.Type) throws(DataStoreError) -> Int {
        let number = try context.number(of: type)
        // An item that goes with another one of the call is counted all the same.
        let isFollowed = pipeline.rules.graph.followsDeletion(of: number)
        let count = try inBatches(ids, judgedAtEnd: isFollowed) { ids, call throws(DataStoreError) in
            let arena = context.resources.arena
            var mutations: [RowMutation] = []
            for id in ids {
                let identifier = try id.encode(in: arena)
                try DataStoreLimits.check(identifier: identifier)
                mutations.append(try RowMutation.deleting(identifier, entity: number, in: arena))
            }
            return try pipeline.apply(mutations, in: call)
        }
        if !handles.isEmpty {
            for id in ids { handles.noteDeletion(of: ItemKey(entity: number, identifier: id.anyItemID)) }
        }
        try pipeline.showChanges()
        return isFollowed && ids.count > 1 ? ids.count : count
    }

    /// Deletes all items of a type.
    func deleteAll(_ entity: Int) throws(DataStoreError) -> Int {
        let count = try pipeline.apply(
            RowMutation(.deleteAll, entity: entity, cells: context.resources.cells))
        handles.noteDeletion(ofAll: entity)
        return count
    }

    /// Sets attributes of stored items by their identifiers; returns how many have changed.
    func assign<Item: DataStoreItem>(
        _ assignments: [Assignment<Item>], to ids: [Item.ID]
    ) throws(DataStoreError) -> Int {
        let number = try context.number(of: Item.self)
        // Values that only one item has may be passed on, so they are judged all together.
        var isJudgedAtOnce = pipeline.rules.sharedByNone[number].intersects(
            ColumnSet(assignments.map(\.column)))
        // All values are read before any is written, as a value may be another item's of the call.
        for assignment in assignments where try assignment.mayReadItems(of: number, in: context.schema) {
            isJudgedAtOnce = true
        }
        let count = try inBatches(
            ids, of: isJudgedAtOnce ? ids.count : Self.copiedBatchSize
        ) { ids, call throws(DataStoreError) in
            let rows = try rows(of: ids, number)
            if rows.isEmpty { return 0 }
            // All of them first, as one may be the former value of an attribute that another sets.
            var values: [[Cell]] = []
            for assignment in assignments {
                values.append(try assignment.cells(for: rows.map(\.cells), of: number, in: context))
            }
            var mutations: [RowMutation] = []
            var changed: [ItemKey] = []
            for (position, row) in rows.enumerated() {
                let columns = assign(values, at: position, assignments, to: row.cells)
                if columns.isEmpty { continue }
                mutations.append(RowMutation(.update, entity: number, cells: row.cells, columns: columns))
                changed.append(ItemKey(entity: number, identifier: row.id.anyItemID))
            }
            if mutations.isEmpty { return 0 }
            try pipeline.apply(mutations, in: call)
            for key in changed { pipeline.noteUnshown(key) }
            return mutations.count
        }
        try pipeline.showChanges()
        return count
    }

    /// Copies the stored rows of some items to the arena.
    private func rows<ID: ItemIdentifier>(
        of ids: ArraySlice<ID>, _ number: Int
    ) throws(DataStoreError) -> [(id: ID, cells: UnsafeMutablePointer<Cell>)] {
        let arena = context.resources.arena
        let width = context.schema.entities[number].attributes.count
        var identifiers: [Cell] = []
        for id in ids { identifiers.append(try id.encode(in: arena)) }
        var rows: [(id: ID, cells: UnsafeMutablePointer<Cell>)] = []
        rows.reserveCapacity(ids.count)
        try context.forEachRow(at: identifiers, of: number) { position, row throws(DataStoreError) in
            guard let row else { return }
            rows.append((ids[ids.startIndex + position], try arena.copy(row: row, width)))
        }
        return rows
    }

    /// Sets the values of a row, and returns the columns that have changed.
    private func assign<Item: DataStoreItem>(
        _ values: [[Cell]], at position: Int, _ assignments: [Assignment<Item>],
        to cells: UnsafeMutablePointer<Cell>
    ) -> ColumnSet {
        var columns = ColumnSet()
        for (assignment, values) in zip(assignments, values) {
            let (column, value) = (assignment.column, values[position])
            if !Item.schema.isUnchanged(at: column, from: cells[column], to: value) { columns.insert(column) }
            cells[column] = value
        }
        return columns
    }

    /// Works through elements some at a time, each batch with the memory of the one before: all, or when it throws none.
    ///
    /// - Parameter isJudgedAtEnd: True if deletions are judged after the last batch.
    /// - Returns: The sum of the numbers that the body returns.
    private func inBatches<Element>(
        _ elements: [Element], of size: Int = batchSize, judgedAtEnd isJudgedAtEnd: Bool = false,
        _ body: (ArraySlice<Element>, UndoneCall?) throws(DataStoreError) -> Int
    ) throws(DataStoreError) -> Int {
        // One row is changed whole or not at all.
        if elements.count <= 1 {
            context.resources.arena.reset()
            return try elements.isEmpty ? 0 : body(elements[...], nil)
        }
        return try pipeline.allOrNothing { call throws(DataStoreError) in
            let call = isJudgedAtEnd ? call.inParts() : call
            var count = 0
            for batch in elements.chunks(ofCount: size) {
                context.resources.arena.reset()
                count += try body(batch, call)
            }
            try pipeline.judgeAtEnd(call)
            return count
        }.get()
    }
}

extension RowMutation {
    /// A new row for an item, written to an arena.
    // Not an initializer, which would take a copy of the item.
    @inlinable
    package static func inserting<Item: DataStoreItem>(
        _ item: Item, entity number: Int, in arena: RowArena
    ) throws(DataStoreError) -> RowMutation {
        RowMutation(.insert, entity: number, cells: try RowWriter.encoding(item, in: arena).cells)
    }

    /// The deletion of the row with an identifier, which is kept in an arena.
    package static func deleting(
        _ identifier: Cell, entity number: Int, in arena: RowArena
    ) throws(DataStoreError) -> RowMutation {
        let cells = try arena.makeCells(1)
        cells[0] = identifier
        return RowMutation(.delete, entity: number, cells: cells)
    }
}

extension RowWriter {
    /// The row of an item that is about to be inserted, and the items that it was given for its relationships.
    @inlinable
    package static func encoding<Item: DataStoreItem>(
        _ item: Item, in arena: RowArena
    ) throws(DataStoreError) -> RowWriter {
        let schema = Item.schema
        let cells = try arena.makeCells(schema.attributes.count)
        var row = RowWriter(cells: cells, arena: arena, of: schema)
        do {
            try item.encode(to: &row)
            try DataStoreLimits.check(identifier: cells[0])
        } catch {
            throw error.about(itemType: schema.name, identifier: item.id.anyItemID)
        }
        return row
    }
}
