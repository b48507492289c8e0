import GRDB

// Records by hand, decoded by index, with the associations between them.

extension Recipe: FetchableRecord, PersistableRecord {
    static let databaseTableName = "recipe"
    static let ingredients = hasMany(Ingredient.self)
    static let kind = belongsTo(RecipeKind.self)

    init(row: Row) {
        self.init(id: row[0], name: row[1], minutes: row[2], kind: row[3])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["minutes"] = minutes
        container["kind"] = kind
    }
}

extension Ingredient: FetchableRecord, PersistableRecord {
    static let databaseTableName = "ingredient"

    init(row: Row) {
        self.init(id: row[0], name: row[1], amount: row[2], recipe: row[3])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["amount"] = amount
        container["recipe"] = recipe
    }
}

extension RecipeKind: PersistableRecord {
    static let databaseTableName = "kind"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
    }
}

extension Tag: PersistableRecord {
    static let databaseTableName = "tag"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["label"] = label
    }
}

/// A row of the link table.
struct RecipeTag: PersistableRecord {
    static let databaseTableName = "recipeTag"

    let recipe: Int64
    let tag: Int64

    func encode(to container: inout PersistenceContainer) {
        container["recipe"] = recipe
        container["tag"] = tag
    }
}

extension RecipeFamily: FetchableRecord {
    init(row: Row) {
        self.init(recipe: Recipe(row: row), ingredients: row["ingredients"])
    }
}
