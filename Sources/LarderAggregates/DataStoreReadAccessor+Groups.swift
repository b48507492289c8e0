public import LarderKernel

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
    /// - Throws: `.overflow`, naming the attribute; `.invalidRequest` for a negative limit or offset, and if a
    ///   filter or order names a key that the groups do not have; otherwise as ``items(for:)``.
    public final func groups<Item: DataStoreItem, Key, each Value: AttributeStorable>(
        for request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> [(Key, repeat each Value)] {
        let selected = try selectedGroups(of: request, repeat each aggregate)
        var groups: [(Key, repeat each Value)] = []
        groups.reserveCapacity(selected.numbers.count)
        var reader = selected.reader
        while reader.moveToNextGroup() {
            groups.append((try request.decodeKey(&reader), repeat try reader.next(as: (each Value).self)))
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
        try selectedGroups(of: request).map(request.decodeKey)
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
        let found = try selectedGroups(of: request, repeat each aggregate).map {
            reader throws(DataStoreError) in
            (try request.decodeKey(&reader), (repeat try reader.next(as: (each Value).self)))
        }
        var groups: [Group] = []
        for (key, values) in found { groups.append(try make(key, repeat each values)) }
        return groups
    }

    /// The number of groups of a request, its offset and limit included.
    ///
    ///     let count = try accessor.countGroups(for: Sale.all.grouped(by: \.city))
    ///
    /// *Cost:* as ``groups(for:_:)``.
    ///
    /// - Throws: As ``groups(for:_:)``.
    public final func countGroups<Item: DataStoreItem, Key>(
        for request: GroupRequest<Item, Key>
    ) throws(DataStoreError) -> Int {
        try selectedGroups(of: request).numbers.count
    }

    /// The steps by which groups are found, one line each.
    ///
    ///     print(try accessor.explain(Sale.all.grouped(by: \.city), .sum(\.price)))
    ///
    /// - Throws: As ``groups(for:_:)``, except for `.overflow`.
    public final func explain<Item: DataStoreItem, Key, each Value: AttributeStorable>(
        _ request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> [String] {
        let context = try block()
        let selection = try GroupSelection(
            request.core, Self.terms(repeat each aggregate), of: Item.schema)
        return try context.explain(
            of: context.resolved(selection.grouping, of: DataStoreRequest<Item>(request.core.rows)))
    }

    private final func selectedGroups<Item: DataStoreItem, Key, each Value: AttributeStorable>(
        of request: GroupRequest<Item, Key>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> SelectedGroups {
        let context = try block()
        return try context.selectedGroups(
            of: request.core, Self.terms(repeat each aggregate), of: try context.number(of: Item.self))
    }

    private static func terms<Item: DataStoreItem, each Value: AttributeStorable>(
        _ aggregate: repeat Aggregate<Item, each Value>
    ) -> [AggregateTerm] {
        var terms: [AggregateTerm] = []
        repeat terms.append((each aggregate).term)
        return terms
    }
}

// MARK: Distinct values

extension DataStoreReadAccessor {
    /// The different values of an attribute of the items of a request, each once.
    ///
    ///     let cities = try accessor.distinctValues(for: Shop.where(\.isOpen), \.city)
    ///
    /// In the order of the values, nil first; if the request is sorted, in the order of the first item with
    /// each. Offset and limit of the request count values, not items.
    ///
    /// *Cost:* one pass over the items; memory for each value.
    ///
    /// - Throws: As ``items(for:)``.
    public final func distinctValues<Item: DataStoreItem, Grouped: GroupableAttribute>(
        for request: DataStoreRequest<Item>, _ attribute: KeyPath<Item.Attributes, Grouped>
    ) throws(DataStoreError) -> [Grouped.Key] where Grouped.Item == Item {
        try distinctRows(of: request, [Item.attributes[keyPath: attribute].groupPlace]).map {
            reader throws(DataStoreError) in try reader.next(as: Grouped.Key.self)
        }
    }

    /// The different values of several attributes of the items of a request, each once.
    ///
    ///     let latest = try accessor.distinctValues(
    ///         for: Sale.all.sorted(by: \.date, .descending).limit(10), \.product.name, \.shop.city)
    ///
    /// In the order of the values, nil first; if the request is sorted, in the order of the first item with
    /// each. Offset and limit of the request count values, not items.
    ///
    /// *Cost:* one pass over the items; memory for each value.
    ///
    /// - Throws: As ``items(for:)``.
    public final func distinctValues<Item: DataStoreItem, each Grouped: GroupableAttribute>(
        for request: DataStoreRequest<Item>, _ attribute: repeat KeyPath<Item.Attributes, each Grouped>
    ) throws(DataStoreError) -> [(repeat (each Grouped).Key)] {
        var keys: [AttributePlace] = []
        repeat keys.append(Item.attributes[keyPath: each attribute].groupPlace)
        let selected = try distinctRows(of: request, keys)
        var rows: [(repeat (each Grouped).Key)] = []
        rows.reserveCapacity(selected.numbers.count)
        var reader = selected.reader
        while reader.moveToNextGroup() { rows.append((repeat try reader.next(as: (each Grouped).Key.self))) }
        return rows
    }

    private final func distinctRows<Item: DataStoreItem>(
        of request: DataStoreRequest<Item>, _ keys: [AttributePlace]
    ) throws(DataStoreError) -> SelectedGroups {
        let context = try block()
        return try context.distinctRows(of: request.core, keys, of: try context.number(of: Item.self))
    }
}
