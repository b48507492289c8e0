/// A query for items of one type: a filter, an order and a window.
///
///     let best = Recipe.where(\.rating > 4).sorted(by: \.name).limit(20)
///     let items = try store.read { try $0.items(for: best) }
///
/// Each call returns a new request. *Rule:* a value; may be kept, compared and sent anywhere. Mistakes that
/// only show at run time (a negative limit, NaN) are thrown by ``validate()`` and by the first call that uses
/// the request.
public struct DataStoreRequest<Item: DataStoreItem>: Sendable, Hashable {
    @usableFromInline package var core: RequestCore

    /// Creates a request for all items of the type, in the order of their identifiers.
    public init() {
        core = RequestCore()
    }

    package init(_ core: RequestCore) {
        self.core = core
    }

    /// Creates a request for the items with this value in a column.
    init(_ column: Int, equals value: Constant) {
        core = RequestCore(filter: .compare(column: column, .equal, value))
    }

    /// Returns a request for those items that also pass another filter.
    public func filter(_ filter: Filter<Item>) -> DataStoreRequest {
        changed { core in
            if case .always(true) = core.filter {
                core.filter = filter.node
            } else {
                core.filter = core.filter && filter.node
            }
        }
    }

    /// Returns a request for those items whose attribute is true.
    @_disfavoredOverload
    public func filter<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Item.Attributes, Compared>
    ) -> DataStoreRequest where Compared.Item == Item, Compared.Value == Bool {
        filter(attribute == true)
    }

    /// Orders by an attribute; after an earlier order, it orders the items that the earlier one leaves equal.
    ///
    /// nil comes first ascending. Ties are broken by `id`, in the direction of the last attribute.
    public func sorted<Value: AttributeValue>(
        by attribute: AttributePath<Item, Value>, _ direction: SortDirection = .ascending
    ) -> DataStoreRequest {
        let column = Item.attributes[keyPath: attribute].column
        return changed {
            $0.order.append(
                .own(RequestPlan.SortTerm(column: column, isAscending: direction == .ascending)))
        }
    }

    /// Orders by an attribute of a related item: `Recipe.all.sorted(by: \.kind.name)`.
    ///
    /// Where a reference on the way is nil, so is the attribute, and nil comes first ascending. *Cost:*
    /// without a limit, the identifiers and sorted values of all items of the request are kept in memory.
    public func sorted<Value: AttributeValue>(
        by attribute: RelatedAttributePath<Item, Value>, _ direction: SortDirection = .ascending
    ) -> DataStoreRequest {
        let related = Item.attributes[keyPath: attribute]
        let term = RequestPlan.SortTerm(column: related.column, isAscending: direction == .ascending)
        return changed { $0.order.append(.related(related.path, term)) }
    }

    /// Skips the first items.
    public func offset(_ count: Int) -> DataStoreRequest {
        changed { $0.offset = count }
    }

    /// Limits the number of items.
    public func limit(_ count: Int?) -> DataStoreRequest {
        changed { $0.limit = count }
    }

    /// Checks the values that the compiler cannot check.
    ///
    /// - Throws: `.invalidRequest` for a negative limit or offset and for a value that cannot be stored.
    public func validate() throws(DataStoreError) {
        _ = try planWithoutStore()
    }

    fileprivate func planWithoutStore() throws(DataStoreError) -> RequestPlan {
        let others = core.graph?.ownerTypes ?? []
        return try core.plan(entity: 0, in: StoreSchema(reachableFrom: Item.self, and: others))
    }

    private func changed(_ change: (inout RequestCore) -> Void) -> DataStoreRequest {
        var copy = self
        change(&copy.core)
        return copy
    }
}

extension DataStoreRequest: CustomStringConvertible {
    public var description: String {
        let plan = Result { () throws(DataStoreError) in
            try planWithoutStore()
        }
        return switch plan {
        case .success(let plan): plan.description
        case .failure(let error): "\(Item.schema.name) (\(error.message))"
        }
    }
}

/// The direction of an order.
public enum SortDirection: Sendable, Hashable {
    case ascending
    case descending
}

extension DataStoreItem {
    /// A request for the items that pass a filter.
    public static func `where`(_ filter: Filter<Self>) -> DataStoreRequest<Self> {
        DataStoreRequest<Self>(RequestCore(filter: filter.node))
    }

    /// A request for the items whose attribute is true: `Recipe.where(\.isVegan)`.
    @_disfavoredOverload
    public static func `where`<Compared: FilterableAttribute>(
        _ attribute: KeyPath<Attributes, Compared>
    ) -> DataStoreRequest<Self> where Compared.Item == Self, Compared.Value == Bool {
        `where`(attribute == true)
    }

    /// A request for all items of the type.
    public static var all: DataStoreRequest<Self> { DataStoreRequest() }
}
