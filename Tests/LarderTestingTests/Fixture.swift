import Larder
import LarderLMDB
import LarderSQLite
import LarderTesting

extension TestEngine {
    static let sqlite = TestEngine("SQLite") {
        .sqlite(at: $0, options: SQLiteOptions(durability: .none))
    }
    static let lmdb = TestEngine("LMDB") {
        .lmdb(at: $0, options: LMDBOptions(durability: .none))
    }

    static let all = [memory, sqlite, lmdb]
}

/// A meal on a menu.
struct Meal: DataStoreItem, Equatable {
    let id: Int64
    var name: String
    var price: Int64
    var note: String?

    init(_ id: Int64, name: String? = nil, price: Int64 = 0, note: String? = nil) {
        self.id = id
        self.name = name ?? "meal \(id)"
        self.price = price
        self.note = note
    }

    struct Attributes: Sendable {
        let id = Attribute<Meal, Int64>(column: 0)
        let name = Attribute<Meal, String>(column: 1)
        let price = Attribute<Meal, Int64>(column: 2)
        let note = Attribute<Meal, String?>(column: 3)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Meal",
        attributes: [
            .attribute("id", Int64.self), .attribute("name", String.self), .attribute("price", Int64.self),
            .attribute("note", String?.self),
        ],
        indexes: [.unique("name"), .index("price")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        name = try row.value(at: 1)
        price = try row.value(at: 2)
        note = try row.value(at: 3)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(price, at: 2)
        try row.set(note, at: 3)
    }
}

extension DataStore {
    /// All meals, by their identifiers.
    func meals() throws -> [Meal] { try read { try $0.items(for: Meal.all) } }

    func insert(_ meals: Meal...) throws { try writeSync { try $0.insert(contentsOf: meals) } }
}
