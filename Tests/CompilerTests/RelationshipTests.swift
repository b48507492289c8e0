import Testing

/// What the compiler says of relationships whose two sides do not fit, which no macro sees.
@Suite(.enabled(if: Compiler.isThere))
struct RelationshipTests {
    private static let items = """
        @StoredItem struct Kind { var name: String; var recipe: ToOne<Recipe>? }
        @StoredItem struct Tag { var name: String; var recipes: ToMany<Recipe>; var kinds: ToMany<Kind> }
        @StoredItem struct Step { var recipe: ToOne<Recipe> }
        @StoredItem
        struct Ingredient {
            var name: String
            var recipe: ToOne<Recipe>
            var former: ToOne<Recipe>?
            var kind: ToOne<Kind>?
            var title: String { name.uppercased() }
        }

        """

    private static let notTheInverse =
        "'relationship(_:_:of:inverse:deleteRule:)' is unavailable: this is not the inverse. Name a property of the "
        + "type in angle brackets that refers back to this type: a ToOne<ThisType>, or for a ToMany also a "
        + "ToMany<ThisType> that names no inverse itself"

    private func complaints(about recipe: String, options: [String] = []) throws -> [Compiler.Complaint] {
        var complaints: [Compiler.Complaint] = []
        try withCompiler { compiler in
            complaints = try compiler.complaints(about: Self.items + recipe, options: options)
        }
        return complaints
    }

    @Test(arguments: [
        "@Relationship(inverse: \\Ingredient.former) var former: ToMany<Ingredient>",
        "@Relationship(deleteRule: .deny, inverse: \\Ingredient.former) var former: ToOneInverse<Ingredient>",
        "@Relationship(deleteRule: .cascade, inverse: \\Ingredient.recipe) var ingredients: ToMany<Ingredient>",
        "@Relationship(deleteRule: .noAction, inverse: \\Ingredient.recipe) var one: ToOneInverse<Ingredient>",
        "@Relationship(inverse: \\Tag.recipes) var tags: ToMany<Tag>",
        "@Relationship(deleteRule: .cascade) var kind: ToOne<Kind>?",
        "@Relationship(inverse: \\Self.next) var last: ToOneInverse<Self>; @Unique var next: ToOne<Recipe>?",
    ])
    func `two sides that fit are silent`(_ property: String) throws {
        #expect(try complaints(about: "@StoredItem struct Recipe { \(property) }") == [])
    }

    @Test(arguments: ["", "deleteRule: .nullify, "])
    func `a required ToOne cannot be made nil`(_ rule: String) throws {
        let complaints = try complaints(
            about: """
                @StoredItem struct Recipe {
                    @Relationship(\(rule)inverse: \\Ingredient.recipe) var ingredients: ToMany<Ingredient>
                }
                """)

        let text =
            "'relationship(_:_:of:inverse:)' is unavailable: the ToOne at the other end is required, so no delete "
            + "rule can make it nil. Give the rule .cascade, .deny or .noAction: "
            + "@Relationship(deleteRule: .cascade, inverse: …), or make the ToOne optional"
        #expect(complaints == [Compiler.Complaint(line: nil, text: text)])
    }

    @Test(arguments: [
        "inverse: \\Ingredient.name) var wrong: ToMany<Ingredient>",
        "inverse: \\Ingredient.kind) var wrong: ToMany<Ingredient>",
        "inverse: \\Ingredient.title) var wrong: ToOneInverse<Ingredient>",
        "deleteRule: .cascade, inverse: \\Kind.recipe) var wrong: ToMany<Ingredient>",
        "deleteRule: .deny, inverse: \\Tag.kinds) var wrong: ToMany<Tag>",
        "inverse: \\Tag.recipes) var wrong: ToOneInverse<Tag>",
    ])
    func `an inverse that does not refer back is one error`(_ property: String) throws {
        let complaints = try complaints(
            about: "@StoredItem struct Recipe { @Relationship(\(property) }")

        #expect(complaints == [Compiler.Complaint(line: nil, text: Self.notTheInverse)])
    }

    @Test func `a misspelled inverse is reported where it is written`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem struct Recipe {
                    @Relationship(inverse: \\Ingredient.fromer) var ingredients: ToMany<Ingredient>
                }
                """)

        #expect(
            complaints == [
                Compiler.Complaint(line: 13, text: "value of type 'Ingredient' has no member 'fromer'"),
                Compiler.Complaint(line: nil, text: Self.notTheInverse),
            ])
    }

    @Test func `an unknown rule is one error`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem struct Recipe { @Relationship(deleteRule: .casacde) var tags: ToMany<Tag> }
                """)

        #expect(
            complaints == [
                Compiler.Complaint(line: 12, text: "type 'DeleteRule' has no member 'casacde'")
            ])
    }

    @Test(arguments: [
        ("@Relationship(deleteRule: .owned) var tags: ToMany<Tag>", "the delete rule"),
        ("@Attribute(.key) var slug: String", "the option"),
    ])
    func `a rule or an option that is a constant is one error`(_ property: String, _ text: String) throws {
        let complaints = try complaints(
            about: """
                extension DeleteRule { static let owned = DeleteRule.cascade }
                extension AttributeOption { static let key = AttributeOption.unique }
                @StoredItem struct Recipe { \(property) }
                """)

        #expect(complaints.map(\.line) == [14])
        #expect(complaints.first?.text.hasPrefix("\(text) is read from the source") == true, "\(complaints)")
    }

    @Test func `only one side names the other`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem struct Recipe { @Relationship(inverse: \\Page.recipes) var pages: ToMany<Page> }
                @StoredItem struct Page { @Relationship(inverse: \\Recipe.pages) var recipes: ToMany<Recipe> }
                """)

        #expect(complaints.first?.text == "circular reference resolving attached macro 'Relationship'")
    }

    @Test func `a misspelled attribute of another item is reported as a path`() throws {
        let complaints = try complaints(
            about: """
                @StoredItem struct Recipe { var kind: ToOne<Kind> }
                let request = Recipe.where(\\.kind.nme == "Dessert")
                """)

        let text = try #require(complaints.first?.text)
        let words = "requires that 'NotAStoredProperty' conform to 'FilterableAttribute'"
        #expect(text.contains(words), "\(text)")
    }

    @Test(arguments: [[], ["-enable-upcoming-feature", "InferIsolatedConformances"]])
    func `items of an app whose default isolation is the main actor may go anywhere`(options: [String])
        throws
    {
        let complaints = try complaints(
            about: """
                @StoredItem
                struct Recipe {
                    @Relationship(deleteRule: .cascade, inverse: \\Step.recipe) var steps: ToMany<Step>
                    var tags: OrderedToMany<Tag>
                    @Relationship(inverse: \\Self.parent) var variants: ToMany<Recipe>
                    var parent: ToOne<Recipe>?
                    @Relationship(inverse: \\Kind.recipe) var kind: ToOneInverse<Kind>
                }

                nonisolated func make(_ tag: Tag) throws -> (Recipe, StoreSchema) {
                    (Recipe(tags: [tag]), try StoreSchema(storing: [Recipe.self, Step.self]))
                }
                nonisolated func steps(of recipe: Recipe) -> ToMany<Step> { recipe.steps }
                """, options: ["-default-isolation", "MainActor"] + options)

        #expect(complaints == [])
    }
}
