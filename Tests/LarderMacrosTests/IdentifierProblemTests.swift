#if Macros

    import Testing

    struct IdentifierProblemTests {
        @Test func `a variable id can be made constant`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var id: UUID
                    }
                    """,
                ExpectedProblem(
                    "variableIdentifier", "'id' is final from the moment an item is made; make it a 'let'",
                    line: 3, column: 5, fixIt: "Change 'var' to 'let'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        let id: UUID
                    }
                    """)
        }

        @Test(arguments: [
            ("UUID?", "UUID"), ("UUID!", "UUID"), ("Optional<Int64>", "Int64"),
            ("Swift.Optional<ItemID<Note>>", "ItemID<Note>"),
        ])
        func `an optional id can be made a required one`(written: String, fixed: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        let id: \(written) // why
                    }
                    """,
                ExpectedProblem(
                    "optionalIdentifier",
                    "an item has its 'id' from the moment it is made; make it '\(fixed)'",
                    line: 3, column: 13, fixIt: "Change the type to '\(fixed)'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        let id: \(fixed) // why
                    }
                    """)
        }

        @Test func `a variable and optional id can be mended at once`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var id: Int64?
                    }
                    """,
                ExpectedProblem(
                    "variableIdentifier", "'id' is final from the moment an item is made; make it a 'let'",
                    line: 3, column: 5, fixIt: "Change 'var' to 'let'"),
                ExpectedProblem(
                    "optionalIdentifier",
                    "an item has its 'id' from the moment it is made; make it 'Int64'",
                    line: 3, column: 13, fixIt: "Change the type to 'Int64'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        let id: Int64
                    }
                    """)
        }

        @Test(arguments: [
            (": UUID = UUID()", "Remove the value", ": UUID"),
            (" = UUID()", "Replace the value with ': UUID'", ": UUID"),
            (" = ItemID<Note>()", "Replace the value with ': ItemID<Note>'", ": ItemID<Note>"),
            (" = \"a\"", "Replace the value with ': String'", ": String"),
        ])
        func `an initial value of the id can be removed`(written: String, fixIt: String, fixed: String) {
            let column = written.hasPrefix(":") ? 18 : 12
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        let id\(written) // why
                    }
                    """,
                ExpectedProblem(
                    "identifierWithValue",
                    "with an initial value, every item would have the same 'id'; "
                        + "write only its type, as in 'let id: UUID', and pass the value when an item is "
                        + "made",
                    line: 3, column: column, fixIt: fixIt),
                fixed: """
                    @StoredItem
                    struct Note {
                        let id\(fixed) // why
                    }
                    """)
        }

        @Test func `an id without a type is refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        let id
                    }
                    """,
                ExpectedProblem(
                    "missingType",
                    "a macro sees only what is written, and the type of 'id' is not; add it, as in 'let "
                        + "id: UUID'",
                    line: 3, column: 9))
        }

        @Test func `a computed id is refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var id: String { slug }
                        var slug: String
                    }
                    """,
                ExpectedProblem(
                    "computedIdentifier",
                    "'id' has to be stored; write 'let id: ItemID<Note>', or leave it out and "
                        + "@StoredItem adds it",
                    line: 3, column: 9))
        }

        @Test func `an id that is seen less far than the struct can be raised`() {
            expectProblems(
                in: """
                    @StoredItem
                    public struct Note {
                        let id: UUID
                    }
                    """,
                ExpectedProblem(
                    "hiddenIdentifier", "'id' has to be visible wherever the struct is; make it public",
                    line: 3, column: 9, fixIt: "Make it public"),
                fixed: """
                    @StoredItem
                    public struct Note {
                        public let id: UUID
                    }
                    """)
        }

        @Test func `a private id can be raised to the level of its struct`() {
            expectProblems(
                in: """
                    @StoredItem
                    fileprivate struct Note {
                        private let id: UUID
                    }
                    """,
                ExpectedProblem(
                    "hiddenIdentifier", "'id' has to be visible wherever the struct is; make it fileprivate",
                    line: 3, column: 17, fixIt: "Make it fileprivate"),
                fixed: """
                    @StoredItem
                    fileprivate struct Note {
                        fileprivate let id: UUID
                    }
                    """)
        }

        @Test(arguments: [("@Indexed", "Indexed"), ("@Unique", "Unique")])
        func `an index on the id can be removed`(mark: String, name: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        \(mark) let id: UUID
                    }
                    """,
                ExpectedProblem(
                    "markOnIdentifier", "'id' is the key of the store, ordered and unique; remove @\(name)",
                    line: 3, column: 5, fixIt: "Remove '@\(name)'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        let id: UUID
                    }
                    """)
        }
    }

#endif
