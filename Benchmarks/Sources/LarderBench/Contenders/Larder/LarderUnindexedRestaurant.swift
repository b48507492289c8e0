import Larder

/// The same restaurant without an index besides the identifier.
struct LarderUnindexedRestaurant: DataStoreItem {
    private var indexed: LarderRestaurant

    var id: Int64 { indexed.id }

    struct Attributes: Sendable {
        let name = Attribute<LarderUnindexedRestaurant, String>(column: 1)
        let rating = Attribute<LarderUnindexedRestaurant, Double>(column: 3)
    }

    static let attributes = Attributes()
    static let schema = LarderRestaurant.makeSchema(indexes: [])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try indexed.encode(to: &row)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension LarderUnindexedRestaurant {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(indexed: LarderRestaurant(row: row))
    }
}

extension LarderUnindexedRestaurant: LarderRecord {
    static func named(_ name: String) -> DataStoreRequest<Self> { Self.where(\.name == name) }

    static func rated(above bound: Double) -> DataStoreRequest<Self> { Self.where(\.rating > bound) }

    static func byRating(_ direction: SortDirection) -> DataStoreRequest<Self> {
        Self.all.sorted(by: \.rating, direction)
    }

    static func aggregate(
        _ question: AggregateQuestion, _ accessor: DataStoreReadAccessor
    ) throws -> AggregateAnswer {
        switch question {
        case .sum: return .numbers([try accessor.sum(\.rating, for: all)])
        case .average: return .numbers([try accessor.average(\.rating, for: all) ?? 0])
        case .extremes:
            let (lowest, highest) = try accessor.aggregate(all, .minimum(\.rating), .maximum(\.rating))
            return .numbers([lowest ?? 0, highest ?? 0])
        case .names: return .names(try accessor.groups(for: all.grouped(by: \.name), .count))
        }
    }

    static func mirror(_ handle: Mutable<Self>) {
        var restaurant = handle.item.restaurant
        restaurant.mirror()
        handle.indexed = LarderRestaurant(restaurant)
    }

    init(_ restaurant: Restaurant) {
        indexed = LarderRestaurant(restaurant)
    }

    var restaurant: Restaurant { indexed.restaurant }
}
