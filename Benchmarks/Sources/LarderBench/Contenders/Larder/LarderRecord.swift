import Larder

/// What the workloads need of an item.
///
/// Written where the type is concrete, as in an app: the key path of a generic type is made anew each time.
protocol LarderRecord: DataStoreItem, RestaurantRecord where ID == Int64 {
    static func named(_ name: String) -> DataStoreRequest<Self>
    /// In the order in which all other contenders give them, too: that of the index, where there is one, else
    /// that of identifiers.
    static func rated(above bound: Double) -> DataStoreRequest<Self>
    static func byRating(_ direction: SortDirection) -> DataStoreRequest<Self>

    static func aggregate(
        _ question: AggregateQuestion, _ accessor: DataStoreReadAccessor
    ) throws -> AggregateAnswer

    /// Changes two attributes, as ``Restaurant/mirror()`` does.
    static func mirror(_ handle: Mutable<Self>)
}
