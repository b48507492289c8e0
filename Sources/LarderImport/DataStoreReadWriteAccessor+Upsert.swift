public import LarderKernel

// MARK: Inserting or changing several items

extension DataStoreReadWriteAccessor {
    /// Inserts items, or gives the stored ones with the same identifiers these values: all, or when it throws
    /// none.
    ///
    ///     let counts = try accessor.upsert(contentsOf: downloaded)
    ///
    /// *Rule:* as upserting one after the other by ``upsert(_:)``, so the last item of an identifier wins;
    /// but unique values and references are judged after the call, so they may be swapped between any of the
    /// items. Handles show the new values afterwards. A list that is made while it is read is made first, so that
    /// it may use the block. *Cost:* one look-up plan and memory for up to a thousand items, and memory for a list that is
    /// made; items that take a unique value of another one, and the identifiers of those that items of their own type
    /// are given, are kept until the end of the call.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.identifierTooLong`, `.invalidValue`; `.itemNotFound` if a
    ///   relationship whose items refer back was given one that is not stored after the call.
    @discardableResult
    public func upsert<Item: DataStoreItem>(
        contentsOf items: some Sequence<Item>
    ) throws(DataStoreError) -> ImportCounts {
        try upsert(items, keyColumns: [0])
    }

    /// Inserts items, or gives the stored ones with the same value of a unique attribute these values: all, or
    /// when it throws none.
    ///
    ///     try accessor.upsert(contentsOf: downloaded, by: \.slug)
    ///
    /// *Rule:* a stored item keeps its identifier; nil finds no item, so the item is inserted. Otherwise as
    /// ``upsert(contentsOf:)``.
    ///
    /// - Throws: `.invalidRequest` when the attribute is not unique; `.duplicateIdentifier`,
    ///   `.uniqueViolation`, `.targetNotFound`, `.itemNotFound`, `.identifierTooLong`, `.invalidValue`.
    @discardableResult
    public func upsert<Item: DataStoreItem, Value: AttributeValue>(
        contentsOf items: some Sequence<Item>, by attribute: AttributePath<Item, Value>
    ) throws(DataStoreError) -> ImportCounts {
        let column = Item.attributes[keyPath: attribute].column
        return try upsert(
            items, keyColumns: try Item.schema.uniqueColumns([column], for: "upsert(contentsOf:by:)"))
    }

    /// Inserts items, or gives the stored ones with the same values of attributes that are unique together these
    /// values: all, or when it throws none.
    ///
    ///     try accessor.upsert(contentsOf: meals, by: \.person, \.day)
    ///
    /// *Rule:* as ``upsert(contentsOf:by:)`` for one attribute; an item with a nil among the values is inserted.
    ///
    /// - Throws: `.invalidRequest` when no compound unique value has these attributes; as for one attribute.
    @discardableResult
    public func upsert<
        Item: DataStoreItem, First: AttributeValue, Second: AttributeValue, each Other: AttributeValue
    >(
        contentsOf items: some Sequence<Item>, by first: AttributePath<Item, First>,
        _ second: AttributePath<Item, Second>, _ others: repeat AttributePath<Item, each Other>
    ) throws(DataStoreError) -> ImportCounts {
        let columns = Self.columns(of: Item.self, first, second, repeat each others)
        return try upsert(
            items, keyColumns: try Item.schema.uniqueColumns(columns, for: "upsert(contentsOf:by:)"))
    }

    private func upsert<Item: DataStoreItem>(
        _ items: some Sequence<Item>, keyColumns: [Int]
    ) throws(DataStoreError) -> ImportCounts {
        // Before the call, as code of the app may use the block while it makes them.
        let items = Array(items)
        let block = try preparedBlock()
        let number = try block.context.number(of: Item.self)
        let counts = try block.pipeline.allOrNothing { call throws(DataStoreError) in
            let upsert = UpsertCall<Item>(in: block, of: call, entity: number, keyColumns: keyColumns)
            var counts = ImportCounts()
            while counts.total < items.count {
                counts += try upsert.take(items[counts.total...].prefix(WriteBlock.batchSize))
            }
            try upsert.call.finish()
            return counts
        }.get()
        try block.pipeline.showChanges()
        return counts
    }
}

/// An upsert of several items of one type.
private struct UpsertCall<Item: DataStoreItem> {
    let call: KeyedCall
    private let entity: Int
    private let keyColumns: [Int]
    private let isByIdentifier: Bool
    /// True if no two items of the type share some value: each frees its holder, even if a later one replaces it.
    private let isEachOnce: Bool
    /// The columns by which items refer to one of their type that may be given them, by the relationships.
    private var columnsBack: [Int: Int] = [:]
    // Its own, as the rules use the block's.
    private let arena = RowArena()

    init(in block: WriteBlock, of call: UndoneCall, entity: Int, keyColumns: [Int]) {
        self.call = KeyedCall(in: block, of: call, isUpsert: true)
        self.entity = entity
        self.keyColumns = keyColumns
        isByIdentifier = keyColumns == [0]
        isEachOnce = !block.context.resources.rules.graph.oneToOnes[entity].isEmpty
        for relationship in block.context.schema.relationships[entity] where relationship.target == entity {
            if case .referrers(let column) = relationship.form { columnsBack[relationship.number] = column }
        }
    }

    /// Takes the items before the first whose outcome depends on an earlier one of them.
    func take(_ items: ArraySlice<Item>) throws(DataStoreError) -> ImportCounts {
        arena.reset()
        var seen: Set<UniqueKey> = []
        var givenBack = GivenBack(Item.schema.attributes[0].type, areKnown: isByIdentifier)
        var rows: [(cells: UnsafePointer<Cell>, items: [AssignedItems])] = []
        var keys: [UniqueKey?] = []
        for item in items {
            var given: [AssignedItems] = []
            let row = try RowMutation.inserting(item, entity: entity, in: arena, items: &given)
            let key = UniqueKey(row.cells, at: keyColumns, of: Item.schema)
            if isEachOnce, let key, !seen.insert(key).inserted { break }
            // Items are given after the rows are written, and would take its reference away.
            if givenBack.takesReference(of: row.cells, in: columnsBack.values) { break }
            for items in given {
                if let column = columnsBack[items.relationship] {
                    givenBack.note(items, of: row.cells[0], at: column)
                }
            }
            rows.append((row.cells, given))
            keys.append(key)
        }
        var batch = KeyedBatch(call, entity: entity, keyColumns: keyColumns, arena: arena)
        try batch.find(keys)
        var counts = ImportCounts()
        /// The numbers of the items that may have changed links only.
        var same: Set<Int> = []
        for (turn, (row, key)) in zip(rows, keys).enumerated() {
            let position: Int
            if let key, let known = batch.position(of: key) {
                position = known
                if try set(row.cells, of: known, in: &batch) {
                    counts.updated += 1
                } else {
                    counts.unchanged += 1
                    if !row.items.isEmpty { same.insert(turn) }
                }
            } else {
                position = batch.insert(UnsafeMutablePointer(mutating: row.cells), key: key)
                counts.inserted += 1
            }
            for items in row.items { batch.give(items, to: position, turn: turn) }
        }
        try batch.write()
        let linked = same.intersection(try batch.writeLinks()).count
        counts.unchanged -= linked
        counts.updated += linked
        return counts
    }

    /// Sets all values of a row but its identifier; false if it has them already.
    private func set(
        _ cells: UnsafePointer<Cell>, of position: Int, in batch: inout KeyedBatch
    ) throws(DataStoreError) -> Bool {
        var isChanged = false
        for column in Item.schema.declaredAttributes.indices.dropFirst() {
            if try batch.set(cells[column], at: column, of: position) { isChanged = true }
        }
        return isChanged
    }
}
