#if Macros

    import Testing

    struct FullExpansionTests {
        @Test func `a struct gets its id, its initialiser, its attributes, its schema and its coding`() {
            expectExpansion(of: recipe, to: expandedRecipe)
        }

        @Test
        func `a struct in another type conforms by its full name, and Self in an attribute is the struct`() {
            expectExpansion(of: diary, to: expandedDiary)
        }

        @Test func `a conformance that the app has written is not stated again`() {
            expectExpansion(
                of: note, to: expandedNote,
                conformances: [])
        }

        @Test func `the extension is available where the struct and the types around it are`() {
            let expanded = expansion(
                of: """
                    @available(macOS 15, *)
                    enum Diary {
                        @available(iOS 18, *)
                        @StoredItem
                        struct Recipe {
                            var name: String
                        }
                    }
                    """)

            #expect(
                expanded.contains(
                    """
                    @available(iOS 18, *)
                    @available(macOS 15, *)
                    extension Diary.Recipe: nonisolated Larder.DataStoreItem {
                    """))
        }
    }

    private let recipe = """
        @StoredItem
        public struct Recipe {
            var name: String
            @Indexed public var rating: Double = 0
            @Unique var slug: String
            var cookedAt: Date?
            @Attribute(originalName: "category", fallback: Kind.other) var kind: Kind
        }
        """

    private let expandedRecipe = """
        public struct Recipe {
            var name: String
            public var rating: Double = 0
            var slug: String
            var cookedAt: Date?
            var kind: Kind

            public let id: Larder.ItemID<Recipe>

            nonisolated public struct Attributes: Larder.StoredAttributes {
                public let id = Larder.Attribute<Recipe, Larder.ItemID<Recipe>>(column: 0)
                let name = Larder.Attribute<Recipe, String>(column: 1)
                public let rating = Larder.Attribute<Recipe, Double>(indexedColumn: 2)
                let slug = Larder.Attribute<Recipe, String>(indexedColumn: 3)
                let cookedAt = Larder.Attribute<Recipe, Date?>(column: 4)
                let kind = Larder.Attribute<Recipe, Kind>(column: 5)
            }

            nonisolated public static let attributes = Attributes()

            nonisolated public static let schema = Larder.EntitySchema(
                "Recipe",
                attributes: [
                    .attribute("id", Larder.ItemID<Recipe>.self),
                    .attribute("name", String.self),
                    .attribute("rating", Double.self, default: 0),
                    .attribute("slug", String.self),
                    .attribute("cookedAt", Date?.self),
                    .attribute("kind", Kind.self, originalName: "category"),
                ],
                indexes: [.index("rating"), .unique("slug")]
            )

            nonisolated public func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                try row.set(self.id, at: 0)
                try row.set(self.name, at: 1)
                try row.set(self.rating, at: 2)
                try row.set(self.slug, at: 3)
                try row.set(self.cookedAt, at: 4)
                try row.set(self.kind, at: 5)
            }

            nonisolated public init(
                id: Larder.ItemID<Recipe> = Larder.ItemID<Recipe>(),
                name: String,
                rating: Double = 0,
                slug: String,
                cookedAt: Date? = nil,
                kind: Kind
            ) {
                self.id = id
                self.name = name
                self.rating = rating
                self.slug = slug
                self.cookedAt = cookedAt
                self.kind = kind
            }

            nonisolated public init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError) {
                self.id = try row.value(at: 0)
                self.name = try row.value(at: 1)
                self.rating = try row.value(at: 2)
                self.slug = try row.value(at: 3)
                self.cookedAt = try row.value(at: 4)
                self.kind = try row.value(at: 5, fallback: Kind.other)
            }
        }

        extension Recipe: nonisolated Larder.DataStoreItem {
        }
        """

    private let diary = """
        enum Diary {
            @StoredItem
            struct Recipe {
                var parent: ItemID<Recipe>?
                var origin: [ItemID<Self>]
            }
        }
        """

    private let expandedDiary = """
        enum Diary {
            struct Recipe {
                var parent: ItemID<Recipe>?
                var origin: [ItemID<Self>]

                let id: Larder.ItemID<Recipe>

                nonisolated struct Attributes: Larder.StoredAttributes {
                    let id = Larder.Attribute<Recipe, Larder.ItemID<Recipe>>(column: 0)
                    let parent = Larder.Attribute<Recipe, ItemID<Recipe>?>(column: 1)
                    let origin = Larder.Attribute<Recipe, [ItemID<Recipe>]>(column: 2)
                }

                nonisolated static let attributes = Attributes()

                nonisolated static let schema = Larder.EntitySchema(
                    "Recipe",
                    attributes: [
                        .attribute("id", Larder.ItemID<Recipe>.self),
                        .attribute("parent", ItemID<Recipe>?.self),
                        .attribute("origin", [ItemID<Recipe>].self),
                    ]
                )

                nonisolated func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                    try row.set(self.id, at: 0)
                    try row.set(self.parent, at: 1)
                    try row.set(self.origin, at: 2)
                }

                nonisolated init(
                    id: Larder.ItemID<Recipe> = Larder.ItemID<Recipe>(),
                    parent: ItemID<Recipe>? = nil,
                    origin: [ItemID<Self>]
                ) {
                    self.id = id
                    self.parent = parent
                    self.origin = origin
                }

                nonisolated init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError) {
                    self.id = try row.value(at: 0)
                    self.parent = try row.value(at: 1)
                    self.origin = try row.value(at: 2)
                }
            }
        }

        extension Diary.Recipe: nonisolated Larder.DataStoreItem {
        }
        """

    private let note = """
        @StoredItem
        struct Note: DataStoreItem {
            let id: Int
            init(id: Int) { self.id = id }
        }
        """

    private let expandedNote = """
        struct Note: DataStoreItem {
            let id: Int
            init(id: Int) { self.id = id }

            nonisolated struct Attributes: Larder.StoredAttributes {
                let id = Larder.Attribute<Note, Int>(column: 0)
            }

            nonisolated static let attributes = Attributes()

            nonisolated static let schema = Larder.EntitySchema(
                "Note",
                attributes: [
                    .attribute("id", Int.self),
                ]
            )

            nonisolated func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                try row.set(self.id, at: 0)
            }

            nonisolated init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError) {
                self.id = try row.value(at: 0)
            }
        }
        """

#endif
