import Larder

/// The changes of a recipe from the first version to the second.
enum UpgradeWork: String, CaseIterable {
    /// Inferred: an attribute gets a wider type, which needs a new table.
    case widened
    /// Inferred: an attribute is added at the end, for which SQLite has `ALTER TABLE`.
    case added
    /// Mapped: a new attribute gets a value that Swift makes of each row.
    case filled
    /// Mapped: each row goes through a closure, which renames an attribute and computes another.
    case transformed

    var title: String {
        switch self {
        case .widened: "inferred, a wider type"
        case .added: "inferred, a new attribute"
        case .filled: "fill, a value for each row"
        case .transformed: "Transform of each row"
        }
    }

    /// The least share of the raw engine's speed, in place.
    var target: Double {
        switch self {
        case .widened, .added: 0.7
        case .filled, .transformed: 0.5
        }
    }

    /// The factor between the old minutes and the new number.
    static let factor: Int64 = 60

    /// The attributes of the second version after the identifier, with their values in SQL.
    ///
    /// - Parameter kind: The reference to the kind, whose Swift type belongs to each version.
    func attributes(kind: AttributeSchema = .attribute("kind", Int64.self)) -> [UpgradedAttribute] {
        let kind = UpgradedAttribute(kind, "INTEGER NOT NULL", "kind")
        let rest = [
            UpgradedAttribute(.attribute("rating", Double?.self), "REAL", "rating"),
            UpgradedAttribute(.attribute("note", String?.self), "TEXT", "note"),
            kind,
        ]
        let title = UpgradedAttribute(.attribute(titleName, String.self), "TEXT NOT NULL", "title")
        let minutes = UpgradedAttribute(.attribute("minutes", Int32.self), "INTEGER NOT NULL", "minutes")
        let seconds = UpgradedAttribute(
            .attribute("seconds", Int64.self), "INTEGER NOT NULL", "minutes * \(Self.factor)")
        switch self {
        case .widened:
            let wide = UpgradedAttribute(.attribute("minutes", Int64.self), "INTEGER NOT NULL", "minutes")
            return [title, wide] + rest
        case .added:
            let servings = UpgradedAttribute(.attribute("servings", Int64?.self), "INTEGER", "NULL")
            return [title, minutes] + rest + [servings]
        case .filled: return [title, minutes] + rest + [seconds]
        case .transformed: return [title, seconds] + rest
        }
    }

    /// The attribute that was the title.
    var titleName: String { self == .transformed ? "name" : "title" }

    /// The attribute of the second version whose sum tells whether every row has been changed.
    var checkedName: String {
        switch self {
        case .widened, .added: "minutes"
        case .filled, .transformed: "seconds"
        }
    }

    /// The factor between the minutes and the values of that attribute.
    var checkedFactor: Int64 { checkedName == "minutes" ? 1 : Self.factor }

    var step: SchemaStep {
        switch self {
        case .widened, .added: SchemaStep(from: "1", to: "2")
        case .filled:
            SchemaStep(from: "1", to: "2") {
                Keep("Recipe").fill("seconds") { old in
                    Int64(try old["minutes", as: Int32.self]) * Self.factor
                }
            }
        case .transformed:
            SchemaStep(from: "1", to: "2") {
                Transform("Recipe") { old, new in
                    let recipe = try new.make()
                    recipe["name"] = try old["title"]
                    let minutes = try old["minutes", as: Int32.self]
                    try recipe.set("seconds", to: Int64(minutes) * Self.factor)
                }
            }
        }
    }

    static let firstVersion = SchemaVersion(
        "1", storing: [RecipeBeforeUpgrade.self, KindBeforeUpgrade.self])

    var history: SchemaHistory {
        SchemaHistory([Self.firstVersion, SchemaVersion("2", storing: secondTypes)], steps: [step])
    }

    private var secondTypes: [any DataStoreItem.Type] {
        switch self {
        case .widened: UpgradedRecipe<Widened>.types
        case .added: UpgradedRecipe<Added>.types
        case .filled: UpgradedRecipe<Filled>.types
        case .transformed: UpgradedRecipe<Transformed>.types
        }
    }

    /// Reads all rows of the second version.
    func answer(in store: any DataStore) throws -> UpgradeAnswer {
        switch self {
        case .widened: try UpgradedRecipe<Widened>.answer(in: store)
        case .added: try UpgradedRecipe<Added>.answer(in: store)
        case .filled: try UpgradedRecipe<Filled>.answer(in: store)
        case .transformed: try UpgradedRecipe<Transformed>.answer(in: store)
        }
    }
}

/// An attribute of the second version.
struct UpgradedAttribute {
    let schema: AttributeSchema
    let sqlType: String
    /// Its value from the old row in SQL.
    let source: String

    init(_ schema: AttributeSchema, _ sqlType: String, _ source: String) {
        (self.schema, self.sqlType, self.source) = (schema, sqlType, source)
    }

    var name: String { schema.name }
}
