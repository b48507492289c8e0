// MARK: Inserting or changing several items

extension DataStoreReadWriteAccessor {
    /// Inserts items, or gives the stored ones with the same identifiers these values: all, or when it throws
    /// none.
    ///
    ///     let counts = try accessor.upsert(contentsOf: downloaded)
    ///
    /// *Rule:* as upserting one after the other by ``upsert(_:)``, so the last item of an identifier wins;
    /// but unique values and references are judged after the call, so they may be swapped between any of the
    /// items. Handles show the new values afterwards. *Cost:* one look-up plan for some hundred items, and
    /// memory for them; items that take a unique value of another one are kept until the end of the call.
    ///
    /// - Throws: `.uniqueViolation`, `.targetNotFound`, `.identifierTooLong`, `.invalidValue`.
    @discardableResult
    public func upsert<Item: DataStoreItem>(
        contentsOf items: some Sequence<Item>
    ) throws(DataStoreError) -> ImportCounts {
        try upsert(items, keyColumn: 0)
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
    ///   `.uniqueViolation`, `.targetNotFound`, `.identifierTooLong`, `.invalidValue`.
    @discardableResult
    public func upsert<Item: DataStoreItem, Value: AttributeValue>(
        contentsOf items: some Sequence<Item>, by attribute: AttributePath<Item, Value>
    ) throws(DataStoreError) -> ImportCounts {
        let column = Item.attributes[keyPath: attribute].column
        try Item.schema.requireUnique(column, for: "upsert(contentsOf:by:)")
        return try upsert(items, keyColumn: column)
    }

    /// The stored item with the same value of a unique attribute, as it is, or else this one, inserted.
    ///
    ///     let kind = try accessor.findOrInsert(Kind(name: "Dessert"), by: \.name)
    ///
    /// *Rule:* nil finds no item, so the item is inserted. *Cost:* one look-up.
    ///
    /// - Returns: The item's handle.
    /// - Throws: `.invalidRequest` when the attribute is not unique; as ``insert(_:)``.
    @discardableResult
    public func findOrInsert<Item: DataStoreItem, Value: AttributeValue>(
        _ item: Item, by attribute: AttributePath<Item, Value>
    ) throws(DataStoreError) -> Mutable<Item> {
        if let stored = try stored(like: item, by: attribute, for: "findOrInsert(_:by:)") { return stored }
        return try insert(item)
    }

    /// The stored item with the same value of a unique attribute; nil where there is none, or the value is nil.
    func stored<Item: DataStoreItem, Value: AttributeValue>(
        like item: Item, by attribute: AttributePath<Item, Value>, for call: StaticString
    ) throws(DataStoreError) -> Mutable<Item>? {
        let block = try preparedBlock()
        let column = Item.attributes[keyPath: attribute].column
        try Item.schema.requireUnique(column, for: call)
        guard let value = try block.value(of: item, at: column) else { return nil }
        return try firstMutableItem(for: DataStoreRequest<Item>(column, equals: value))
    }

    private func upsert<Item: DataStoreItem>(
        _ items: some Sequence<Item>, keyColumn: Int
    ) throws(DataStoreError) -> ImportCounts {
        let block = try preparedBlock()
        let upsert = UpsertCall<Item>(
            in: block, entity: try block.context.number(of: Item.self), keyColumn: keyColumn)
        let outcome = try block.pipeline.allOrNothing { () throws(DataStoreError) in
            var counts = ImportCounts()
            var batch: [Item] = []
            batch.reserveCapacity(WriteBlock.batchSize)
            for item in items {
                batch.append(item)
                if batch.count == WriteBlock.batchSize {
                    counts += try upsert.take(batch)
                    batch.removeAll(keepingCapacity: true)
                }
            }
            if !batch.isEmpty { counts += try upsert.take(batch) }
            try upsert.call.finish()
            return counts
        }
        // Handles that a lazy sequence has set were saved on the way, and that is undone.
        if case .failure = outcome, block.pipeline.failure == nil { try block.handles.reloadAll() }
        let counts = try outcome.get()
        try upsert.call.showInHandles()
        return counts
    }
}

extension EntitySchema {
    /// - Throws: `.invalidRequest` for a column that is not unique by itself.
    func requireUnique(_ column: Int, for call: StaticString) throws(DataStoreError) {
        if column == 0 || indexes.contains(where: { $0.isUnique && $0.columns == [column] }) { return }
        throw DataStoreError(
            .invalidRequest, "\(call) needs a unique attribute.", advice: "Mark it @Unique.",
            itemType: name, attribute: attributes[column].name)
    }
}

/// An upsert of several items of one type.
private struct UpsertCall<Item: DataStoreItem> {
    let call: KeyedCall
    private let entity: Int
    private let keyColumn: Int
    // Its own, as a lazy sequence may use the block while it makes its next item.
    private let arena = RowArena()

    init(in block: WriteBlock, entity: Int, keyColumn: Int) {
        call = KeyedCall(in: block)
        self.entity = entity
        self.keyColumn = keyColumn
    }

    func take(_ items: [Item]) throws(DataStoreError) -> ImportCounts {
        arena.reset()
        try call.block.prepareForRequest()
        let storage = Item.schema.storage(ofColumn: keyColumn)
        var rows: [(cells: UnsafePointer<Cell>, items: [AssignedItems])] = []
        var keys: [Constant?] = []
        for item in items {
            var given: [AssignedItems] = []
            let row = try RowMutation.inserting(item, entity: entity, in: arena, items: &given)
            rows.append((row.cells, given))
            let key = row.cells[keyColumn]
            keys.append(key.isNull ? nil : Constant(key, storage: storage))
        }
        var batch = KeyedBatch(call, entity: entity, keyColumn: keyColumn, arena: arena)
        try batch.find(keys)
        var counts = ImportCounts()
        /// The rows that only their links may have changed, each once.
        var same: Set<Int> = []
        for (row, key) in zip(rows, keys) {
            let position: Int
            if let key, let known = batch.position(of: key) {
                position = known
                if try set(row.cells, of: known, in: &batch) {
                    counts.updated += 1
                } else {
                    counts.unchanged += 1
                    if !row.items.isEmpty { same.insert(known) }
                }
            } else {
                position = batch.insert(UnsafeMutablePointer(mutating: row.cells), key: key)
                counts.inserted += 1
            }
            if !row.items.isEmpty { batch.give(row.items, to: position) }
        }
        try batch.write()
        try batch.writeLinks()
        let linked = same.count { batch.rows[$0].hasNewLinks && !batch.rows[$0].isNew }
        counts.unchanged -= linked
        counts.updated += linked
        return counts
    }

    /// Sets all values of a row but its identifier; false if it has them already.
    private func set(
        _ cells: UnsafePointer<Cell>, of position: Int, in batch: inout KeyedBatch
    ) throws(DataStoreError) -> Bool {
        var isChanged = false
        for column in Item.schema.attributes.indices.dropFirst() {
            if try batch.set(cells[column], at: column, of: position) { isChanged = true }
        }
        return isChanged
    }
}
