import Larder

/// A work as a type, so that each has item types of its own.
protocol UpgradeShape: Sendable {
    static var work: UpgradeWork { get }
}

enum Widened: UpgradeShape { static let work = UpgradeWork.widened }
enum Added: UpgradeShape { static let work = UpgradeWork.added }
enum Filled: UpgradeShape { static let work = UpgradeWork.filled }
enum Transformed: UpgradeShape { static let work = UpgradeWork.transformed }

/// A recipe of the second version, of which only what is checked is read; none is ever written.
struct UpgradedRecipe<Shape: UpgradeShape>: DataStoreItem {
    let id: Int64
    let title: String
    let number: Int64

    struct Attributes: StoredAttributes {
        let id = Attribute<UpgradedRecipe, Int64>(column: 0)
        let kind = Attribute<UpgradedRecipe, ToOne<UpgradedKind<Shape>>>(indexedColumn: 5)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema {
        let kind = AttributeSchema.attribute("kind", ToOne<UpgradedKind<Shape>>.self)
        return EntitySchema(
            "Recipe",
            attributes: [.attribute("id", Int64.self)] + Shape.work.attributes(kind: kind).map(\.schema),
            indexes: [.unique(Shape.work.titleName)])
    }

    static var types: [any DataStoreItem.Type] { [Self.self, UpgradedKind<Shape>.self] }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        throw DataStoreError(.unsupported, "Upgraded recipes are only read.")
    }

    static func answer(in store: any DataStore) throws -> UpgradeAnswer {
        var answer = UpgradeAnswer()
        try store.read { accessor in
            for recipe in try accessor.items(for: Self.all) {
                answer.rows += 1
                answer.sum += recipe.number
                answer.titleBytes += recipe.title.utf8.count
            }
        }
        return answer
    }
}

// Swift adds no memberwise initialiser to a struct whose body declares another.
extension UpgradedRecipe {
    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        title = try row.value(at: 1)
        switch Shape.work {
        case .added: number = Int64(try row.value(at: 2) as Int32)
        case .widened, .transformed: number = try row.value(at: 2)
        case .filled: number = try row.value(at: 6)
        }
    }
}

/// The kind of recipes in the second version, which is the same.
struct UpgradedKind<Shape: UpgradeShape>: DataStoreItem {
    let id: Int64
    var name: String
    var recipes: ToMany<UpgradedRecipe<Shape>>

    struct Attributes: StoredAttributes {
        let id = Attribute<UpgradedKind, Int64>(column: 0)
        let name = Attribute<UpgradedKind, String>(column: 1)
        let recipes = RelationshipAttribute<UpgradedKind, ToMany<UpgradedRecipe<Shape>>>(number: 0)
    }

    static var attributes: Attributes { Attributes() }

    static var schema: EntitySchema {
        EntitySchema(
            "Kind", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            relationships: [
                .relationship(
                    "recipes", ToMany<UpgradedRecipe<Shape>>.self, of: UpgradedKind.self,
                    inverse: UpgradedRecipe<Shape>.attributes.kind, deleteRule: .deny)
            ])
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(name, at: 1)
        try row.set(recipes, atRelationship: 0)
    }
}

extension UpgradedKind {
    init(row: borrowing RowReader) throws(DataStoreError) {
        try self.init(
            id: row.value(at: 0), name: row.value(at: 1),
            recipes: row.value(atRelationship: 0, of: Self.self))
    }
}
