public import LarderKernel

// MARK: Aggregates

extension DataStoreReadAccessor {
    /// The sum of an attribute of the items of a request.
    ///
    ///     let total = try accessor.sum(\.price, for: Sale.where(\.isPaid))
    ///     let pages = try accessor.sum(\.pages, for: person.books.request)
    ///
    /// Nil is left out; the sum of nothing is 0. Sums are exact, or rounded once: see ``Aggregate``.
    ///
    /// *Cost:* one pass over the attribute; constant memory.
    ///
    /// - Throws: `.overflow`, naming the attribute; otherwise as ``items(for:)``.
    public final func sum<Item: DataStoreItem, Summed: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Summed>, for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Summed.Value.Sum
    where Summed.Item == Item, Summed.Value: SummableAttributeValue {
        try aggregate(request, .sum(attribute))
    }

    /// The average of an attribute of the items of a request; nil if there is no value.
    ///
    ///     let rating = try accessor.average(\.rating, for: Recipe.all)
    ///
    /// *Cost:* as ``sum(_:for:)``.
    ///
    /// - Throws: As ``sum(_:for:)``.
    public final func average<Item: DataStoreItem, Summed: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Summed>, for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Summed.Value.Average?
    where Summed.Item == Item, Summed.Value: SummableAttributeValue {
        try aggregate(request, .average(attribute))
    }

    /// The smallest value of an attribute of the items of a request; nil if there is no value.
    ///
    ///     let first = try accessor.minimum(\.date, for: Sale.where(\.isPaid))
    ///
    /// In the order of ``DataStoreRequest/sorted(by:_:)``; nil is left out. *Cost:* constant time for an indexed
    /// attribute of all items, or of those in a range of it; otherwise as ``sum(_:for:)``.
    ///
    /// - Throws: As ``items(for:)``.
    public final func minimum<Item: DataStoreItem, Compared: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Compared.Value.Unwrapped?
    where Compared.Item == Item, Compared.Value: AttributeValue {
        try aggregate(request, .minimum(attribute))
    }

    /// The greatest value of an attribute of the items of a request; nil if there is no value.
    ///
    /// *Cost:* as ``minimum(_:for:)``.
    ///
    /// - Throws: As ``minimum(_:for:)``.
    public final func maximum<Item: DataStoreItem, Compared: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>, for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Compared.Value.Unwrapped?
    where Compared.Item == Item, Compared.Value: AttributeValue {
        try aggregate(request, .maximum(attribute))
    }

    /// The number of items of a request whose attribute is not nil.
    ///
    ///     let count = try accessor.countValues(\.note, for: Recipe.all)
    ///
    /// *Cost:* as ``sum(_:for:)``.
    ///
    /// - Throws: As ``minimum(_:for:)``.
    public final func countValues<Item: DataStoreItem, Counted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Counted>, for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Int where Counted.Item == Item {
        try aggregate(request, .countValues(attribute))
    }

    /// The number of different values of an attribute of the items of a request; nil is left out.
    ///
    ///     let cities = try accessor.countDistinct(\.city, for: Sale.all)
    ///
    /// *Cost:* keeps each of the values in memory once.
    ///
    /// - Throws: As ``minimum(_:for:)``.
    public final func countDistinct<Item: DataStoreItem, Counted: SortableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Counted>, for request: DataStoreRequest<Item>
    ) throws(DataStoreError) -> Int where Counted.Item == Item {
        try aggregate(request, .countDistinct(attribute))
    }

    /// Several aggregates of the items of a request, in one pass.
    ///
    ///     let (count, total, latest) = try accessor.aggregate(
    ///         Sale.where(\.isPaid), .count, .sum(\.price), .maximum(\.date))
    ///
    /// Exactly the items that the request gives, its offset and limit included.
    ///
    /// *Cost:* only these attributes are read; constant memory, except for ``Aggregate/countDistinct(_:)``, and for
    /// requests that follow links or sort by related items, which keep identifiers.
    ///
    /// - Throws: `.overflow`, naming the attribute; otherwise as ``items(for:)``.
    public final func aggregate<Item: DataStoreItem, each Value: AttributeStorable>(
        _ request: DataStoreRequest<Item>, _ aggregate: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> (repeat each Value) {
        var grouping = GroupingCore()
        repeat grouping.terms.append((each aggregate).term)
        let context = try block()
        let rows = try context.groups(of: context.resolved(grouping, of: request))
        var reader = GroupRowReader(rows, [], grouping, of: Item.schema)
        return (repeat try reader.next(as: (each Value).self))
    }

    /// The steps by which aggregates of a request are found, one line each.
    ///
    ///     for step in try accessor.explain(Sale.where(\.isPaid), .sum(\.price)) { print(step) }
    ///
    /// - Throws: As ``minimum(_:for:)``.
    public final func explain<Item: DataStoreItem, each Value: AttributeStorable>(
        _ request: DataStoreRequest<Item>, _ first: Aggregate<Item, some AttributeStorable>,
        _ other: repeat Aggregate<Item, each Value>
    ) throws(DataStoreError) -> [String] {
        var grouping = GroupingCore(terms: [first.term])
        repeat grouping.terms.append((each other).term)
        let context = try block()
        return try context.explain(of: context.resolved(grouping, of: request))
    }
}

/// The keys and aggregates of a group, decoded one after the other.
struct GroupRowReader {
    private let rows: GroupRows
    private let grouping: GroupingCore
    private let schema: EntitySchema
    private var group = 0
    private var next = 0
    /// The numbers of the groups that follow.
    private var following: ArraySlice<Int>

    /// A reader before the first of the groups with these numbers; without numbers, at the first group of all.
    init(
        _ rows: GroupRows, _ numbers: ArraySlice<Int>, _ grouping: GroupingCore, of schema: EntitySchema
    ) {
        self.rows = rows
        self.grouping = grouping
        self.schema = schema
        following = numbers
    }

    /// Goes to the next group; false if there is none.
    mutating func moveToNextGroup() -> Bool {
        guard let number = following.popFirst() else { return false }
        group = number
        next = number * rows.width
        return true
    }

    /// - Throws: `.undecodable`, `.damaged`, `.overflow` if the type of a sum cannot hold it.
    mutating func next<Value: AttributeStorable>(as type: Value.Type) throws(DataStoreError) -> Value {
        let position = next
        next += 1
        guard position < rows.values.count else { throw undecodable(at: position - group * rows.width) }
        // Without an optional, whose type Swift looks up each time: a third of the time of a group.
        // reason for the casts: the types are the same.
        switch rows.values[position] {
        case .text(let text) where type == String.self: return unsafeBitCast(text, to: type)
        case .integer(let number) where type == Int64.self || type == Int.self && Int.bitWidth == 64:
            return unsafeBitCast(number, to: type)
        case .real(let number) where type == Double.self: return unsafeBitCast(number, to: type)
        default: return try decoded(at: position)
        }
    }

    @inline(never)
    private func decoded<Value: AttributeStorable>(at position: Int) throws(DataStoreError) -> Value {
        guard let value = rows.values[position].withCell({ Value.decode($0) }) else {
            throw undecodable(at: position - group * rows.width)
        }
        return value
    }

    private func undecodable(at position: Int) -> DataStoreError {
        let place: AttributePlace?
        if position < grouping.keys.count {
            let key = grouping.keys[position]
            // Any other key may be nil: an attribute of a related item, or a part of a date.
            if key.path.isEmpty, key.part == nil, case .null = rows.value(position, of: group) {
                return schema.undecodable(.null, at: key.column)
            }
            place = key
        } else {
            let term = grouping.terms[position - grouping.keys.count]
            switch term.function {
            case .sum, .average:
                return DataStoreError(
                    .overflow, "The type of the \(term.function) cannot hold it.", itemType: schema.name,
                    attribute: term.place?.ownName(in: schema))
            case .count, .countValues, .countDistinct, .minimum, .maximum: place = term.place
            }
        }
        let isThere = position + group * rows.width < rows.values.count
        let value = isThere ? rows.value(position, of: group).description : "nil"
        return DataStoreError(
            .undecodable, "The stored value \(value) cannot be read as the type of the attribute.",
            itemType: schema.name, attribute: place?.ownName(in: schema))
    }
}
