import Larder

/// An item with more attributes than most engines accept as arguments of a function or a statement.
struct Wide: DataStoreItem, Equatable {
    static let numberCount = 300

    let id: Int64
    /// The attributes `n1`, `n2` and so on.
    var numbers: [Int64]

    init(_ id: Int64, _ number: (Int) -> Int64) {
        self.id = id
        numbers = (1...Self.numberCount).map(number)
    }

    struct Attributes: Sendable {
        let id = Attribute<Wide, Int64>(column: 0)
    }

    static let attributes = Attributes()

    static let schema = EntitySchema(
        "Wide",
        attributes: [.attribute("id", Int64.self)]
            + (1...numberCount).map { .attribute("n\($0)", Int64.self) })

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        numbers = []
        for column in 1...Self.numberCount { numbers.append(try row.value(at: column)) }
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        for (position, number) in numbers.enumerated() { try row.set(number, at: position + 1) }
    }
}
