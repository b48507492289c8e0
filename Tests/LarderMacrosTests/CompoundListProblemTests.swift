#if Macros

    import Testing

    struct CompoundListProblemTests {
        @Test func `a name that is no property is replaced by the nearest one`() {
            expectProblems(
                in: place("indexes: [[\"citi\", \"rating\"]]"),
                ExpectedProblem(
                    "unknownName", "'Place' has no stored property 'citi'; did you mean 'city'?",
                    line: 1, column: 24, fixIt: "Change 'citi' to 'city'"),
                fixed: place("indexes: [[\"city\", \"rating\"]]"))
        }

        @Test func `a name that is replaced keeps its comparison`() {
            expectProblems(
                in: place("indexes: [[\"citi[c]\", \"rating\"]]"),
                ExpectedProblem(
                    "unknownName", "'Place' has no stored property 'citi'; did you mean 'city'?",
                    line: 1, column: 24, fixIt: "Change 'citi[c]' to 'city[c]'"),
                fixed: place("indexes: [[\"city[c]\", \"rating\"]]"))
        }

        @Test func `only texts are compared without regard to case`() {
            expectProblems(
                in: place("indexes: [[\"city\", \"rating[c]\"]]"),
                ExpectedProblem(
                    "notText",
                    "'rating' is of type Double, and only texts are compared without regard to case or diacritics; "
                        + "remove the comparison",
                    line: 1, column: 32, fixIt: "Change 'rating[c]' to 'rating'"),
                fixed: place("indexes: [[\"city\", \"rating\"]]"))
        }

        @Test func `a name that is near to no property is only told`() {
            expectProblems(
                in: place("uniques: [[\"headquarters\", \"rating\"]]"),
                ExpectedProblem(
                    "unknownName",
                    "'Place' has no stored property 'headquarters'; name a stored property or remove it",
                    line: 1, column: 24))
        }

        @Test func `a property with a problem of its own is not unknown besides`() {
            expectProblems(
                in: """
                    @StoredItem(indexes: [["city", "size"]])
                    struct Place {
                        var city: String
                        var size: (Int, Int)
                    }
                    """,
                ExpectedProblem(
                    "tupleProperty",
                    "'size' is a tuple, which cannot be stored; use one property for each part, "
                        + "or a Codable struct that conforms to CodableAttribute",
                    line: 4, column: 15))
        }

        @Test func `an empty list can be removed`() {
            expectProblems(
                in: place("indexes: [[], [\"city\"]]"),
                ExpectedProblem(
                    "emptyList", "this list names no property; name some or remove it",
                    line: 1, column: 23, fixIt: "Remove the list"),
                fixed: place("indexes: [[\"city\"]]"))
        }

        @Test func `a repeated name can be removed`() {
            expectProblems(
                in: place("indexes: [[\"city\", \"rating\", \"city\"]]"),
                ExpectedProblem(
                    "repeatedName", "'city' is in this list already; remove it here",
                    line: 1, column: 42, fixIt: "Remove the second 'city'"),
                fixed: place("indexes: [[\"city\", \"rating\"]]"))
        }

        @Test func `a name is repeated only with the same comparison`() {
            expectProblems(
                in: place("indexes: [[\"city[c]\", \"city\", \"city[c]\"]]"),
                ExpectedProblem(
                    "repeatedName", "'city[c]' is in this list already; remove it here",
                    line: 1, column: 43, fixIt: "Remove the second 'city[c]'"),
                fixed: place("indexes: [[\"city[c]\", \"city\"]]"))
        }

        @Test func `a name of a type that no index can hold is refused`() {
            expectProblems(
                in: place("indexes: [[\"city\", \"photo\"]]"),
                ExpectedProblem(
                    "notIndexable",
                    "'photo' is of type Data, which no index can hold; remove it from the index, "
                        + "or store the value to search for in a property of its own",
                    line: 1, column: 32))
        }

        @Test(arguments: ["indexes", "uniques"])
        func `the second of two equal lists can be removed`(label: String) {
            expectProblems(
                in: place("\(label): [[\"city\", \"rating\"], [\"city\", \"rating\"]]"),
                ExpectedProblem(
                    "repeatedList", "this list repeats an earlier one; remove it",
                    line: 1, column: 43, fixIt: "Remove the list"),
                fixed: place("\(label): [[\"city\", \"rating\"]]"))
        }

        @Test func `lists of the same names in another order are two indexes`() {
            let expanded = expansion(of: place("indexes: [[\"city\", \"rating\"], [\"rating\", \"city\"]]"))

            #expect(expanded.contains(".index(\"city\", \"rating\"), .index(\"rating\", \"city\")"))
        }

        @Test func `a list that is unique as well is kept as that`() {
            expectProblems(
                in: place("indexes: [[\"city\", \"rating\"]], uniques: [[\"city\", \"rating\"]]"),
                ExpectedProblem(
                    "listIsAlsoUnique",
                    "the same list in 'uniques' already keeps this index; remove this one",
                    line: 1, column: 23, fixIt: "Remove the list"),
                fixed: place("indexes: [], uniques: [[\"city\", \"rating\"]]"))
        }

        @Test(arguments: [
            ("indexes", "name", "Indexed"), ("indexes", "slug", "Unique"), ("uniques", "slug", "Unique"),
        ])
        func `a list of one name that repeats a mark can be removed`(
            label: String, name: String, mark: String
        ) {
            expectProblems(
                in: place("\(label): [[\"city\"], [\"\(name)\"]]"),
                ExpectedProblem(
                    "listRepeatsMark", "@\(mark) already keeps an index on '\(name)'; remove this list",
                    line: 1, column: 33, fixIt: "Remove the list"),
                fixed: place("\(label): [[\"city\"]]"))
        }

        @Test(arguments: [
            ("uniques", "slug[c]", "Unique"), ("indexes", "slug[c]", "Unique"),
            ("indexes", "slug[cd]", "Indexed"), ("indexes", "name[d]", "Indexed"),
        ])
        func `a list of one name repeats a mark that compares in the same way`(
            label: String, name: String, mark: String
        ) {
            let properties = """
                struct Place {
                    var city: String
                    @Unique(.caseInsensitive)
                    @Indexed([.diacriticInsensitive, .caseInsensitive])
                    var slug: String
                    @Indexed(.diacriticInsensitive) var name: String
                }
                """
            expectProblems(
                in: "@StoredItem(\(label): [[\"city\"], [\"\(name)\"]])\n" + properties,
                ExpectedProblem(
                    "listRepeatsMark",
                    "@\(mark) already keeps an index on '\(name.prefix(4))'; remove this list",
                    line: 1, column: 33, fixIt: "Remove the list"),
                fixed: "@StoredItem(\(label): [[\"city\"]])\n" + properties)
        }

        @Test func `a list of one name beside a mark that compares in another way is an index`() {
            let expanded = expansion(
                of: """
                    @StoredItem(indexes: [["slug[d]"]], uniques: [["slug"]])
                    struct Place {
                        @Unique(.caseInsensitive) var slug: String
                    }
                    """)

            let indexes = """
                indexes: [.unique("slug", .caseInsensitive), .index("slug[d]"), .unique("slug")]
                """
            #expect(expanded.contains(indexes))
        }

        @Test(arguments: [("name", "@Indexed"), ("name[c]", "@Indexed(.caseInsensitive)")])
        func `a mark that is weaker than a list of one name can be removed`(name: String, mark: String) {
            expectProblems(
                in: """
                    @StoredItem(uniques: [["\(name)"]])
                    struct Place {
                        \(mark) var name: String
                    }
                    """,
                ExpectedProblem(
                    "markRepeatsList", "'uniques' already keeps an index on 'name'; remove @Indexed",
                    line: 3, column: 5, fixIt: "Remove '@Indexed'"),
                fixed: """
                    @StoredItem(uniques: [["\(name)"]])
                    struct Place {
                        var name: String
                    }
                    """)
        }

        @Test(arguments: ["id", "id[c]"])
        func `a list of the id alone can be removed`(name: String) {
            expectProblems(
                in: place("uniques: [[\"\(name)\"]]"),
                ExpectedProblem(
                    "listRepeatsKey", "'id' is the key of the store, ordered and unique; remove this list",
                    line: 1, column: 23, fixIt: "Remove the list"),
                fixed: place("uniques: []"))
        }

        @Test(arguments: [("indexes: lists", 22), ("indexes: [list]", 23), ("indexes: [[name]]", 24)])
        func `lists have to be literals`(arguments: String, column: Int) {
            expectProblems(
                in: place(arguments),
                ExpectedProblem(
                    "listIsNotLiteral",
                    "the names are read from the source; write lists of string literals, "
                        + "as in [[\"city\", \"rating\"]]",
                    line: 1, column: column))
        }

        private func place(_ arguments: String) -> String {
            """
            @StoredItem(\(arguments))
            struct Place {
                @Indexed var name: String
                @Unique var slug: String
                var city: String
                var rating: Double
                var photo: Data?
            }
            """
        }
    }

#endif
