import Larder
import LarderMemory
import LarderRouting
import Testing

@testable import AdapterTestSupport

/// A recipe in the part that its shelf names.
struct Recipe: DataStoreItem, Equatable {
    let id: Int64
    var shelf: String?
    var name: String
    var rating: Double
    var slug: String?
    var cook: ToOne<Cook>?

    init(
        _ id: Int64, _ name: String, on shelf: String? = nil, rating: Double = 0, slug: String? = nil,
        cook: Int64? = nil
    ) {
        self.id = id
        self.shelf = shelf
        self.name = name
        self.rating = rating
        self.slug = slug
        self.cook = cook.map { ToOne(id: $0) }
    }

    struct Attributes: Sendable {
        let id = Attribute<Recipe, Int64>(column: 0)
        let shelf = Attribute<Recipe, String?>(column: 1)
        let name = Attribute<Recipe, String>(column: 2)
        let rating = Attribute<Recipe, Double>(column: 3)
        let slug = Attribute<Recipe, String?>(indexedColumn: 4)
        let cook = Attribute<Recipe, ToOne<Cook>?>(indexedColumn: 5)
    }
    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Recipe",
        attributes: [
            .attribute("id", Int64.self), .attribute("shelf", String?.self), .attribute("name", String.self),
            .attribute("rating", Double.self), .attribute("slug", String?.self),
            .attribute("cook", ToOne<Cook>?.self),
        ],
        indexes: [.unique("slug")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        shelf = try row.value(at: 1)
        name = try row.value(at: 2)
        rating = try row.value(at: 3)
        slug = try row.value(at: 4)
        cook = try row.value(at: 5)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(shelf, at: 1)
        try row.set(name, at: 2)
        try row.set(rating, at: 3)
        try row.set(slug, at: 4)
        try row.set(cook, at: 5)
    }
}

/// Three pieces of memory, and the stores over them.
struct Shelves {
    let main = MemoryStorage()
    let archive = MemoryStorage()
    let attic = MemoryStorage()

    static let key = PartKey(of: Recipe.self, \.shelf)

    /// A store over the parts "Main" and "Archive"; cooks are in the first.
    ///
    /// - Parameters:
    ///   - archiveFails: The commit of the archive that fails, with all later calls.
    ///   - hasAttic: True if a third part keeps recipes.
    ///   - atticFails: As `archiveFails`, for the third part.
    func makeStore(
        archiveFails: Int? = nil, hasAttic: Bool = false, atticFails: Int? = nil, keys: [PartKey] = [key]
    ) -> RoutedDataStore {
        var second: any DataStore = MemoryDataStore(storing: [Recipe.self], in: archive)
        if let archiveFails { second = DecoratedStore(second, atCommit: archiveFails) }
        var parts = [
            StorePart("Main", MemoryDataStore(storing: [Cook.self, Recipe.self], in: main)),
            StorePart("Archive", second),
        ]
        if hasAttic {
            var third: any DataStore = MemoryDataStore(storing: [Recipe.self], in: attic)
            if let atticFails { third = DecoratedStore(third, atCommit: atticFails) }
            parts.append(StorePart("Attic", third))
        }
        return RoutedDataStore(parts, partitionedBy: keys)
    }

    func openStore(
        archiveFails: Int? = nil, hasAttic: Bool = false, atticFails: Int? = nil
    ) throws -> RoutedDataStore {
        let store = makeStore(archiveFails: archiveFails, hasAttic: hasAttic, atticFails: atticFails)
        try store.setup()
        return store
    }

    /// The identifiers of the recipes that a piece of memory has, read without the other parts.
    static func identifiers(in storage: MemoryStorage) throws -> [Int64] {
        let adapter = MemoryDataStore(storing: [Recipe.self], in: storage).coordinator.adapter
        let schema = try StoreSchema(of: try #require(try adapter.storedSchema()))
        try adapter.open(schema)
        defer { try? adapter.close() }
        let reading = try adapter.beginReading()
        defer { reading.end() }
        let number = try #require(schema.entities.firstIndex { $0.name == "Recipe" })
        let plan = RequestPlan(entity: number, schema: schema.entities[number], columns: .some([0]))
        let rows = try reading.rows(for: plan)
        defer { rows.close() }
        var identifiers: [Int64] = []
        let cells = CellBuffer(count: 1)
        while try rows.next(into: cells.start) { identifiers.append(cells.start[0].integer) }
        return identifiers
    }
}

extension DataStore {
    /// The identifiers of recipes.
    func recipes(_ request: DataStoreRequest<Recipe>) throws -> [Int64] {
        try read { try $0.items(for: request).map(\.id) }
    }
}
