public import LarderKernel

// Names of Core Data, GRDB, Realm, CoreStore and SwiftData, so that the compiler can suggest Larder's. All of
// them are unavailable, so this code never runs.

extension DataStoreRequest {
    @available(*, unavailable, renamed: "filter(_:)")
    public func `where`(_ filter: Filter<Item>) -> DataStoreRequest { self }

    @available(*, unavailable, renamed: "sorted(by:_:)")
    public func order<Value: AttributeValue>(
        by attribute: AttributePath<Item, Value>, _ direction: SortDirection = .ascending
    ) -> DataStoreRequest { self }

    @available(*, unavailable, renamed: "sorted(by:)")
    public func order<Value: AttributeValue>(_ attribute: AttributePath<Item, Value>) -> DataStoreRequest {
        self
    }

    @available(*, unavailable, renamed: "sorted(by:_:)")
    public func sort<Value: AttributeValue>(
        by attribute: AttributePath<Item, Value>, _ direction: SortDirection = .ascending
    ) -> DataStoreRequest { self }

    @available(*, unavailable, renamed: "sorted(by:)")
    public func sort<Value: AttributeValue>(_ attribute: AttributePath<Item, Value>) -> DataStoreRequest {
        self
    }

    @available(*, unavailable, renamed: "sorted(by:)")
    public func orderBy<Value: AttributeValue>(
        _ attribute: AttributePath<Item, Value>
    ) -> DataStoreRequest { self }

    @available(*, unavailable, message: "Use sorted(by:_:) with .ascending or .descending")
    public func sorted<Value: AttributeValue>(
        by attribute: AttributePath<Item, Value>, ascending: Bool
    ) -> DataStoreRequest { self }

    @available(*, unavailable, message: "Use sorted(by:_:) with .ascending or .descending")
    public func sorted<Value: AttributeValue>(
        byKeyPath attribute: AttributePath<Item, Value>, ascending: Bool = true
    ) -> DataStoreRequest { self }

    @available(*, unavailable, renamed: "limit(_:)")
    public func prefix(_ count: Int) -> DataStoreRequest { self }
}

extension DataStoreItem {
    @_disfavoredOverload
    @available(*, unavailable, message: "Name attributes by their paths: Recipe.where(\\.rating > 4)")
    public static func `where`(_ isIncluded: (Self) -> Bool) -> DataStoreRequest<Self> { all }

    @available(*, unavailable, renamed: "where(_:)")
    public static func filter(_ filter: Filter<Self>) -> DataStoreRequest<Self> { all }

    @available(*, unavailable, message: "Sort a request: Recipe.all.sorted(by: …)")
    public static func order<Value: AttributeValue>(
        by attribute: AttributePath<Self, Value>
    ) -> DataStoreRequest<Self> { all }

    @available(*, unavailable, message: "Sort a request: Recipe.all.sorted(by: …)")
    public static func sorted<Value: AttributeValue>(
        by attribute: AttributePath<Self, Value>
    ) -> DataStoreRequest<Self> { all }

    @available(*, unavailable, message: "Use the accessor of a block: accessor.items(for: Recipe.all)")
    public static func fetchAll(_ accessor: DataStoreReadAccessor) throws -> [Self] { [] }

    @available(*, unavailable, message: "Use the accessor of a block: accessor.firstItem(for: Recipe.all)")
    public static func fetchOne(_ accessor: DataStoreReadAccessor) throws -> Self? { nil }

    @available(*, unavailable, message: "Use the accessor of a block: accessor.countItems(for: Recipe.all)")
    public static func fetchCount(_ accessor: DataStoreReadAccessor) throws -> Int { 0 }
}

extension SortDirection {
    @available(*, unavailable, renamed: "ascending")
    public static var forward: SortDirection { .ascending }

    @available(*, unavailable, renamed: "descending")
    public static var reverse: SortDirection { .descending }

    @available(*, unavailable, renamed: "ascending")
    public static var asc: SortDirection { .ascending }

    @available(*, unavailable, renamed: "descending")
    public static var desc: SortDirection { .descending }
}
