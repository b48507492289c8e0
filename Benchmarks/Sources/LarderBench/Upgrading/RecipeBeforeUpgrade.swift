import Larder

/// A recipe of the first version: a unique title, and a reference with its index.
///
/// Conforms by hand, so that the benchmarks need not build the macro.
struct RecipeBeforeUpgrade: DataStoreItem {
    let id: Int64
    var title: String
    var minutes: Int32
    var rating: Double?
    var note: String?
    var kind: ToOne<KindBeforeUpgrade>

    struct Attributes: StoredAttributes {
        let id = Attribute<RecipeBeforeUpgrade, Int64>(column: 0)
        let title = Attribute<RecipeBeforeUpgrade, String>(indexedColumn: 1)
        let minutes = Attribute<RecipeBeforeUpgrade, Int32>(column: 2)
        let rating = Attribute<RecipeBeforeUpgrade, Double?>(column: 3)
        let note = Attribute<RecipeBeforeUpgrade, String?>(column: 4)
        let kind = Attribute<RecipeBeforeUpgrade, ToOne<KindBeforeUpgrade>>(indexedColumn: 5)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Recipe",
        attributes: [
            .attribute("id", Int64.self), .attribute("title", String.self),
            .attribute("minutes", Int32.self), .attribute("rating", Double?.self),
            .attribute("note", String?.self), .attribute("kind", ToOne<KindBeforeUpgrade>.self),
        ],
        indexes: [.unique("title")])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(title, at: 1)
        try row.set(minutes, at: 2)
        try row.set(rating, at: 3)
        try row.set(note, at: 4)
        try row.set(kind, at: 5)
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension RecipeBeforeUpgrade {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), title: row.value(at: 1), minutes: row.value(at: 2),
            rating: row.value(at: 3), note: row.value(at: 4), kind: row.value(at: 5))
    }
}

/// The kind of recipes; one with recipes cannot be deleted.
struct KindBeforeUpgrade: DataStoreItem {
    let id: Int64
    var name: String
    var recipes: ToMany<RecipeBeforeUpgrade>

    struct Attributes: StoredAttributes {
        let id = Attribute<KindBeforeUpgrade, Int64>(column: 0)
        let name = Attribute<KindBeforeUpgrade, String>(column: 1)
        let recipes = RelationshipAttribute<KindBeforeUpgrade, ToMany<RecipeBeforeUpgrade>>(number: 0)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Kind", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
        relationships: [
            .relationship(
                "recipes", ToMany<RecipeBeforeUpgrade>.self, of: KindBeforeUpgrade.self,
                inverse: RecipeBeforeUpgrade.attributes.kind, deleteRule: .deny)
        ])

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(recipes, atRelationship: 0)
    }
}

extension KindBeforeUpgrade {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), name: row.value(at: 1),
            recipes: row.value(atRelationship: 0, of: Self.self))
    }
}

/// Makes the same recipes from the same seed: ids ascend from 1, titles differ and come in no order.
struct RecipesBeforeUpgrade {
    static let kindCount: Int64 = 100

    let count: Int
    let seed: UInt64

    static var kinds: [KindBeforeUpgrade] {
        (1...kindCount).map { KindBeforeUpgrade(id: $0, name: "Kind \($0)", recipes: .notGiven) }
    }

    /// Calls its argument with some recipes after the other.
    func forEachPiece(_ body: ([RecipeBeforeUpgrade]) throws -> Void) rethrows {
        var random = SeededGenerator(seed: seed)
        for first in stride(from: 1, through: count, by: 10_000) {
            try body((first...min(count, first + 9999)).map { recipe(id: Int64($0), &random) })
        }
    }

    private func recipe(id: Int64, _ random: inout SeededGenerator) -> RecipeBeforeUpgrade {
        let number = 10_000_000 + (id &* 2_654_435_761) % 90_000_000
        return RecipeBeforeUpgrade(
            id: id, title: "Casserole \(number)", minutes: Int32.random(in: 1...600, using: &random),
            rating: Bool.random(using: &random) ? Double.random(in: 0...5, using: &random) : nil,
            note: Bool.random(using: &random) ? "Serve with bread and butter, \(number)" : nil,
            kind: ToOne(id: Int64.random(in: 1...Self.kindCount, using: &random)))
    }
}
