public import LarderKernel

// MARK: One item by a unique value

extension DataStoreReadWriteAccessor {
    /// Inserts an item, or gives the stored one with the same value of a unique attribute these values.
    ///
    ///     try accessor.upsert(Recipe(name: "Toast", slug: "toast"), by: \.slug)
    ///
    /// *Rule:* the stored item keeps its identifier; nil finds no item. Relationships as for ``upsert(_:)``. A text is
    /// compared as its unique value is: with `@Unique(.caseInsensitive)`, "Soup" finds "soup", here and in all calls that
    /// find items by a key.
    ///
    /// - Returns: The item's handle.
    /// - Throws: `.invalidRequest` when the attribute is not unique; `.uniqueViolation`, `.targetNotFound`,
    ///   `.invalidValue`.
    @discardableResult
    public func upsert<Item: DataStoreItem, Value: AttributeValue>(
        _ item: Item, by attribute: AttributePath<Item, Value>
    ) throws(DataStoreError) -> Mutable<Item> {
        try upsert(item, byColumns: [Item.attributes[keyPath: attribute].column])
    }

    /// The stored item with the same value of a unique attribute, unchanged, or else this one, inserted.
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
        let column = Item.attributes[keyPath: attribute].column
        if let stored = try stored(like: item, by: [column], for: "findOrInsert(_:by:)") { return stored }
        return try insert(item)
    }

    /// The stored item with the same values of attributes that are unique together, unchanged, or else this
    /// one, inserted.
    ///
    ///     let meal = try accessor.findOrInsert(Meal(person: ToOne(ada), day: today), by: \.person, \.day)
    ///
    /// *Rule:* a nil among the values finds no item, so the item is inserted. *Cost:* one look-up.
    ///
    /// - Returns: The item's handle.
    /// - Throws: `.invalidRequest` when no compound unique value has these attributes; as ``insert(_:)``.
    @discardableResult
    public func findOrInsert<
        Item: DataStoreItem, First: AttributeValue, Second: AttributeValue, each Other: AttributeValue
    >(
        _ item: Item, by first: AttributePath<Item, First>, _ second: AttributePath<Item, Second>,
        _ others: repeat AttributePath<Item, each Other>
    ) throws(DataStoreError) -> Mutable<Item> {
        let columns = Self.columns(of: Item.self, first, second, repeat each others)
        if let stored = try stored(like: item, by: columns, for: "findOrInsert(_:by:)") { return stored }
        return try insert(item)
    }

    /// Inserts an item, or gives the stored one with the same values of attributes that are unique together these
    /// values.
    ///
    ///     try accessor.upsert(Meal(person: ToOne(ada), day: today, dish: "Soup"), by: \.person, \.day)
    ///
    /// *Rule:* the stored item keeps its identifier; a nil among the values finds no item. Relationships as for
    /// ``upsert(_:)``.
    ///
    /// - Returns: The item's handle.
    /// - Throws: `.invalidRequest` when no compound unique value has these attributes; as for one attribute.
    @discardableResult
    public func upsert<
        Item: DataStoreItem, First: AttributeValue, Second: AttributeValue, each Other: AttributeValue
    >(
        _ item: Item, by first: AttributePath<Item, First>, _ second: AttributePath<Item, Second>,
        _ others: repeat AttributePath<Item, each Other>
    ) throws(DataStoreError) -> Mutable<Item> {
        let columns = Self.columns(of: Item.self, first, second, repeat each others)
        return try upsert(item, byColumns: columns)
    }

    /// Inserts an item, or gives the stored one with the same values in some columns these values.
    private func upsert<Item: DataStoreItem>(
        _ item: Item, byColumns columns: [Int]
    ) throws(DataStoreError) -> Mutable<Item> {
        guard let stored = try stored(like: item, by: columns, for: "upsert(_:by:)") else {
            return try insert(item)
        }
        try writeBlock.handles.save(
            Item.schema.hasWindows ? item : try item.with(id: stored.id), in: stored)
        return stored
    }

    static func columns<
        Item: DataStoreItem, First: AttributeValue, Second: AttributeValue, each Other: AttributeValue
    >(
        of type: Item.Type, _ first: AttributePath<Item, First>, _ second: AttributePath<Item, Second>,
        _ others: repeat AttributePath<Item, each Other>
    ) -> [Int] {
        var columns = [Item.attributes[keyPath: first].column, Item.attributes[keyPath: second].column]
        for other in repeat each others { columns.append(Item.attributes[keyPath: other].column) }
        return columns
    }

    /// The stored item with the same values in some columns; nil if there is none, or a value is nil.
    private func stored<Item: DataStoreItem>(
        like item: Item, by columns: [Int], for call: StaticString
    ) throws(DataStoreError) -> Mutable<Item>? {
        let block = try preparedBlock()
        var equal: [FilterNode] = []
        for column in try Item.schema.uniqueColumns(columns, for: call) {
            guard let value = try block.value(of: item, at: column) else { return nil }
            equal.append(.compare(column: column, .equal, value))
        }
        var core = RequestCore(filter: equal.count == 1 ? equal[0] : .all(equal))
        core.isLookUp = true
        return try firstMutableItem(for: DataStoreRequest<Item>(core))
    }
}

extension DataStoreItem {
    /// The item under another identifier.
    func with(id: ID) throws(DataStoreError) -> Self {
        if id.anyItemID == self.id.anyItemID { return self }
        let arena = RowArena(chunkBytes: 1024)
        let cells = try encoded(in: arena)
        cells[0] = try id.encode(in: arena)
        defer { withExtendedLifetime(arena) {} }
        return try Self(row: RowReader(cells: cells, of: Self.schema))
    }
}
