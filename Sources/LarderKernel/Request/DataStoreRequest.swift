public import LarderPattern

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

    /// Returns a request for those items that also pass another filter.
    public func filter(_ filter: Filter<Item>) -> DataStoreRequest {
        changed { core in
            if case .always(true) = core.filter {
                core.filter = filter.node
            } else {
                // By filters, which know their depth.
                core.filter = (Filter<Item>(core.filter) && filter).node
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
    ///     Recipe.all.sorted(by: \.kind.name).sorted(by: \.rating, .descending)
    ///
    /// nil comes first ascending. Ties are broken by `id`, in the direction of the last attribute. After a
    /// reference that is nil, every attribute is nil.
    ///
    /// *Cost:* an order by an attribute of a related item keeps identifiers and sorted values in memory: the
    /// values of all items of the request, or of the items up to its limit.
    public func sorted<Sorted: SortableAttribute>(
        by attribute: KeyPath<Item.Attributes, Sorted>, _ direction: SortDirection = .ascending
    ) -> DataStoreRequest where Sorted.Item == Item {
        // Not by way of an ItemOrder, whose list would be allocated and copied for each request.
        let term = OrderTerm(Item.attributes[keyPath: attribute].place, isAscending: direction == .ascending)
        return changed { $0.order.append(term) }
    }

    /// Orders by a text without regard to case, diacritics, or both; see ``sorted(by:_:)``.
    ///
    ///     Recipe.all.sorted(by: \.name, .caseInsensitive)
    ///     Recipe.all.sorted(by: \.name, [.caseInsensitive, .diacriticInsensitive], .descending)
    ///
    /// The folded texts are ordered by their UTF-8 bytes, on every engine alike, and not as a language orders its
    /// letters. Texts that differ in nothing else are equal, so that the next order or `id` decides.
    ///
    /// *Cost:* without an index that ignores the same, every item of the request is read for its text, and the identifiers
    /// and folded texts of all items, or of the items up to its limit, are kept in memory. SQLite sorts by itself.
    public func sorted<Sorted: SortableAttribute>(
        by attribute: KeyPath<Item.Attributes, Sorted>, _ matching: TextMatching,
        _ direction: SortDirection = .ascending
    ) -> DataStoreRequest where Sorted.Item == Item, Sorted.Value: TextAttributeValue {
        sorted(by: .by(attribute, matching, direction))
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

    func changed(_ change: (inout RequestCore) -> Void) -> DataStoreRequest {
        var copy = self
        change(&copy.core)
        return copy
    }
}

extension DataStoreRequest: CustomStringConvertible {
    public var description: String {
        do {
            return try planWithoutStore().description
        } catch {
            return "\(Item.schema.name) (\(error.message))"
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
