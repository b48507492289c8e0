import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderVersions

/// The text and the hash of a shape.
struct SchemaShapeTests {
    static let recipes = """
        Ingredient
          id: itemID
          amount: double
          recipe: itemID
          index recipe
          toOne recipe -> Recipe nullify
        Recipe
          id: itemID
          cookedAt: date?
          slug: string
          index cookedAt, slug
          unique slug
          toMany ingredients -> Ingredient.recipe cascade
          toMany tags -> Tag nullify
        Tag
          id: string
          label: string
        """

    @Test func `a text that is in order comes back, with a hash that is always the same`() throws {
        let shape = try SchemaShape(text: Self.recipes)

        #expect(shape.description == Self.recipes)
        #expect(shape.itemTypes == ["Ingredient", "Recipe", "Tag"])
        // Stable: apps keep it in their tests.
        #expect(shape.hash == "2734583d37ee103deded9a49e1a62e14")
    }

    @Test func `an index without regard to case is an index of the text with flags`() throws {
        let text = """
            Guest
              id: itemID
              name: string
              note: string?
              unique name[c]
              index note[cd]
            """
        let shape = try SchemaShape(text: text)
        let schema = try shape.schema().entities[0]

        #expect(schema.declaredAttributes.map(\.name) == ["id", "name", "note"])
        #expect(schema.attributes.map(\.name) == ["id", "name", "note", "name[c]", "note[cd]"])
        #expect(schema.attributes.map(\.isOptional) == [false, false, true, false, true])
        #expect(shape.description == text)
        let other = try SchemaShape(
            text: "Guest\n unique name[c]\n index note[cd]\n note: string?\n name: string\n id: itemID")
        #expect(other == shape)
        let exact = try SchemaShape(text: text.replacing("[c]", with: ""))
        #expect(exact != shape)
        let compound = try SchemaShape(text: text.replacing("unique name[c]", with: "unique note, name[c]"))
        #expect(compound != shape)
        #expect(compound.description == text.replacing("unique name[c]", with: "unique note, name[c]"))
        #expect(try compound.schema().entities[0].indexes.map(\.columns) == [[2, 3], [4]])
        let refused = thrown {
            try SchemaShape(text: "Guest\n id: itemID\n size: int64\n index size[c]")
        }
        #expect(refused?.code == .invalidSchema)
    }

    @Test func `the order of declaration does not count`() throws {
        let other = """
            Tag
              label: string
              id: string

            Recipe
              toMany tags -> Tag nullify
              id: itemID
              unique slug
              slug:string
              cookedAt : date ?
              toMany   ingredients->Ingredient . recipe   cascade
              index cookedAt,slug
            Ingredient
              toOne recipe -> Recipe nullify
              recipe: itemID
              id: itemID
            \tamount: double
            """
        let shape = try SchemaShape(text: other)

        #expect(shape == (try SchemaShape(text: Self.recipes)))
        #expect(shape.description == Self.recipes)
    }

    @Test func `Swift names, numbers, table names and links do not count`() throws {
        let types = try StoreSchema(storing: [Dish.First.self])
        let stored = StoredSchema(
            generation: 9,
            entities: [
                StoredSchema.Entity(
                    number: 7, name: "Dish", storageName: "Dish~2",
                    attributes: [
                        .init(name: "id", storageName: "id", type: .int64, isOptional: false),
                        .init(name: "price", storageName: "price~3", type: .int32, isOptional: false),
                        .init(name: "name", storageName: "name", type: .string, isOptional: false),
                    ], indexes: [.init(attributes: ["name"], isUnique: false)])
            ], nextEntityNumber: 12, version: "1")
        let graph = try SchemaShape(text: Self.recipes).schema()

        #expect(SchemaShape(types) == SchemaShape(stored))
        #expect(SchemaShape(types).hash == SchemaShape(stored).hash)
        #expect(graph.entities.contains { $0.isLink })
        #expect(SchemaShape(graph).description == Self.recipes)
    }

    /// Each kind of change, by what is replaced in the text, and the line that names it.
    static let changes: [(old: String, new: String, change: String)] = [
        ("Tag\n  id: string\n  label: string", "Tag\n  id: string", "Tag.label is gone"),
        ("label: string", "label: string\n  note: string?", "Tag.note: string? is new"),
        ("label: string", "label: int64", "Tag.label is int64, and was string"),
        ("amount: double", "amount: double?", "Ingredient.amount is double?, and was double"),
        ("cookedAt: date?", "cookedAt: date", "Recipe.cookedAt is date, and was date?"),
        ("label: string", "title: string", "Tag.label is gone; Tag.title: string is new"),
        ("label: string", "label: string\n  index label", "Tag: index label is new"),
        ("  index cookedAt, slug\n", "", "Recipe: index cookedAt, slug is gone"),
        (
            "index cookedAt, slug", "index slug, cookedAt",
            "Recipe: index cookedAt, slug is gone; Recipe: index slug, cookedAt is new"
        ),
        ("unique slug", "index slug", "Recipe: unique slug is gone; Recipe: index slug is new"),
        (
            "toMany tags -> Tag", "orderedToMany tags -> Tag",
            "Recipe: orderedToMany tags -> Tag nullify, and was toMany tags -> Tag nullify"
        ),
        (
            "recipe cascade", "recipe deny",
            "Recipe: toMany ingredients -> Ingredient.recipe deny, "
                + "and was toMany ingredients -> Ingredient.recipe cascade"
        ),
        ("  toMany tags -> Tag nullify\n", "", "Recipe: toMany tags -> Tag nullify is gone"),
        (
            "toMany tags -> Tag", "toMany tags -> Recipe",
            "Recipe: toMany tags -> Recipe nullify, and was toMany tags -> Tag nullify"
        ),
        (
            "Tag\n  id: string\n  label: string", "Tag\n  id: string\n  label: string\nNote\n  id: uuid",
            "Note is new"
        ),
        ("Tag\n  id: string", "Tag\n  id: uuid", "Tag.id is uuid, and was string"),
    ]

    @Test(arguments: changes.indices)
    func `each kind of change makes another shape and is named`(_ number: Int) throws {
        let (old, new, change) = Self.changes[number]
        let first = try SchemaShape(text: Self.recipes)
        let second = try SchemaShape(text: Self.recipes.replacing(old, with: new))

        #expect(second != first)
        #expect(second.hash != first.hash)
        #expect(second.changes(since: first).joined(separator: "; ") == change)
        #expect(second.changes(since: second) == [])
        #expect(!first.changes(since: second).isEmpty)
    }

    @Test func `a type that is gone, and one under another name`() throws {
        let first = try SchemaShape(text: "A\n id: uuid\nB\n id: uuid")
        let second = try SchemaShape(text: "A\n id: uuid\n\"B 2\"\n id: uuid")

        #expect(second.changes(since: first) == ["B is gone", "\"B 2\" is new"])
    }

    /// A letter that this system's tables of Unicode may know, and those of another not.
    @Test func `the hash of a name does not depend on the tables of Unicode`() throws {
        func shape(_ name: String) throws -> SchemaShape {
            try SchemaShape(text: "A\n  id: uuid\n  \(name): string")
        }
        for letter in ["\u{378}", "\u{3FFFD}", "\u{E000}", "\u{200E}"] {
            let shape = try shape(letter)
            #expect(shape.hashedText == "A\n  id: uuid\n  \(letter): string")
            #expect(shape.description != shape.hashedText)
            #expect(try SchemaShape(text: shape.description) == shape)
        }
        #expect(try shape(#""\u{9b}""#).hashedText == "A\n  id: uuid\n  \"\\u{9b}\": string")
    }

    @Test func `any name comes back`() throws {
        for name in [
            "a b", "a\"b", "a\\b", "line\nbreak", "é", "\u{1}", "->", "toOne", "index", "a.b", "-", "😀",
            "\u{9B}31m", "a\u{202E}b",
        ] {
            let entity = StoredSchema.Entity(
                number: 1, name: name, storageName: name,
                attributes: [
                    .init(name: "id", storageName: "id", type: .uuid, isOptional: false),
                    .init(name: name, storageName: name, type: .string, isOptional: true),
                ], indexes: [.init(attributes: [name, "id"], isUnique: true)],
                relationships: [.init(name: name + "s", kind: .toMany, target: name, deleteRule: .deny)])
            let shape = SchemaShape(
                StoredSchema(generation: 1, entities: [entity], nextEntityNumber: 2))

            #expect(try SchemaShape(text: shape.description) == shape, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("  id: uuid", "A part of an item type stands before the first type in line 1"),
            ("A\n  id uuid", "\"id\" is followed by no type in line 2"),
            ("A\n  id: number", "\"number\" is not a type of attributes in line 2"),
            ("A\n  id: uuid\n  name: string!", "\"!\" is too much in line 3"),
            ("A B", "\"B\" is too much in line 1"),
            ("A\n  id: uuid\n  \"name: string", "A quote is not closed in line 3"),
            ("A\n  id: uuid\n  \"na\\me\": string", "A name has a wrong escape in line 3"),
            ("A\n  id: uuid\n  index", "A name is missing in line 3"),
            ("A\n  id: uuid\n  toMany as A nullify", "An arrow is missing in line 3"),
            ("A\n  id: uuid\n  toMany as -> A keep", "\"keep\" is not a delete rule in line 3"),
            ("A\n  id: uuid\nA\n  id: uuid", "wrong: two item types are called A."),
            ("A\n  name: string", "its first attribute is \"name\" and not \"id\""),
            ("A", "it has no attributes"),
            ("A\n  id: uuid\n  index name", "an index names the unknown attribute \"name\""),
            ("A\n  id: uuid\n  toMany bs -> B nullify", "refers to B, which the store does not hold"),
            (
                "A\n  id: uuid\n  b: string\n  toOne b -> A nullify",
                "A.b is not an attribute that can refer to A"
            ),
            ("A\n  id: uuid\n  toOne b -> A nullify", "A.b is not an attribute that can refer to A"),
        ])
    func `a text that describes no schema is refused with its line`(text: String, message: String) {
        let error = thrown { try SchemaShape(text: text) }

        #expect(error?.code == .invalidSchema)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `random shapes come back, whatever the order of their lines`() throws {
        var seed = Seed.ofProcess()
        for _ in Repetitions.rounds(200, long: 5_000) {
            let shape = SchemaShape(.random(by: &seed))
            let again = try SchemaShape(text: shape.shuffledText(by: &seed))

            #expect(again == shape, "\(seed)\n\(shape)")
            #expect(again.hash == shape.hash)
            #expect(SchemaShape(try shape.schema()) == shape)
        }
    }
}

extension StoredSchema {
    /// A random schema of a few types without relationships, or with references.
    static func random(by seed: inout Seed) -> StoredSchema {
        let names = ["A", "B", "C", "a b"].prefix(1 + seed.number(below: 4))
        let entities = names.enumerated().map { number, name in
            var attributes = [Attribute(name: "id", storageName: "id", type: .int64, isOptional: false)]
            for column in 0..<seed.number(below: 4) {
                attributes.append(
                    Attribute(
                        name: "c\(column)", storageName: "c\(column)",
                        type: seed.pick(AttributeType.allCases),
                        isOptional: seed.oneIn(2)))
            }
            let indexable = attributes.filter(\.type.isIndexable).map(\.name)
            let indexes = seed.oneIn(2) ? [Index(attributes: indexable, isUnique: seed.oneIn(2))] : []
            var relationships: [Relationship] = []
            if seed.oneIn(2) {
                let target = seed.pick(Array(names))
                attributes.append(
                    Attribute(name: "to", storageName: "to", type: .int64, isOptional: true))
                relationships.append(
                    Relationship(name: "to", kind: .toOne, target: target, deleteRule: .nullify))
            }
            if seed.oneIn(2) {
                relationships.append(
                    Relationship(
                        name: "many", kind: seed.pick([.toMany, .orderedToMany]),
                        target: seed.pick(Array(names)), deleteRule: seed.pick([.cascade, .deny])))
            }
            return Entity(
                number: number + 1, name: name, storageName: name, attributes: attributes,
                indexes: indexes
                    + relationships.filter { $0.kind == .toOne }.map {
                        Index(attributes: [$0.name], isUnique: false)
                    }, relationships: relationships)
        }
        return StoredSchema(
            generation: 1, entities: entities, nextEntityNumber: entities.count + 1)
    }
}

extension SchemaShape {
    /// The text with types and parts in another order.
    fileprivate func shuffledText(by seed: inout Seed) -> String {
        var types: [[String]] = []
        for line in description.split(separator: "\n").map(String.init) {
            if line.hasPrefix(" ") { types[types.count - 1].append(line) } else { types.append([line]) }
        }
        return types.shuffled(using: &seed).map { lines in
            (lines.prefix(1) + lines.dropFirst().shuffled(using: &seed)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
