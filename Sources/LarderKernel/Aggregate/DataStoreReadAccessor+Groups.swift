// MARK: Groups

extension DataStoreReadAccessor {
    /// The groups of a request, each with its key and its aggregates.
    ///
    ///     let request = Sale.all.grouped(by: \.product.name).sorted(by: .sum(\.price), .descending)
    ///     for (name, count, total) in try accessor.groups(for: request, .count, .sum(\.price)) { … }
    ///
    /// The key of several attributes is a tuple of them.
    ///
    /// *Cost:* one pass over the items; memory for each group.
    ///
    /// - Throws: `.overflow`, naming the attribute; `.invalidRequest` for a negative limit or offset, and where a
    ///   filter or order names a key that the groups do not have; otherwise as ``items(for:)``.
    public final func groups<Item: DataStoreItem, Key, each Value: AttributeStorable>(
        for request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> [(Key, repeat each Value)] {
        var terms: [AggregateTerm] = []
        repeat terms.append((each aggregate).term)
        let (rows, selected, grouping) = try groupRows(request, terms)
        var groups: [(Key, repeat each Value)] = []
        groups.reserveCapacity(selected.count)
        var reader = GroupRowReader(rows, grouping, of: Item.schema)
        for group in selected {
            reader.move(to: group)
            let key = try request.decodeKey(&reader)
            groups.append((key, repeat try reader.next(as: (each Value).self)))
        }
        return groups
    }

    /// The keys of the groups of a request.
    ///
    ///     let busy = try accessor.groups(for: Sale.all.grouped(by: \.city).having(.count > 100))
    ///
    /// *Cost:* as ``groups(for:_:)``.
    ///
    /// - Throws: As ``groups(for:_:)``.
    public final func groups<Item: DataStoreItem, Key>(
        for request: GroupRequest<Item, Key>
    ) throws(DataStoreError) -> [Key] {
        let (rows, selected, grouping) = try groupRows(request, [])
        var keys: [Key] = []
        var reader = GroupRowReader(rows, grouping, of: Item.schema)
        for group in selected {
            reader.move(to: group)
            keys.append(try request.decodeKey(&reader))
        }
        return keys
    }

    /// The groups of a request, each as a value that the app makes of its key and its aggregates.
    ///
    ///     let totals = try accessor.groups(for: request, .count, .sum(\.price), as: ProductTotal.init)
    ///
    /// *Cost:* as ``groups(for:_:)``.
    ///
    /// - Throws: As ``groups(for:_:)``; rethrows the body's error.
    public final func groups<Item: DataStoreItem, Key, each Value: AttributeStorable, Group>(
        for request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>,
        as make: (Key, repeat each Value) throws -> Group
    ) throws -> [Group] {
        var groups: [Group] = []
        for (key, values) in try keyedGroups(request, repeat each aggregate) {
            groups.append(try make(key, repeat each values))
        }
        return groups
    }

    private final func keyedGroups<Item: DataStoreItem, Key, each Value: AttributeStorable>(
        _ request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> [(Key, (repeat each Value))] {
        var terms: [AggregateTerm] = []
        repeat terms.append((each aggregate).term)
        let (rows, selected, grouping) = try groupRows(request, terms)
        var groups: [(Key, (repeat each Value))] = []
        groups.reserveCapacity(selected.count)
        var reader = GroupRowReader(rows, grouping, of: Item.schema)
        for group in selected {
            reader.move(to: group)
            let key = try request.decodeKey(&reader)
            groups.append((key, (repeat try reader.next(as: (each Value).self))))
        }
        return groups
    }

    /// The number of groups of a request, its offset and limit included.
    public final func countGroups<Item: DataStoreItem, Key>(
        for request: GroupRequest<Item, Key>
    ) throws(DataStoreError) -> Int {
        try groupRows(request, []).selected.count
    }

    /// The steps by which groups are found, one line each.
    public final func explain<Item: DataStoreItem, Key, each Value: AttributeStorable>(
        _ request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> [String] {
        var terms: [AggregateTerm] = []
        repeat terms.append((each aggregate).term)
        let context = try block()
        let selection = try GroupSelection(request.core, terms, of: Item.schema)
        return try context.explain(
            request.core.rows, of: try context.number(of: Item.self), selection.grouping)
    }

    private final func groupRows<Item: DataStoreItem, Key>(
        _ request: GroupRequest<Item, Key>, _ terms: [AggregateTerm]
    ) throws(DataStoreError) -> (rows: GroupRows, selected: ArraySlice<Int>, grouping: GroupingCore) {
        let context = try block()
        let selection = try GroupSelection(request.core, terms, of: Item.schema)
        let number = try context.number(of: Item.self)
        let rows = try context.groups(request.core.rows, of: number, selection.grouping)
        let storages = try context.storages(of: selection.grouping, number)
        return (rows, try selection.select(from: rows, storages), selection.grouping)
    }
}

// MARK: Distinct values

extension DataStoreReadAccessor {
    /// The different values of an attribute of the items of a request, each once.
    ///
    ///     let cities = try accessor.distinctValues(for: Shop.where(\.isOpen), \.city)
    ///
    /// In the order of the values, nil first; where the request is sorted, in the order of the first item with
    /// each. Offset and limit of the request count values, not items.
    ///
    /// *Cost:* one pass over the items; memory for each value.
    ///
    /// - Throws: As ``items(for:)``.
    public final func distinctValues<Item: DataStoreItem, Grouped: GroupableAttribute>(
        for request: DataStoreRequest<Item>, _ attribute: KeyPath<Item.Attributes, Grouped>
    ) throws(DataStoreError) -> [Grouped.Key] where Grouped.Item == Item {
        let grouping = GroupingCore(keys: [Item.attributes[keyPath: attribute].groupPlace.source])
        let context = try block()
        let (rows, selected) = try context.distinctRows(
            request.core, of: try context.number(of: Item.self), grouping)
        var values: [Grouped.Key] = []
        var reader = GroupRowReader(rows, grouping, of: Item.schema)
        for group in selected {
            reader.move(to: group)
            values.append(try reader.next(as: Grouped.Key.self))
        }
        return values
    }

    /// The different values of several attributes of the items of a request, each once.
    ///
    ///     let latest = try accessor.distinctValues(
    ///         for: Sale.all.sorted(by: \.date, .descending).limit(10), \.product.name, \.shop.city)
    ///
    /// In the order of the values, nil first; where the request is sorted, in the order of the first item with
    /// each. Offset and limit of the request count values, not items.
    ///
    /// *Cost:* one pass over the items; memory for each value.
    ///
    /// - Throws: As ``items(for:)``.
    public final func distinctValues<Item: DataStoreItem, each Grouped: GroupableAttribute>(
        for request: DataStoreRequest<Item>, _ attribute: repeat KeyPath<Item.Attributes, each Grouped>
    ) throws(DataStoreError) -> [(repeat (each Grouped).Key)] {
        var grouping = GroupingCore()
        repeat grouping.keys.append(Item.attributes[keyPath: each attribute].groupPlace.source)
        let context = try block()
        let (rows, selected) = try context.distinctRows(
            request.core, of: try context.number(of: Item.self), grouping)
        var values: [(repeat (each Grouped).Key)] = []
        var reader = GroupRowReader(rows, grouping, of: Item.schema)
        for group in selected {
            reader.move(to: group)
            values.append((repeat try reader.next(as: (each Grouped).Key.self)))
        }
        return values
    }
}
