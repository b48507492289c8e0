#if Macros

    import Testing

    struct TransientTests {
        @Test func `a transient property is a parameter and no column`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        var text: String
                        @Transient public var isShown: Bool = false
                        @Transient public var draft: String?
                        @Transient var hidden: Secret? = nil
                        var stars: Int = 0
                    }
                    """)

            #expect(
                expanded.contains(
                    """
                        attributes: [
                                .attribute("id", Larder.ItemID<Note>.self),
                                .attribute("text", String.self),
                                .attribute("stars", Int.self, default: 0),
                            ]
                    """))
            #expect(
                expanded.contains(
                    """
                        nonisolated public init(
                            id: Larder.ItemID<Note> = Larder.ItemID<Note>(),
                            text: String,
                            isShown: Bool = false,
                            draft: String? = nil,
                            stars: Int = 0
                        ) {
                            self.id = id
                            self.text = text
                            self.isShown = isShown
                            self.draft = draft
                            self.stars = stars
                        }
                    """))
            #expect(
                expanded.contains(
                    """
                            self.id = try row.value(at: 0)
                            self.text = try row.value(at: 1)
                            self.stars = try row.value(at: 2)
                    """))
            #expect(!expanded.contains("set(self.isShown"))
        }

        @Test func `rows are read through Swift's own initialiser, which fills in what is transient`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        var text: String
                        @Transient var isShown: Bool = false
                    }
                    """)

            #expect(
                expanded.contains(
                    """
                            try self.init(
                                text: row.value(at: 1),
                                id: row.value(at: 0))
                    """))
            #expect(expanded.contains("self.init(text: text, isShown: isShown, id: id)"))
        }

        @Test(arguments: [
            ("Bool", "Bool?"), ("any Shape", "(any Shape)?"),
            ("any Shape & Sendable", "(any Shape & Sendable)?"),
            ("Shape & Sendable", "(Shape & Sendable)?"), ("() -> Void", "(() -> Void)?"),
            ("@Sendable () -> Void", "(@Sendable () -> Void)?"),
            ("Bool!", "Bool?"), ("(any Shape)!", "(any Shape)?"),
        ])
        func `a transient property needs a value`(type: String, optional: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Transient var isShown: \(type)
                    }
                    """,
                ExpectedProblem(
                    "transientWithoutValue",
                    "'isShown' is not stored, so an item that is read needs a value for it; "
                        + "add a default value, or make it '\(optional)'",
                    line: 3, column: 20))
        }

        @Test(arguments: ["Indexed", "Unique", "Attribute", "Relationship"])
        func `a mark on a transient property can be removed`(mark: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Transient @\(mark) var isShown: Bool = false
                    }
                    """,
                ExpectedProblem(
                    "markOnTransient",
                    "'isShown' is @Transient and so not stored; remove @\(mark), or @Transient",
                    line: 3, column: 16, fixIt: "Remove '@\(mark)'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        @Transient var isShown: Bool = false
                    }
                    """)
        }

        @Test func `the identifier is stored`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Transient let id: Int
                    }
                    """,
                ExpectedProblem(
                    "markOnIdentifier", "'id' is the key of the store, ordered and unique; remove @Transient",
                    line: 3, column: 5, fixIt: "Remove '@Transient'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        let id: Int
                    }
                    """)
        }

        @Test func `an index cannot name a transient property`() {
            expectProblems(
                in: """
                    @StoredItem(indexes: [["isShown", "text"]])
                    struct Note {
                        var text: String
                        @Transient var isShown: Bool = false
                    }
                    """,
                ExpectedProblem(
                    "unknownName",
                    "'Note' has no stored property 'isShown'; name a stored property or remove it",
                    line: 1, column: 24))
        }
    }

#endif
