// MARK: Several items at once

extension DataStoreReadAccessor {
    /// The items with these identifiers, in the order of the list.
    ///
    ///     let recipes = try accessor.items(ids: history, of: Recipe.self).compactMap { $0 }
    ///
    /// *Cost:* one look-up by key for each identifier, up to a thousand by one call of the engine.
    ///
    /// - Returns: One element for each identifier: nil if no item has it, and an item as often as its
    ///   identifier is in the list.
    /// - Throws: As ``item(id:of:)``.
    @inlinable
    public final func items<Item: DataStoreItem>(
        ids: some Sequence<Item.ID>, of type: Item.Type = Item.self
    ) throws(DataStoreError) -> [Item?] {
        var items: [Item?] = []
        items.reserveCapacity(ids.underestimatedCount)
        try block().forEachRow(ids, of: type) { _, cells throws(DataStoreError) in
            items.append(
                try cells.map { cells throws(DataStoreError) in
                    try Item(row: RowReader(cells: cells, of: Item.schema))
                })
        }
        return items
    }

    /// The items with these identifiers, in the order of the list; an ``ItemID`` knows its type.
    ///
    /// - Returns: One element for each identifier: nil if no item has it.
    /// - Throws: As ``item(id:)``.
    @inlinable
    public final func items<Item: DataStoreItem>(
        ids: some Sequence<ItemID<Item>>
    ) throws(DataStoreError) -> [Item?] where Item.ID == ItemID<Item> {
        try items(ids: ids, of: Item.self)
    }
}
