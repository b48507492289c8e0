// MARK: Several items at once

extension DataStoreReadWriteAccessor {
    /// The items with these identifiers as handles, in the order of the list.
    ///
    /// - Returns: One element for each identifier: nil if no item has it. An identifier that is in the list
    ///   twice gives the same handle twice.
    ///
    /// *Cost:* one look-up by key, and a handle that is kept until the block ends, for each identifier.
    ///
    /// - Throws: As ``item(id:of:)``.
    @inlinable
    public func mutableItems<Item: DataStoreItem>(
        ids: some Sequence<Item.ID>, of type: Item.Type = Item.self
    ) throws(DataStoreError) -> [Mutable<Item>?] {
        var handles: [Mutable<Item>?] = []
        handles.reserveCapacity(ids.underestimatedCount)
        let block = try preparedBlock()
        let number = try block.context.number(of: type)
        try block.context.forEachRow(ids, of: type) { _, cells throws(DataStoreError) in
            guard let cells else { return handles.append(nil) }
            let item = try Item(row: RowReader(cells: cells, of: Item.schema))
            handles.append(block.handle(for: item, entity: number))
        }
        return handles
    }

    /// The items with these identifiers as handles, in the order of the list; an ``ItemID`` knows its type.
    ///
    /// - Returns: One element for each identifier: nil if no item has it.
    /// - Throws: As ``item(id:)``.
    @inlinable
    public func mutableItems<Item: DataStoreItem>(
        ids: some Sequence<ItemID<Item>>
    ) throws(DataStoreError) -> [Mutable<Item>?] where Item.ID == ItemID<Item> {
        try mutableItems(ids: ids, of: Item.self)
    }

    /// The stored items of values read earlier, as handles, in the order of the list.
    ///
    ///     for recipe in try accessor.mutableVersions(of: selection) { recipe?.isFavorite = true }
    ///
    /// *Rule:* as for ``mutableVersion(of:)``: each handle shows the stored item, not the given value.
    ///
    /// - Returns: One element for each value: nil if the item has been deleted since.
    /// - Throws: As ``item(id:of:)``.
    @inlinable
    public func mutableVersions<Item: DataStoreItem>(
        of items: some Sequence<Item>
    ) throws(DataStoreError) -> [Mutable<Item>?] {
        try mutableItems(ids: items.lazy.map(\.id), of: Item.self)
    }

    /// Inserts items, with links to the items that their relationships were given: all, or when it throws none.
    ///
    ///     for recipe in try accessor.insert([cake, toast]) { recipe.importedAt = now }
    ///
    /// *Cost:* as ``insert(contentsOf:)``, which is faster if no handles are wanted, and for each item a
    /// handle that is kept until the block ends.
    ///
    /// - Returns: The handles of the items, in the order of the list.
    /// - Throws: As ``insert(contentsOf:)``.
    @discardableResult
    public func insert<Item: DataStoreItem>(_ items: [Item]) throws(DataStoreError) -> [Mutable<Item>] {
        try insert(contentsOf: items)
        let block = try preparedBlock()
        let number = try block.context.number(of: Item.self)
        var handles: [Mutable<Item>] = []
        handles.reserveCapacity(items.count)
        // Rules, and the items that others of the list were given, may have changed rows of the list.
        let isShownAsStored = Item.schema.hasWindows || !block.pipeline.rules.graph.oneToOnes[number].isEmpty
        for item in items {
            handles.append(
                isShownAsStored
                    ? try stored(inserted: item, by: block) : block.handle(for: item, entity: number))
        }
        return handles
    }

    /// Inserts an item and others of any types that refer to it, or that it was given: all, or when it throws
    /// none.
    ///
    ///     let cake = Recipe(name: "Cake")
    ///     try accessor.insert(cake, with: [Ingredient(name: "Egg", recipe: ToOne(cake)), flour], [sweet])
    ///
    /// *Rule:* references, and the items that relationships were given, are judged after the call, so they may
    /// lead from any of the items to any other one.
    ///
    /// - Returns: The handle of the first item.
    /// - Throws: As ``insert(contentsOf:)``.
    @discardableResult
    public func insert<Item: DataStoreItem, each Other: DataStoreItem>(
        _ item: Item, with others: repeat [each Other]
    ) throws(DataStoreError) -> Mutable<Item> {
        let block = try preparedBlock()
        var parts: [any InsertedPart] = [InsertedItems(items: [item])]
        for others in repeat each others { parts.append(InsertedItems(items: others)) }
        try block.pipeline.allOrNothing { call throws(DataStoreError) in
            let call = call.inParts()
            for part in parts { try part.insert(into: block, in: call) }
            try Links.writeGivenItems(of: call)
            try block.pipeline.judgeAtEnd(call)
        }.get()
        try block.pipeline.showChanges()
        return try stored(inserted: item, by: block)
    }

    /// The handle of an item that was just inserted, which shows what is stored.
    private func stored<Item: DataStoreItem>(
        inserted item: Item, by block: WriteBlock
    ) throws(DataStoreError) -> Mutable<Item> {
        do {
            if let handle = try mutableItem(id: item.id, of: Item.self) { return handle }
        } catch {
            throw block.pipeline.fail(with: error)
        }
        throw block.pipeline.fail(
            with: DataStoreError(.itemNotFound, "An item that was just inserted is gone."))
    }
}

/// The items of one type that a call inserts together with items of others.
private protocol InsertedPart {
    func insert(into block: WriteBlock, in call: UndoneCall) throws(DataStoreError)
}

private struct InsertedItems<Item: DataStoreItem>: InsertedPart {
    let items: [Item]

    func insert(into block: WriteBlock, in call: UndoneCall) throws(DataStoreError) {
        var rows = RowInsertion(
            into: block, entity: try block.context.number(of: Item.self), hasWindows: Item.schema.hasWindows,
            of: call)
        for item in items { try rows.add(item) }
        try rows.handOver()
    }
}

// MARK: Deleting several items

extension DataStoreReadWriteAccessor {
    /// Deletes the stored items of some values, and the items that go with them: all, or when it throws none.
    ///
    /// *Rule:* delete rules as for ``deleteItems(for:)``: ``DeleteRule/deny`` is judged after the whole call, so
    /// two items of the list do not protect each other.
    ///
    /// - Returns: The number of items of the list that were there, each counted once, without those that went
    ///   with them.
    /// - Throws: `.deletionDenied`, `.identifierTooLong`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(_ items: [Item]) throws(DataStoreError) -> Int {
        try delete(ids: items.lazy.map(\.id), of: Item.self)
    }

    /// Deletes the items of some handles, and the items that go with them: all, or when it throws none.
    ///
    /// - Returns: The number of items that were there, each counted once.
    /// - Throws: `.deletionDenied`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(_ handles: [Mutable<Item>]) throws(DataStoreError) -> Int {
        try delete(ids: handles.lazy.map(\.id), of: Item.self)
    }

    /// Deletes the items with these identifiers, and the items that go with them: all, or when it throws none.
    ///
    ///     try accessor.delete(ids: removed, of: Recipe.self)
    ///
    /// *Rule:* an identifier that no item has, or that is in the list twice, is allowed.
    ///
    /// - Returns: The number of items that were there, each counted once.
    /// - Throws: `.deletionDenied`, `.identifierTooLong`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(
        ids: some Sequence<Item.ID>, of type: Item.Type
    ) throws(DataStoreError) -> Int {
        let block = try preparedBlock()
        var seen: Set<AnyItemID> = []
        var stored: [Item.ID] = []
        try block.context.forEachRow(ids, of: type) { id, cells in
            if cells != nil, seen.insert(id.anyItemID).inserted { stored.append(id) }
        }
        return try block.delete(stored, of: type)
    }

    /// Deletes the items with these identifiers; an ``ItemID`` knows its type.
    ///
    /// - Returns: The number of items that were there, each counted once.
    /// - Throws: `.deletionDenied`, `.unknownItemType`; nothing has changed then.
    @discardableResult
    public func delete<Item: DataStoreItem>(
        ids: some Sequence<ItemID<Item>>
    ) throws(DataStoreError) -> Int where Item.ID == ItemID<Item> {
        try delete(ids: ids, of: Item.self)
    }
}
