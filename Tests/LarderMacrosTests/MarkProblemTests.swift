#if Macros

    import Testing

    struct MarkProblemTests {
        @Test func `a property with two kinds of index keeps the unique one`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        /// Its name in a link.
                        @Indexed
                        @Unique
                        var slug: String
                    }
                    """,
                ExpectedProblem(
                    "indexedAndUnique", "@Unique already keeps an index on 'slug'; remove @Indexed",
                    line: 4, column: 5, fixIt: "Remove '@Indexed'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        /// Its name in a link.
                        @Unique
                        var slug: String
                    }
                    """)
        }

        @Test(arguments: ["Indexed", "Unique", "Attribute"])
        func `the second of two equal marks can be removed`(mark: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @\(mark) @\(mark) var slug: String
                    }
                    """,
                ExpectedProblem(
                    "repeatedMark", "'slug' has @\(mark) twice; remove one",
                    line: 3, column: 7 + mark.count, fixIt: "Remove '@\(mark)'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        @\(mark) var slug: String
                    }
                    """)
        }

        @Test(arguments: [
            ("Data", "Data"), ("Data?", "Data"), ("Foundation.Data", "Foundation.Data"),
            ("Decimal", "Decimal"), ("Duration?", "Duration"),
            ("Optional<Decimal>", "Decimal"), ("[String]", "[String]"), ("[String: Int]?", "[String: Int]"),
            ("Set<String>", "Set<String>"), ("Swift.Array<Int>", "Swift.Array<Int>"),
        ])
        func `a type that no index can hold is refused`(written: String, named: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Indexed var photo: \(written)
                    }
                    """,
                ExpectedProblem(
                    "notIndexable",
                    "'photo' is of type \(named), which no index can hold; remove it from the index, "
                        + "or store the value to search for in a property of its own",
                    line: 3, column: 5, fixIt: "Remove '@Indexed'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        var photo: \(written)
                    }
                    """)
        }

        @Test(arguments: ["Int", "Date", "UUID"])
        func `only texts are compared without regard to case`(type: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Indexed(.caseInsensitive) var size: \(type)
                    }
                    """,
                ExpectedProblem(
                    "notText",
                    "'size' is of type \(type), and only texts are compared without regard to case or diacritics; "
                        + "remove the comparison",
                    line: 3, column: 5, fixIt: "Remove the argument"),
                fixed: """
                    @StoredItem
                    struct Note {
                        @Indexed var size: \(type)
                    }
                    """)
        }

        @Test func `two indexes that compare in the same way are one too many`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Unique(.caseInsensitive) @Indexed(.caseInsensitive) var slug: String
                        @Unique(.caseInsensitive) @Indexed var title: String
                        @Indexed([.diacriticInsensitive, .caseInsensitive])
                        @Unique([.caseInsensitive, .diacriticInsensitive]) var text: String
                    }
                    """,
                ExpectedProblem(
                    "indexedAndUnique", "@Unique already keeps an index on 'slug'; remove @Indexed",
                    line: 3, column: 31, fixIt: "Remove '@Indexed'"),
                ExpectedProblem(
                    "indexedAndUnique", "@Unique already keeps an index on 'text'; remove @Indexed",
                    line: 5, column: 5, fixIt: "Remove '@Indexed'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        @Unique(.caseInsensitive) var slug: String
                        @Unique(.caseInsensitive) @Indexed var title: String
                        @Unique([.caseInsensitive, .diacriticInsensitive]) var text: String
                    }
                    """)
        }

        @Test func `SwiftData's unique option is the same as @Unique, and one of them is enough`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Unique @Attribute(.unique) var slug: String
                        @Indexed @Attribute(.unique, originalName: "t") var title: String
                    }
                    """,
                ExpectedProblem(
                    "uniqueTwice", "@Unique already makes 'slug' unique; remove '.unique'",
                    line: 3, column: 13, fixIt: "Remove '@Attribute'"),
                ExpectedProblem(
                    "indexedAndUnique", "@Unique already keeps an index on 'title'; remove @Indexed",
                    line: 4, column: 5, fixIt: "Remove '@Indexed'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        @Unique var slug: String
                        @Attribute(.unique, originalName: "t") var title: String
                    }
                    """)
        }

        @Test func `an identifier is unique without SwiftData's option`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(.unique, originalName: "key") let id: UUID
                    }
                    """,
                ExpectedProblem(
                    "markOnIdentifier", "'id' is the key of the store, ordered and unique; remove '.unique'",
                    line: 3, column: 5, fixIt: "Remove '.unique'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        @Attribute(originalName: "key") let id: UUID
                    }
                    """)
        }

        @Test(arguments: ["old", "\"\"", "\"a\\(b)\""])
        func `an original name has to be a literal`(argument: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(originalName: \(argument)) var text: String
                    }
                    """,
                ExpectedProblem(
                    "originalNameIsNotLiteral",
                    "'originalName' is read from the source; write it as a string literal that is not empty",
                    line: 3, column: 30))
        }

        @Test func `two properties cannot take over the same values`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(originalName: "body") var text: String
                        @Attribute(originalName: "body") var summary: String
                    }
                    """,
                ExpectedProblem(
                    "originalNameIsRepeated",
                    "'text' already takes over the values of 'body'; remove one of the two",
                    line: 4, column: 30))
        }

        @Test(arguments: ["old", "\"\"", "\"a\\(b)\""])
        func `a name in the store has to be a literal`(argument: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(storedAs: \(argument)) var text: String
                    }
                    """,
                ExpectedProblem(
                    "storedNameIsNotLiteral",
                    "'storedAs' is read from the source; write it as a string literal that is not empty",
                    line: 3, column: 26))
        }

        @Test func `two properties cannot have one name in the store`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(storedAs: "title") var text: String
                        var title: String
                        @Attribute(storedAs: "body") var first: String
                        @Attribute(storedAs: "body") var second: String
                        @Attribute(storedAs: "id") var key: String
                    }
                    """,
                ExpectedProblem(
                    "storedNameIsTaken",
                    "'title' is already stored as 'title'; give this property another name in the store",
                    line: 3, column: 26),
                ExpectedProblem(
                    "storedNameIsTaken",
                    "'first' is already stored as 'body'; give this property another name in the store",
                    line: 6, column: 26),
                ExpectedProblem(
                    "storedNameIsTaken",
                    "'id' is already stored as 'id'; give this property another name in the store",
                    line: 7, column: 26))
        }

        @Test func `the identifier has no other name in the store`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(storedAs: "key") let id: UUID
                    }
                    """,
                ExpectedProblem(
                    "storedNameOfIdentifier", "every store names the identifier 'id'; remove 'storedAs'",
                    line: 3, column: 26))
        }

        @Test func `an original name is one of the store`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        @Attribute(storedAs: "note_text", originalName: "text") var text: String
                        @Attribute(storedAs: "label") var title: String
                        @Attribute(originalName: "title") var heading: String
                    }
                    """)

            #expect(
                expanded.contains(
                    ".attribute(\"note_text\", String.self, property: \"text\", originalName: \"text\"),"))
            #expect(expanded.contains(".attribute(\"heading\", String.self, originalName: \"title\"),"))
        }

        @Test(arguments: ["title", "id"])
        func `the values of a property that still exists cannot be taken over`(name: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        @Attribute(originalName: "\(name)") var text: String
                        var title: String
                    }
                    """,
                ExpectedProblem(
                    "originalNameIsTaken",
                    "'\(name)' is a property of this struct now, so its values cannot be taken over by "
                        + "another; "
                        + "remove this 'originalName' or rename that property",
                    line: 3, column: 30))
        }
    }

#endif
