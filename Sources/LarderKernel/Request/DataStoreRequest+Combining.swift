extension DataStoreRequest {
    /// Returns a request for the items that pass this request's filter or another one.
    ///
    ///     Recipe.where(\.rating > 4).or(\.isFavorite)
    ///
    /// A filter that is added later holds for both.
    public func or(_ filter: Filter<Item>) -> DataStoreRequest {
        changed { $0.filter = (Filter<Item>($0.filter) || filter).node }
    }

    /// Returns a request for the items that pass this request's filter, or whose attribute is true.
    @_disfavoredOverload
    public func or<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>
    ) -> DataStoreRequest where Compared.Item == Item, Compared.Value == Bool {
        or(attribute == true)
    }

    /// The order of the request.
    public var order: ItemOrder<Item> { ItemOrder(terms: core.order) }

    /// Adds an order; after an earlier one, it orders the items that the earlier one leaves equal.
    public func sorted(by order: ItemOrder<Item>) -> DataStoreRequest {
        changed { $0.order += order.terms }
    }

    /// Returns the request with another order in place of its own.
    public func replacingOrder(by order: ItemOrder<Item>) -> DataStoreRequest {
        changed { $0.order = order.terms }
    }

    /// The items that pass the filters of both, in the first order and then the second.
    ///
    /// If both are requests for the items of a relationship (`person.books.request`), the items belong to the
    /// owners of both.
    ///
    /// The offset, the limit and the prefetched relationships come from the second request if it has any, and
    /// else from the first.
    public static func + (left: DataStoreRequest, right: DataStoreRequest) -> DataStoreRequest {
        var sum = left.filter(Filter(right.core.filter)).sorted(by: right.order)
        if right.core.offset != 0 { sum.core.offset = right.core.offset }
        if let limit = right.core.limit { sum.core.limit = limit }
        if let graph = right.core.graph { sum.core.combine(with: graph) }
        return sum
    }

    /// The request with a further filter.
    public static func + (left: DataStoreRequest, right: Filter<Item>) -> DataStoreRequest {
        left.filter(right)
    }

    /// The request with a further order.
    public static func + (left: DataStoreRequest, right: ItemOrder<Item>) -> DataStoreRequest {
        left.sorted(by: right)
    }

    public static func += (left: inout DataStoreRequest, right: DataStoreRequest) { left = left + right }

    public static func += (left: inout DataStoreRequest, right: Filter<Item>) { left = left + right }

    public static func += (left: inout DataStoreRequest, right: ItemOrder<Item>) { left = left + right }
}
