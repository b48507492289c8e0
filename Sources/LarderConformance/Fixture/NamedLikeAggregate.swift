import Larder

/// An item with the names that an engine may give to the values that it computes of groups.
struct NamedLikeAggregate: DataStoreItem {
    let id: Int64
    var count: Int
    var sum: Int
    var min: Int
    var max: Int

    init(_ id: Int64, count: Int, sum: Int, min: Int, max: Int) {
        self.id = id
        self.count = count
        self.sum = sum
        self.min = min
        self.max = max
    }

    struct Attributes: Sendable {
        let id = Attribute<NamedLikeAggregate, Int64>(column: 0)
        let count = Attribute<NamedLikeAggregate, Int>(column: 1)
        let sum = Attribute<NamedLikeAggregate, Int>(column: 2)
        let min = Attribute<NamedLikeAggregate, Int>(column: 3)
        let max = Attribute<NamedLikeAggregate, Int>(column: 4)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "NamedLikeAggregate",
        attributes: [
            .attribute("id", Int64.self), .attribute("count", Int.self), .attribute("sum", Int.self),
            .attribute("min", Int.self), .attribute("max", Int.self),
        ],
        indexes: [.index("count", "sum", "min", "max"), .index("max", "min")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        count = try row.value(at: 1)
        sum = try row.value(at: 2)
        min = try row.value(at: 3)
        max = try row.value(at: 4)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(count, at: 1)
        try row.set(sum, at: 2)
        try row.set(min, at: 3)
        try row.set(max, at: 4)
    }
}
