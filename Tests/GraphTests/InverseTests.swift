import Larder
import Testing

/// Relationships whose other end is missing, or cannot be one: a store names both ends and says what to write.
struct InverseTests {
    private static let twoRelationships =
        "If they are two relationships, write @Relationship(inverse: nil)."

    private func error(_ types: any DataStoreItem.Type...) throws -> DataStoreError {
        let error = try #require(throws: DataStoreError.self) { try StoreSchema(storing: types) }
        #expect(error.code == .invalidSchema)
        return error
    }

    @Test func `links beside a ToOne that refers back are a forgotten inverse`() throws {
        let error = try error(Forgotten.Recipe.self, Forgotten.Ingredient.self)

        #expect(error.itemType == "Recipe" && error.attribute == "ingredients")
        #expect(
            error.message == """
                Recipe.ingredients names no inverse, and Part.recipe refers back to Recipe. Both would be stored, \
                and neither would show a change of the other.
                """)
        #expect(
            error.advice
                == "Write @Relationship(inverse: \\Ingredient.recipe). \(Self.twoRelationships)")
    }

    @Test func `where the ToOne is required, the advice has a delete rule`() throws {
        let error = try error(Required.Recipe.self, Required.Ingredient.self)

        #expect(
            error.advice == """
                Write @Relationship(deleteRule: .cascade, inverse: \\Ingredient.recipe). \(Self.twoRelationships)
                """)
    }

    @Test func `an ordered relationship cannot show a ToOne`() throws {
        let error = try error(Ranked.Recipe.self, Ranked.Step.self)

        #expect(
            error.message == """
                Recipe.steps names no inverse, and Step.recipe refers back to Recipe. Both would be stored, and \
                neither would show a change of the other.
                """)
        #expect(
            error.advice == """
                Make it a ToMany, which can show the ToOne, and write @Relationship(inverse: \\Step.recipe). \
                \(Self.twoRelationships)
                """)
    }

    @Test func `a relationship to its own type is no exception`() throws {
        let error = try error(Bare<ForgetfulTree>.self)

        #expect(
            error.message == """
                Tree.children names no inverse, and Tree.parent refers back to Tree. Both would be stored, and \
                neither would show a change of the other.
                """)
    }

    @Test func `what is complete, or said to have no inverse, is accepted`() throws {
        let schema = try StoreSchema(storing: [
            Complete.Recipe.self, Complete.Cook.self, Complete.Node.self, Bare<Tree>.self,
        ])

        #expect(
            schema.entities.filter(\.isLink).map(\.name) == [
                "Recipe.testers", "Cook.favorites", "Cook.menu", "Node.friends", "Tree.friends",
            ])
    }

    @Test func `a ToOneInverse names the ToOne that it shows`() throws {
        #expect(
            try error(Bare<Lonely>.self).message
                == "Person.passport shows the Bare<Lonely> whose ToOne refers to it, and does not name that ToOne."
        )
        #expect(
            try error(Bare<Lonely>.self).advice
                == "Add a ToOne to Bare<Lonely>, and name it: @Relationship(inverse: \\Bare<Lonely>.name).")
        #expect(
            try error(Bare<Holder>.self).advice
                == "Write @Relationship(inverse: \\Bare<Holder>.holder).")
    }

    @Test func `an OrderedToMany names no ToOne`() throws {
        let error = try error(Bare<OrderedTree>.self)

        #expect(
            error.message
                == "Tree.children is ordered, and its inverse Tree.parent is a ToOne, which keeps no order.")
        #expect(
            error.advice == """
                Make it a ToMany, sorted by an attribute of Bare<OrderedTree>; or name no inverse, so that each \
                pair has a link with a place.
                """)
    }

    @Test func `an inverse stores something`() throws {
        let error = try error(Bare<Mirrored>.self)

        #expect(
            error.message
                == "Person.friends names Person.passport as its inverse, which stores nothing.")
        #expect(error.advice == "Name a ToOne, or a ToMany without an inverse of its own.")
    }

    @Test func `one side names the other`() throws {
        #expect(
            try error(Bare<Mutual>.self).message
                == "Person.friends and Person.admirers both name the other as their inverse.")
        #expect(try error(Bare<Mutual>.self).advice == "Name the inverse on one side only.")
        #expect(try error(Bare<Narcissus>.self).message == "Person.friends names itself as its inverse.")
    }

    @Test(arguments: [
        (
            RelationshipSchema.Kind.toOneInverse,
            "Note.previous shows one item, and its inverse Note.next may link many to each.",
            "Make it a ToMany."
        ),
        (
            .orderedToMany,
            "Note.previous is ordered, and its inverse Note.next keeps the links in the order of the other end.",
            "Make it a ToMany, or name it as the inverse at the other end."
        ),
    ])
    func `only a ToMany shows links from their other end`(
        kind: RelationshipSchema.Kind, message: String, advice: String
    ) throws {
        let note = StoredSchema.Entity(
            number: 1, name: "Note", storageName: "Note",
            attributes: [.init(name: "id", storageName: "id", type: .int64, isOptional: false)], indexes: [],
            relationships: [
                .init(name: "next", kind: .toMany, target: "Note", deleteRule: .nullify),
                .init(name: "previous", kind: kind, target: "Note", inverse: "next", deleteRule: .nullify),
            ])
        let stored = StoredSchema(generation: 1, entities: [note], nextEntityNumber: 2)

        let error = try #require(throws: DataStoreError.self) { try StoreSchema(of: stored) }

        #expect(error.code == .invalidSchema)
        #expect(error.message == message)
        #expect(error.advice == advice)
    }
}

private enum Forgotten {
    @StoredItem struct Recipe {
        var ingredients: ToMany<Ingredient>
    }

    @StoredItem("Part") struct Ingredient {
        var recipe: ToOne<Recipe>?
    }
}

private enum Required {
    @StoredItem struct Recipe {
        var ingredients: ToMany<Ingredient>
    }

    @StoredItem struct Ingredient {
        var recipe: ToOne<Recipe>
    }
}

private enum Ranked {
    @StoredItem struct Recipe {
        var steps: OrderedToMany<Step>
    }

    @StoredItem struct Step {
        var recipe: ToOne<Recipe>?
    }
}

private enum Complete {
    @StoredItem struct Recipe {
        /// Has an inverse, so `favorites` needs no mark.
        var author: ToOne<Cook>?
        @Relationship(inverse: \Cook.favorites) var fans: ToMany<Cook>
        /// Beside `Cook.current`, which is the inverse of nothing.
        @Relationship(inverse: nil) var testers: ToMany<Cook>
    }

    @StoredItem struct Cook {
        var favorites: ToMany<Recipe>
        @Relationship(inverse: \Recipe.author) var recipes: ToMany<Recipe>
        var current: ToOne<Recipe>?
        var menu: OrderedToMany<Recipe>
    }

    @StoredItem struct Node {
        var parent: ToOne<Node>?
        @Relationship(inverse: \Node.parent) var children: ToMany<Node>
        var friends: ToMany<Node>
    }
}

private enum ForgetfulTree: BareSchema {
    static let schema = described(
        "Tree", [.attribute("parent", ToOne<Bare<Self>>?.self)],
        .relationship("children", ToMany<Bare<Self>>.self))
}

private enum Tree: BareSchema {
    static let schema = described(
        "Tree", [.attribute("parent", ToOne<Bare<Self>>?.self)],
        .relationship("friends", ToMany<Bare<Self>>.self, inverse: nil))
}

private enum OrderedTree: BareSchema {
    static let schema = described(
        "Tree", [.attribute("parent", ToOne<Bare<Self>>?.self)],
        .relationship(
            "children", OrderedToMany<Bare<Self>>.self, of: Bare<Self>.self,
            inverse: Bare<Self>.reference(1, to: Bare<Self>.self)))
}

private enum Lonely: BareSchema {
    static let schema = described("Person", [], .relationship("passport", ToOneInverse<Bare<Self>>.self))
}

private enum Holder: BareSchema {
    static let schema = described(
        "Person", [.attribute("holder", ToOne<Bare<Self>>?.self)],
        .relationship("passport", ToOneInverse<Bare<Self>>.self))
}

private enum Mirrored: BareSchema {
    static let schema = described(
        "Person", [.attribute("holder", ToOne<Bare<Self>>?.self)],
        .relationship(
            "passport", ToOneInverse<Bare<Self>>.self, of: Bare<Self>.self,
            inverse: Bare<Self>.reference(1, to: Bare<Self>.self)),
        .relationship(
            "friends", ToMany<Bare<Self>>.self, of: Bare<Self>.self,
            inverse: RelationshipAttribute<Bare<Self>, ToOneInverse<Bare<Self>>>(number: 0)))
}

private enum Mutual: BareSchema {
    static let schema = described(
        "Person", [],
        .relationship("friends", ToMany<Bare<Self>>.self, of: Bare<Self>.self, inverse: links(1)),
        .relationship("admirers", ToMany<Bare<Self>>.self, of: Bare<Self>.self, inverse: links(0)))
}

private enum Narcissus: BareSchema {
    static let schema = described(
        "Person", [],
        .relationship("friends", ToMany<Bare<Self>>.self, of: Bare<Self>.self, inverse: links(0)))
}
