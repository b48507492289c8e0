import Larder

/// The versions of an app with recipes, each with its types, and the steps between them.
///
/// The types of a version are of that version alone, as an app's own are: a step knows them by name only.
enum StepFixture {
    // MARK: The first version

    enum Kind1: ItemVersion {
        static let schema = EntitySchema(
            "Kind", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    enum Tag1: ItemVersion {
        static let schema = EntitySchema(
            "Tag", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)],
            indexes: [.unique("name")])
    }

    enum Recipe1: TaggedVersion {
        typealias Tag = Versioned<Tag1>
        static let schema = EntitySchema(
            "Recipe",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("minutes", Int32.self),
                .attribute("author", String?.self), .attribute("kind", ToOne<Versioned<Kind1>>?.self),
            ],
            indexes: [.index("name")],
            relationships: [.relationship("tags", ToMany<Tag>.self)])
    }

    enum Draft1: ItemVersion {
        static let schema = EntitySchema(
            "Draft", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)])
    }

    typealias Kind = Versioned<Kind1>
    typealias Tag = Versioned<Tag1>
    typealias Recipe = Tagged<Recipe1>
    typealias Draft = Versioned<Draft1>

    static let first: [any DataStoreItem.Type] = [Kind.self, Tag.self, Recipe.self, Draft.self]

    static let kinds = [Kind(1, .text("Soup")), Kind(2, .text("Cake"))]
    static let tags = [Tag(1, .text("quick")), Tag(2, .text("sweet")), Tag(3, .text("vegan"))]
    static let drafts = [Draft(1, .text("x")), Draft(2, .text("y"))]
    static let recipes = [
        Recipe(1, .text("Leek"), .integer(20), .text("Ada"), .integer(1)),
        Recipe(2, .text("Pie"), .integer(70), .text("Bob"), .integer(2)),
        Recipe(3, .text("Toast"), .integer(5), .null, .null),
        Recipe(5, .text("Tart"), .integer(40), .text("Ada"), .integer(2)),
    ]
    static let links: [Int64: [Int64]] = [1: [1, 3], 2: [2], 5: [1, 2]]

    /// Stores the first version.
    static func store(in world: ConformanceWorld) throws {
        let store = try world.open(Kind.self, Tag.self, Recipe.self, Draft.self)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: kinds)
            try accessor.insert(contentsOf: tags)
            try accessor.insert(contentsOf: drafts)
            for recipe in recipes {
                try accessor.insert(recipe).tags.add(ids: links[recipe.id] ?? [])
            }
        }
        try world.closeAll()
    }

    /// Fails unless the place holds exactly what ``store(in:)`` has stored.
    static func expectUnchanged(_ world: ConformanceWorld, line: Int = #line) throws {
        let store = try world.reopen(Kind.self, Tag.self, Recipe.self, Draft.self)
        try expect(try store.items(Kind.all), equals: kinds, line: line)
        try expect(try store.items(Tag.all), equals: tags, line: line)
        try expect(try store.items(Draft.all), equals: drafts, line: line)
        try expect(try store.items(Recipe.all), equals: recipes, line: line)
        try expectLinks(links, of: Recipe.self, in: store, line: line)
        let names = try store.coordinator.adapter.entityNames(closing: world)
        try expect(names, equals: ["Draft", "Kind", "Recipe", "Recipe.tags", "Tag"], line: line)
    }

    /// Fails unless the items of a type have exactly these links.
    static func expectLinks<Version: TaggedVersion>(
        _ links: [Int64: [Int64]], of type: Tagged<Version>.Type, in store: any DataStore,
        line: Int = #line
    ) throws where Version.Tag.ID == Int64 {
        try store.writeSync { accessor in
            for id in try accessor.ids(for: type.all) {
                let item = try require(try accessor.mutableItem(id: id, of: type))
                try expect(try item.tags.ids(), equals: links[id] ?? [], "tags of \(id)", line: line)
            }
        }
    }
}

extension StorageAdapter {
    /// The names of all stored types and links.
    fileprivate func entityNames(closing world: ConformanceWorld) throws -> [String] {
        try world.closeAll()
        return try require(try storedSchema()).entities.map(\.name).sorted()
    }
}

/// A version of an item type with tags.
protocol TaggedVersion: ItemVersion {
    associatedtype Tag: DataStoreItem
}

/// An item with the attributes of its version, and a relationship `tags`.
struct Tagged<Version: TaggedVersion>: DataStoreItem, Equatable {
    let id: Int64
    var values: [Constant]
    var tags: ToMany<Version.Tag> = .notGiven

    init(_ id: Int64, _ values: Constant...) {
        self.id = id
        self.values = values
    }

    struct Attributes: Sendable {
        let id = Attribute<Tagged, Int64>(column: 0)
        let tags = RelationshipAttribute<Tagged, ToMany<Version.Tag>>(number: 0)
    }

    static var attributes: Attributes { Attributes() }
    static var schema: EntitySchema { Version.schema }

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        values = []
        for column in Self.schema.attributes.indices.dropFirst() {
            values.append(try row.value(at: column, as: StoredValue.self).constant)
        }
        tags = try row.value(atRelationship: 0, of: Tagged.self)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        for (position, value) in values.enumerated() {
            try row.set(StoredValue(constant: value), at: position + 1)
        }
        try row.set(tags, atRelationship: 0)
    }

    static func == (left: Tagged, right: Tagged) -> Bool {
        left.id == right.id && left.values == right.values
    }
}

extension MigrationPlan {
    /// The way through some versions, each with its types, by the steps between them; the stored version is
    /// the one with the same types and attributes.
    static func through(
        _ versions: [[any DataStoreItem.Type]], by steps: [SchemaStep],
        progress: (@Sendable (DataStoreProgress) -> Void)? = nil
    ) -> MigrationPlan {
        MigrationPlan(progress: progress) { stored throws(DataStoreError) in
            var stages: [Stage] = []
            var schemas: [StoreSchema] = []
            for types in versions { schemas.append(try StoreSchema(storing: types)) }
            guard let position = schemas.firstIndex(where: { $0.describes(stored) }) else { return [] }
            for number in position..<steps.count {
                stages.append(Stage(steps[number], from: schemas[number], to: schemas[number + 1]))
            }
            return stages
        }
    }
}

extension StoreSchema {
    /// True if a store has exactly these types, with these attributes.
    fileprivate func describes(_ stored: StoredSchema) -> Bool {
        func text(_ name: String, _ attributes: [(String, AttributeType, Bool)]) -> String {
            name + attributes.map { "\($0),\($1),\($2)" }.joined(separator: ";")
        }
        let mine = entities.map { entity in
            text(entity.name, entity.attributes.map { ($0.name, $0.type, $0.isOptional) })
        }
        let others = stored.entities.map { entity in
            text(entity.name, entity.attributes.map { ($0.name, $0.type, $0.isOptional) })
        }
        return Set(mine) == Set(others)
    }
}
