#if Macros

    import Testing

    struct MarkPlacementTests {
        @Test(arguments: ["Indexed", "Unique", "Attribute", "Transient", "Relationship"])
        func `a mark on a computed property can be removed`(mark: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        /// All of it.
                        @\(mark)
                        var total: Int { 0 }
                    }
                    """,
                ExpectedProblem(
                    "markOnOther",
                    "@\(mark) belongs on a stored property, and this is a computed one; remove it here",
                    line: 4, column: 5, fixIt: "Remove '@\(mark)'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        /// All of it.
                        var total: Int { 0 }
                    }
                    """,
                macros: marks)
        }

        @Test func `a mark on a static property can be removed`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Indexed static var count: Int = 0
                    }
                    """,
                ExpectedProblem(
                    "markOnOther",
                    "@Indexed belongs on a stored property, and this is a static one; remove it here",
                    line: 3, column: 5, fixIt: "Remove '@Indexed'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        static var count: Int = 0
                    }
                    """,
                macros: marks)
        }

        @Test func `a mark on something else than a property can be removed`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Unique func print() {}
                    }
                    """,
                ExpectedProblem(
                    "markOnOther",
                    "@Unique belongs on a stored property, and this is no property; remove it here",
                    line: 3, column: 5, fixIt: "Remove '@Unique'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        func print() {}
                    }
                    """,
                macros: marks)
        }

        @Test func `a misplaced mark does not keep its struct from being stored`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        @Indexed var total: Int { 0 }
                    }
                    """)

            #expect(expanded.contains("extension Note: nonisolated Larder.DataStoreItem"))
        }

        @Test(arguments: ["struct Note {", "extension Note {", "@Observable class Note {"])
        func `a mark outside of a stored struct is refused`(header: String) {
            expectProblems(
                in: """
                    \(header)
                        @Attribute(originalName: "body") var text: String
                    }
                    """,
                ExpectedProblem(
                    "markOutside",
                    "@Attribute only has a meaning in a struct with @StoredItem; "
                        + "put @StoredItem on the struct around it, or remove @Attribute",
                    line: 2, column: 5, fixIt: "Remove '@Attribute'"),
                fixed: """
                    \(header)
                        var text: String
                    }
                    """)
        }

        @Test func `a mark in a stored struct is silent`() {
            expectProblems(
                in: """
                    enum Kitchen {
                        @Larder.StoredItem("Entry")
                        struct Note {
                            @Indexed var text: String
                            @Unique var slug: String { didSet {} }
                            @Attribute(originalName: "body") private var count: Int
                            @Relationship(deleteRule: .cascade) var tags: ToMany<Tag>
                        }
                    }
                    """,
                macros: marks)
        }

        @Test(
            arguments: ["rule", ".owned", "Rules.owned", "Rules.cascade", "DeleteRule.owned"],
            ["ToMany<Tag>", "ToOne<Tag>"])
        func `a delete rule is written where it is used`(rule: String, type: String) {
            expectProblems(
                in: note("@Relationship(deleteRule: \(rule)) var tags: \(type)"),
                ExpectedProblem(
                    "ruleIsNotLiteral",
                    "the delete rule is read from the source; write .nullify, .cascade, .deny or .noAction",
                    line: 3, column: 31),
                macros: marks)
        }

        @Test(arguments: [(".key", 16), ("Options.unique", 16), (".unique, .key", 25)])
        func `an option is written where it is used`(options: String, column: Int) {
            expectProblems(
                in: note("@Attribute(\(options)) var slug: String"),
                ExpectedProblem(
                    "optionIsNotLiteral", "the option is read from the source; write .unique",
                    line: 3, column: column),
                macros: marks)
        }

        @Test(arguments: [
            "@Relationship(deleteRule: .nullify) var tags: ToMany<Tag>",
            "@Relationship(deleteRule: DeleteRule.deny) var tags: ToMany<Tag>",
            "@Relationship(deleteRule: Larder.DeleteRule.noAction, inverse: nil) var tags: ToMany<Tag>",
            "@Attribute(AttributeOption.unique, originalName: \"key\") var slug: String",
            "@Attribute(Larder.AttributeOption.unique) var slug: String",
        ])
        func `a rule and an option may name their types`(property: String) {
            expectProblems(in: note(property), macros: marks)
        }

        private func note(_ property: String) -> String {
            """
            @StoredItem
            struct Note {
                \(property)
            }
            """
        }
    }

#endif
