#if Macros

    import Testing

    struct RelationshipExpansionTests {
        @Test func `relationships have numbers and no columns`() {
            expectExpansion(of: recipe, to: expandedRecipe)
        }

        @Test func `a public struct has its own initializers, in which relationships are empty by default`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Person {
                        public let id: UUID
                        public var tags: Larder.OrderedToMany<Tag>
                        public var name: String
                        @Relationship(inverse: \\Passport.holder) var passport: ToOneInverse<Passport>
                    }
                    """)

            expectLines(
                of: expanded,
                """
                nonisolated public init(
                        id: UUID = UUID(),
                        tags: Larder.OrderedToMany<Tag> = .notGiven,
                        name: String
                    ) {
                        self.id = id
                        self.tags = tags
                        self.name = name
                        self.passport = .notGiven
                    }
                """,
                """
                nonisolated init(
                        id: UUID = UUID(),
                        tags: Larder.OrderedToMany<Tag> = .notGiven,
                        name: String,
                        passport: ToOneInverse<Passport> = .notGiven
                    ) {
                """,
                """
                self.id = try row.value(at: 0)
                        self.name = try row.value(at: 1)
                        self.tags = try row.value(atRelationship: 0, of: Self.self)
                        self.passport = try row.value(atRelationship: 1, of: Self.self)
                """,
                "public let tags = Larder.RelationshipAttribute<Person, Larder.OrderedToMany<Tag>>(number: 0)",
                "    let passport = Larder.RelationshipAttribute<Person, ToOneInverse<Passport>>(number: 1)",
                """
                .relationship("passport", ToOneInverse<Passport>.self, of: Person.self, \
                inverse: Passport.attributes.holder),
                """)
        }

        @Test func `where id comes first, one more parameter tells the initializer from Swift's`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Recipe {
                        let id: Int
                        var name: String
                        var tags: ToMany<Tag>
                    }
                    """)

            expectLines(
                of: expanded,
                """
                    nonisolated init(
                        id: Int,
                        name: String,
                        tags: ToMany<Tag> = .notGiven,
                        _: Void = ()
                    ) {
                        self.init(id: id, name: name, tags: tags)
                    }
                """,
                """
                        try self.init(
                            id: row.value(at: 0),
                            name: row.value(at: 1),
                            tags: row.value(atRelationship: 0, of: Self.self))
                """)
        }

        @Test func `where all relationships are written as not given, Swift's initializer says all`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Recipe {
                        let id: Int
                        var tags: ToMany<Tag> = .notGiven
                        @Relationship(inverse: \\Cover.recipe) var cover: ToOneInverse<Cover> = .notGiven
                    }
                    """)

            #expect(!expanded.contains("Void"))
            expectLines(
                of: expanded,
                """
                        try self.init(
                            id: row.value(at: 0),
                            tags: row.value(atRelationship: 0, of: Self.self),
                            cover: row.value(atRelationship: 1, of: Self.self))
                """)
        }

        @Test func `a nested struct decodes its relationships in its body`() {
            let expanded = expansion(
                of: """
                    enum Kitchen {
                        @StoredItem
                        struct Recipe {
                            let id: Int
                            @Relationship(inverse: \\Self.of) var parts: ToMany<Self>
                            var of: ToOne<Self>?
                        }
                    }
                    """)

            #expect(!expanded.contains("self.init("))
            expectLines(
                of: expanded, "self.parts = try row.value(atRelationship: 0, of: Self.self)",
                "let of = Larder.Attribute<Recipe, ToOne<Recipe>?>(indexedColumn: 1)",
                ".relationship(\"parts\", ToMany<Recipe>.self, of: Recipe.self, inverse: Recipe.attributes.of),"
            )
        }

        @Test(arguments: [
            ("var a: ToMany<B>", ".relationship(\"a\", ToMany<B>.self),"),
            ("@Relationship var a: ToMany<B>", ".relationship(\"a\", ToMany<B>.self),"),
            ("@Relationship(deleteRule: .nullify) var a: ToMany<B>", ".relationship(\"a\", ToMany<B>.self),"),
            (
                "@Relationship(deleteRule: DeleteRule.deny) var a: ToMany<B>",
                ".relationship(\"a\", ToMany<B>.self, deleteRule: .deny),"
            ),
            (
                "@Relationship(deleteRule: .noAction, inverse: nil) var a: OrderedToMany<B>",
                ".relationship(\"a\", OrderedToMany<B>.self, inverse: nil, deleteRule: .noAction),"
            ),
            (
                "@Relationship(inverse: nil) var a: ToMany<B>",
                ".relationship(\"a\", ToMany<B>.self, inverse: nil),"
            ),
            (
                "@Larder.Relationship(deleteRule: .cascade, inverse: \\Outer.B.`default`) var a: ToMany<Outer.B>",
                """
                .relationship("a", ToMany<Outer.B>.self, of: Note.self, \
                inverse: Outer.B.attributes.`default`, deleteRule: .cascade),
                """
            ),
            (
                "@Relationship(inverse: \\Kitchen.食材.recipe) var a: ToMany<Kitchen.食材>",
                """
                .relationship("a", ToMany<Kitchen.食材>.self, of: Note.self, \
                inverse: Kitchen.食材.attributes.recipe),
                """
            ),
            (
                "@Relationship(inverse: \\B.c) var `default`: ToOneInverse<B>",
                ".relationship(\"default\", ToOneInverse<B>.self, of: Note.self, inverse: B.attributes.c),"
            ),
            (
                "@Relationship(deleteRule: .deny, originalName: \"b\", inverse: nil) var a: ToMany<B>",
                ".relationship(\"a\", ToMany<B>.self, originalName: \"b\", inverse: nil, deleteRule: .deny),"
            ),
            (
                "@Relationship(deleteRule: .cascade) var a: ToOne<B>?",
                ".reference(\"a\", deleteRule: .cascade),"
            ),
        ])
        func `an entry says the type, the inverse and the rule`(property: String, entry: String) {
            let expanded = expansion(of: "@StoredItem struct Note { \(property) }")

            expectLines(of: expanded, "relationships: [\n            \(entry)\n        ]\n    )")
        }

        @Test(arguments: [
            "ToOne<B>", "ToOne<B>?", "Optional<ToOne<B>>", "Swift.Optional<Larder.ToOne<B>>",
            "Larder.ToOne<B>?",
            "ToOne<Outer.B>",
        ])
        func `a ToOne is a column with an index and is not listed`(type: String) {
            let expanded = expansion(of: "@StoredItem struct Note { @Relationship var a: \(type) }")

            expectLines(
                of: expanded, "let a = Larder.Attribute<Note, \(type)>(indexedColumn: 1)",
                ".attribute(\"a\", \(type).self),", "try row.set(self.a, at: 1)")
            #expect(!expanded.contains("relationships:"))
            #expect(!expanded.contains("indexes:"))
        }

        @Test func `a ToOne may be unique and part of a compound index`() {
            let expanded = expansion(
                of: """
                    @StoredItem(indexes: [["a", "b"]], uniques: [["c"]])
                    struct Note {
                        @Unique var a: ToOne<B>
                        @Relationship(deleteRule: .cascade) @Attribute(.unique, originalName: "d") var b: ToOne<B>?
                        var c: ToOne<B>
                    }
                    """)

            expectLines(
                of: expanded,
                "indexes: [.unique(\"a\"), .unique(\"b\"), .index(\"a\", \"b\"), .unique(\"c\")]",
                ".attribute(\"b\", ToOne<B>?.self, originalName: \"d\"),")
        }

        @Test(arguments: ["Attribute", "Relationship"])
        func `a ToOne has its original name in either mark`(mark: String) {
            let expanded = expansion(
                of: "@StoredItem struct Note { @\(mark)(originalName: \"b\") var a: ToOne<B>? }")

            expectLines(of: expanded, ".attribute(\"a\", ToOne<B>?.self, originalName: \"b\"),")
            #expect(!expanded.contains("relationships:"))
        }

        @Test func `a redundant index is a warning, and is left out`() {
            let source = """
                @StoredItem
                struct Note {
                    @Indexed var a: ToOne<B>
                }
                """

            #expect(
                warnings(of: source) == ["'a' is a ToOne, which has an index by itself; remove @Indexed"])
            #expect(!expansion(of: source).contains("indexes:"))
            expectLines(of: expansion(of: source), "Larder.Attribute<Note, ToOne<B>>(indexedColumn: 1)")
        }

        @Test(arguments: ["Other.ToMany<B>", "ToMany", "Many<B>"])
        func `a type of another name is a column`(type: String) {
            let expanded = expansion(of: "@StoredItem struct Note { var a: \(type) }")

            expectLines(of: expanded, "let a = Larder.Attribute<Note, \(type)>(column: 1)")
        }

        @Test func `a transient property is no relationship`() {
            let expanded = expansion(of: "@StoredItem struct Note { @Transient var a: ToMany<B> = [] }")

            #expect(!expanded.contains("elationship"))
        }

        private func expectLines(
            of expanded: String, _ lines: String...,
            sourceLocation: Testing.SourceLocation = #_sourceLocation
        ) {
            for line in lines {
                #expect(expanded.contains(line), sourceLocation: sourceLocation)
            }
        }
    }

    private let recipe = """
        @StoredItem
        struct Recipe {
            var name: String
            @Relationship(deleteRule: .cascade, inverse: \\Ingredient.recipe)
            var ingredients: ToMany<Ingredient>
            @Relationship(deleteRule: .deny) var kind: ToOne<Kind>?
            var tags: ToMany<Tag>
        }
        """

    private let expandedRecipe = """
        struct Recipe {
            var name: String
            var ingredients: ToMany<Ingredient>
            var kind: ToOne<Kind>?
            var tags: ToMany<Tag>

            let id: Larder.ItemID<Recipe>

            nonisolated struct Attributes: Larder.StoredAttributes {
                let id = Larder.Attribute<Recipe, Larder.ItemID<Recipe>>(column: 0)
                let name = Larder.Attribute<Recipe, String>(column: 1)
                let kind = Larder.Attribute<Recipe, ToOne<Kind>?>(indexedColumn: 2)
                let ingredients = Larder.RelationshipAttribute<Recipe, ToMany<Ingredient>>(number: 0)
                let tags = Larder.RelationshipAttribute<Recipe, ToMany<Tag>>(number: 1)
            }

            nonisolated static let attributes = Attributes()

            nonisolated static let schema = Larder.EntitySchema(
                "Recipe",
                attributes: [
                    .attribute("id", Larder.ItemID<Recipe>.self),
                    .attribute("name", String.self),
                    .attribute("kind", ToOne<Kind>?.self),
                ],
                relationships: [
                    .relationship("ingredients", ToMany<Ingredient>.self, of: Recipe.self, \
        inverse: Ingredient.attributes.recipe, deleteRule: .cascade),
                    .relationship("tags", ToMany<Tag>.self),
                    .reference("kind", deleteRule: .deny),
                ]
            )

            nonisolated func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                try row.set(self.id, at: 0)
                try row.set(self.name, at: 1)
                try row.set(self.kind, at: 2)
                try row.set(self.ingredients, atRelationship: 0)
                try row.set(self.tags, atRelationship: 1)
            }
        }

        extension Recipe: nonisolated Larder.DataStoreItem {
            nonisolated init(
                id: Larder.ItemID<Recipe> = Larder.ItemID<Recipe>(),
                name: String,
                ingredients: ToMany<Ingredient> = .notGiven,
                kind: ToOne<Kind>? = nil,
                tags: ToMany<Tag> = .notGiven
            ) {
                self.init(name: name, ingredients: ingredients, kind: kind, tags: tags, id: id)
            }

            nonisolated init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError) {
                try self.init(
                    name: row.value(at: 1),
                    ingredients: row.value(atRelationship: 0, of: Self.self),
                    kind: row.value(at: 2),
                    tags: row.value(atRelationship: 1, of: Self.self),
                    id: row.value(at: 0))
            }
        }
        """

#endif
