#if Macros

    import Testing

    struct RelationshipProblemTests {
        @Test(arguments: [
            ("[Ingredient]", "ToMany<Ingredient>"), ("[Ingredient]?", "ToMany<Ingredient>"),
            ("Set<ItemID<Ingredient>>", "ToMany<Ingredient>"), ("[ToOne<Ingredient>]", "ToMany<Ingredient>"),
            ("Kind", "ToOne<Kind>"), ("Kitchen.Kind?", "ToOne<Kitchen.Kind>?"),
            ("ItemID<Kind>", "ToOne<Kind>"), ("Optional<ItemID<Kind>>", "ToOne<Kind>?"),
        ])
        func `the mark on another type changes it`(written: String, wanted: String) {
            expectProblems(
                in: note("@Relationship(deleteRule: .cascade) var other: \(written) // all"),
                ExpectedProblem(
                    "relationshipOnOther",
                    "@Relationship belongs on a ToOne, ToMany, OrderedToMany or ToOneInverse, "
                        + "and 'other' is of type \(written); make it '\(wanted)'",
                    line: 3, column: 5, fixIt: "Change the type to '\(wanted)'"),
                fixed: note("@Relationship(deleteRule: .cascade) var other: \(wanted) // all"))
        }

        @Test(arguments: ["String", "[Int]", "UUID?", "Duration", "[String: Ingredient]"])
        func `the mark on a value can be removed`(type: String) {
            expectProblems(
                in: note("@Relationship var other: \(type)"),
                ExpectedProblem(
                    "relationshipOnOther",
                    "@Relationship belongs on a ToOne, ToMany, OrderedToMany or ToOneInverse, "
                        + "and 'other' is of type \(type); remove @Relationship",
                    line: 3, column: 5, fixIt: "Remove '@Relationship'"),
                fixed: note("var other: \(type)"))
        }

        @Test(arguments: [
            ("[ToOne<Tag>]", "ToMany<Tag>"), ("Set<ToOne<Tag>>?", "ToMany<Tag>"),
            ("Array<ToMany<Tag>>", "ToMany<Tag>"),
        ])
        func `a collection of relationships is a ToMany`(written: String, wanted: String) {
            expectProblems(
                in: note("var tags: \(written)"),
                ExpectedProblem(
                    "containedRelationship",
                    "'tags' is of type \(written), whose items no store would look after; make it '\(wanted)'",
                    line: 3, column: 9, fixIt: "Change the type to '\(wanted)'"),
                fixed: note("var tags: \(wanted)"))
        }

        @Test func `a dictionary of relationships is refused`() {
            expectProblems(
                in: note("var tags: [String: ToOne<Tag>]"),
                ExpectedProblem(
                    "containedRelationship",
                    "'tags' is of type [String: ToOne<Tag>], whose items no store would look after; use a ToMany",
                    line: 3, column: 9))
        }

        @Test(arguments: [
            ("a ToMany", "ToMany<Tag>?", "ToMany<Tag>"),
            ("an OrderedToMany", "Optional<Larder.OrderedToMany<Tag>>", "OrderedToMany<Tag>"),
        ])
        func `a relationship without a column is never nil`(kind: String, written: String, wanted: String) {
            expectProblems(
                in: note("var tags: \(written)"),
                ExpectedProblem(
                    "optionalRelationship",
                    "\(kind) is empty if there is no item, and never nil; make 'tags' one that is not optional",
                    line: 3, column: 9, fixIt: "Change the type to '\(wanted)'"),
                fixed: note("var tags: \(wanted)"))
        }

        @Test func `a ToOne names no inverse`() {
            let source = note("@Relationship(inverse: \\Passport.holder) var passport: ToOne<Passport>?")
            let problem = ExpectedProblem(
                "inverseOnReference",
                "'passport' is a ToOne, which is stored and so names no inverse; name it as the inverse in Passport, "
                    + "or make it 'ToOneInverse<Passport>' if Passport has the ToOne",
                line: 3, column: 19,
                fixIts: ["Change the type to 'ToOneInverse<Passport>'", "Remove 'inverse'"])

            expectProblems(
                in: source, problem, applying: ["Change the type to 'ToOneInverse<Passport>'"],
                fixed: note("@Relationship(inverse: \\Passport.holder) var passport: ToOneInverse<Passport>"))
            expectProblems(
                in: source, problem, applying: ["Remove 'inverse'"],
                fixed: note("var passport: ToOne<Passport>?"))
        }

        @Test func `an OrderedToMany names no inverse`() {
            let source = note(
                "@Relationship(deleteRule: .cascade, inverse: \\Step.note) var steps: OrderedToMany<Step>")
            let problem = ExpectedProblem(
                "inverseOnOrdered",
                "'steps' keeps the order of its own links and so names no inverse; name it as the inverse in Step, "
                    + "or make it a ToMany",
                line: 3, column: 41, fixIts: ["Change the type to 'ToMany<Step>'", "Remove 'inverse'"])

            expectProblems(
                in: source, problem, applying: ["Change the type to 'ToMany<Step>'"],
                fixed: note(
                    "@Relationship(deleteRule: .cascade, inverse: \\Step.note) var steps: ToMany<Step>"))
            expectProblems(
                in: source, problem, applying: ["Remove 'inverse'"],
                fixed: note("@Relationship(deleteRule: .cascade) var steps: OrderedToMany<Step>"))
        }

        @Test(arguments: [
            ("", "@Relationship(inverse: \\Passport.<#name#>) ", 9, "Add '@Relationship(inverse: …)'"),
            (
                "@Relationship(deleteRule: .deny) ",
                "@Relationship(deleteRule: .deny, inverse: \\Passport.<#name#>) ", 42, "Add 'inverse: …'"
            ),
            ("@Relationship ", "@Relationship(inverse: \\Passport.<#name#>) ", 23, "Add 'inverse: …'"),
            (
                "@Relationship(inverse: nil) ", "@Relationship(inverse: \\Passport.<#name#>) ", 37,
                "Add 'inverse: …'"
            ),
        ])
        func `a ToOneInverse names its inverse`(mark: String, fixed: String, column: Int, fixIt: String) {
            expectProblems(
                in: note("\(mark)var passport: ToOneInverse<Passport>"),
                ExpectedProblem(
                    "inverseMissing",
                    "'passport' shows the item whose ToOne refers to this one, so it has to name that ToOne, as in "
                        + "'@Relationship(inverse: \\Passport.name)'",
                    line: 3, column: column, fixIt: fixIt),
                fixed: note("\(fixed)var passport: ToOneInverse<Passport>"))
        }

        @Test(arguments: [
            "path", "\\Tag.note.kind", "\\Tag.notes[0]", "\\Tag.note?.kind", "\\Tag.self.note",
            "\\.note.kind",
            "\"note\"",
        ])
        func `an inverse is a type and one property`(inverse: String) {
            expectProblems(
                in: note("@Relationship(inverse: \(inverse)) var tags: ToMany<Tag>"),
                ExpectedProblem(
                    "inverseIsNotPath",
                    "the inverse is read from the source; write a type and one of its properties, as in '\\Tag.name'",
                    line: 3, column: 28))
        }

        @Test func `the type of an inverse can be added`() {
            expectProblems(
                in: note("@Relationship(inverse: \\.notes) var tags: ToMany<Tag>"),
                ExpectedProblem(
                    "inverseIsNotPath",
                    "the inverse is read from the source; write a type and one of its properties, as in '\\Tag.name'",
                    line: 3, column: 28, fixIt: "Add the type 'Tag'"),
                fixed: note("@Relationship(inverse: \\Tag.notes) var tags: ToMany<Tag>"))
        }

        @Test(arguments: [("Note", "Self"), ("Self", "Note")])
        func `links to the type itself beside a ToOne are a forgotten inverse`(target: String, other: String)
        {
            let parent = "var parent: ToOne<\(other)>?"
            let source = note("var children: ToMany<\(target)>\n    \(parent)")
            let problem = ExpectedProblem(
                "inverseUnnamed",
                "'children' names no inverse, and 'parent' refers back to Note; write "
                    + "'@Relationship(inverse: \\Note.parent)', or '@Relationship(inverse: nil)' if they are two "
                    + "relationships",
                line: 3, column: 9,
                fixIts: ["Add '@Relationship(inverse: \\Note.parent)'", "Add '@Relationship(inverse: nil)'"])

            expectProblems(
                in: source, problem, applying: ["Add '@Relationship(inverse: \\Note.parent)'"],
                fixed: note(
                    "@Relationship(inverse: \\Note.parent) var children: ToMany<\(target)>\n    \(parent)"))
            expectProblems(
                in: source, problem, applying: ["Add '@Relationship(inverse: nil)'"],
                fixed: note("@Relationship(inverse: nil) var children: ToMany<\(target)>\n    \(parent)"))
        }

        @Test func `an OrderedToMany cannot show the ToOne`() {
            let parent = "var parent: ToOne<Note>"
            expectProblems(
                in: note("@Relationship(deleteRule: .deny) var parts: OrderedToMany<Note>\n    \(parent)"),
                ExpectedProblem(
                    "inverseUnnamed",
                    "'parts' names no inverse, and 'parent' refers back to Note; make it a ToMany and write "
                        + "'@Relationship(inverse: \\Note.parent)', or '@Relationship(inverse: nil)' if they are "
                        + "two relationships",
                    line: 3, column: 42, fixIt: "Add 'inverse: nil'"),
                fixed: note(
                    """
                    @Relationship(deleteRule: .deny, inverse: nil) var parts: OrderedToMany<Note>
                        \(parent)
                    """))
        }

        @Test(arguments: [
            "@Relationship(inverse: nil) var friends: ToMany<Note>\n    var parent: ToOne<Note>?",
            "@Relationship(inverse: \\Self.parent) var parts: ToMany<Note>\n    var parent: ToOne<Self>?\n"
                + "    var friends: ToMany<Note>",
            "var friends: ToMany<Note>\n    var parent: ToOne<Note>?\n"
                + "    @Relationship(inverse: \\Note.friends) var admirers: ToMany<Note>",
            "var friends: ToMany<Tag>\n    var parent: ToOne<Note>?",
        ])
        func `links beside a ToOne of another relationship are no mistake`(properties: String) {
            #expect(
                expansion(of: note(properties)).contains("extension Note: nonisolated Larder.DataStoreItem"))
        }

        @Test(arguments: ["Note", "Self"])
        func `a relationship is not its own inverse`(type: String) {
            expectProblems(
                in: note("@Relationship(inverse: \\\(type).friends) var friends: ToMany<Note>"),
                ExpectedProblem(
                    "ownInverse",
                    "'friends' cannot be its own inverse; remove 'inverse', or name another property, "
                        + "which then shows the items at the other end",
                    line: 3, column: 28, fixIt: "Remove 'inverse'"),
                fixed: note("var friends: ToMany<Note>"))
        }

        @Test func `what is stored otherwise cannot be asked of a relationship`() {
            expectProblems(
                in: note(
                    """
                    @Indexed var tags: ToMany<Tag>
                        @Unique var steps: OrderedToMany<Step>
                        @Attribute(.unique, originalName: "other") var others: Larder.ToMany<Note>
                    """),
                ExpectedProblem(
                    "markOnRelationship", "'tags' is a ToMany, which has no column; remove @Indexed",
                    line: 3, column: 5, fixIt: "Remove '@Indexed'"),
                ExpectedProblem(
                    "markOnRelationship", "'steps' is an OrderedToMany, which has no column; remove @Unique",
                    line: 4, column: 5, fixIt: "Remove '@Unique'"),
                ExpectedProblem(
                    "markOnRelationship", "'others' is a ToMany, which has no column; remove @Attribute",
                    line: 5, column: 5, fixIt: "Remove '@Attribute'"),
                fixed: note(
                    """
                    var tags: ToMany<Tag>
                        var steps: OrderedToMany<Step>
                        var others: Larder.ToMany<Note>
                    """))
        }

        @Test(arguments: ["ToMany<Tag>", "OrderedToMany<Tag>"])
        func `links have their original name in their own mark`(type: String) {
            let kind = type.hasPrefix("O") ? "an OrderedToMany" : "a ToMany"
            expectProblems(
                in: note("@Attribute(originalName: \"labels\") var tags: \(type)"),
                ExpectedProblem(
                    "originalNameOfAttribute",
                    "'tags' is \(kind), whose links keep their original name in another mark; "
                        + "write @Relationship(originalName: …)",
                    line: 3, column: 5, fixIt: "Change '@Attribute' to '@Relationship'"),
                fixed: note("@Relationship(originalName: \"labels\") var tags: \(type)"))
        }

        @Test(arguments: ["ToMany", "ToOneInverse"])
        func `an inverse has nothing to take over`(kind: String) {
            expectProblems(
                in: note(
                    "@Relationship(originalName: \"parts\", inverse: \\Tag.note) var tags: \(kind)<Tag>"),
                ExpectedProblem(
                    "originalNameOfInverse",
                    "'tags' shows what its inverse stores, and stores nothing to take over; remove 'originalName'",
                    line: 3, column: 33))
        }

        @Test func `links have their name in the store in their own mark`() {
            expectProblems(
                in: note("@Attribute(storedAs: \"labels\") var tags: ToMany<Tag>"),
                ExpectedProblem(
                    "storedAsOfAttribute",
                    "'tags' is a ToMany, whose links keep their name in the store in another mark; "
                        + "write @Relationship(storedAs: …)",
                    line: 3, column: 5, fixIt: "Change '@Attribute' to '@Relationship'"),
                fixed: note("@Relationship(storedAs: \"labels\") var tags: ToMany<Tag>"))
        }

        @Test func `an inverse has no name in the store`() {
            expectProblems(
                in: note("@Relationship(storedAs: \"parts\", inverse: \\Tag.note) var tags: ToMany<Tag>"),
                ExpectedProblem(
                    "storedNameOfInverse",
                    "'tags' shows what its inverse stores, and stores nothing to name; remove 'storedAs'",
                    line: 3, column: 29))
        }

        @Test func `one name in the store is enough`() {
            expectProblems(
                in: note(
                    """
                    @Attribute(storedAs: "a") @Relationship(storedAs: "b") var kind: ToOne<Kind>
                    """),
                ExpectedProblem(
                    "storedNameTwice", "'kind' has two names in the store; remove one", line: 3, column: 45))
        }

        @Test func `one original name is enough`() {
            expectProblems(
                in: note(
                    """
                    @Attribute(originalName: "a") @Relationship(originalName: "b") var kind: ToOne<Kind>
                    """),
                ExpectedProblem(
                    "originalNameTwice", "'kind' has two original names; remove one", line: 3, column: 49))
        }

        @Test(arguments: ["ToMany<Tag>", "ToOne<Tag>"])
        func `links and values of one name are taken over once`(type: String) {
            expectProblems(
                in: note(
                    """
                    @Relationship(originalName: "a") var tags: \(type)
                        @Attribute(originalName: "a") var name: String
                        @Relationship(originalName: "name") var others: ToMany<Tag>
                    """),
                ExpectedProblem(
                    "originalNameIsRepeated",
                    "'tags' already takes over the values of 'a'; remove one of the two", line: 4, column: 30),
                ExpectedProblem(
                    "originalNameIsTaken",
                    "'name' is a property of this struct now, so its values cannot be taken over by another; "
                        + "remove this 'originalName' or rename that property",
                    line: 5, column: 33))
        }

        @Test func `a second mark can be removed`() {
            expectProblems(
                in: note("@Relationship @Relationship var tags: ToMany<Tag>"),
                ExpectedProblem(
                    "repeatedMark", "'tags' has @Relationship twice; remove one",
                    line: 3, column: 19, fixIt: "Remove '@Relationship'"),
                fixed: note("@Relationship var tags: ToMany<Tag>"))
        }

        @Test(arguments: [
            ("", "ToMany<Tag>", "[sweet]"), ("", "OrderedToMany<Tag>", "[]"), ("", "ToMany<Tag>", "ToMany()"),
            ("", "ToMany<Tag>", "ToMany([sweet])"),
            ("@Relationship(inverse: \\Tag.note) ", "ToOneInverse<Tag>", "nil"),
        ])
        func `a new item is made without others`(mark: String, type: String, value: String) {
            expectProblems(
                in: note("\(mark)var tags: \(type) = \(value) // none"),
                ExpectedProblem(
                    "relationshipWithValue",
                    "'tags' shows items of the store, and a list here would replace them in every new item; "
                        + "write '= .notGiven' or no value, and pass items when an item is made",
                    line: 3, column: 20 + mark.count + type.count - 2,
                    fixIt: "Change the value to '.notGiven'"),
                fixed: note("\(mark)var tags: \(type) = .notGiven // none"))
        }

        @Test(arguments: [
            "var tags: ToMany<Tag> = .notGiven", "var tags: ToMany<Tag> = ToMany.notGiven",
            "@Relationship(inverse: \\Tag.note) var tag: ToOneInverse<Tag> = .notGiven",
        ])
        func `a value that is not given is none`(property: String) {
            #expect(
                expansion(of: note(property)).contains("extension Note: nonisolated Larder.DataStoreItem"))
        }

        @Test func `a relationship is a variable`() {
            expectProblems(
                in: note("let tags: ToMany<Tag>"),
                ExpectedProblem(
                    "constantProperty",
                    "'id' is the only constant among stored properties; make 'tags' a 'var', "
                        + "or a static or computed property",
                    line: 3, column: 5, fixIt: "Change 'let' to 'var'"),
                fixed: note("var tags: ToMany<Tag>"))
        }

        @Test func `the identifier is no relationship`() {
            expectProblems(
                in: note("@Relationship let id: Int"),
                ExpectedProblem(
                    "markOnIdentifier",
                    "'id' is the key of the store, ordered and unique; remove @Relationship",
                    line: 3, column: 5, fixIt: "Remove '@Relationship'"),
                fixed: note("let id: Int"))
        }

        @Test func `a list cannot name a relationship without a column`() {
            expectProblems(
                in: note(
                    "var name: String\n    var tags: ToMany<Tag>", lists: "(indexes: [[\"name\", \"tags\"]])"),
                ExpectedProblem(
                    "relationshipInList",
                    "'tags' is a ToMany, which has no column for an index to hold; remove it here",
                    line: 1, column: 32, fixIt: "Remove 'tags'"),
                fixed: note("var name: String\n    var tags: ToMany<Tag>", lists: "(indexes: [[\"name\"]])"))
        }

        @Test func `a list of one ToOne repeats its index`() {
            expectProblems(
                in: note("var kind: ToOne<Kind>", lists: "(indexes: [[\"kind\"]])"),
                ExpectedProblem(
                    "listRepeatsReference",
                    "'kind' is a ToOne, which has an index by itself; remove this list",
                    line: 1, column: 23, fixIt: "Remove the list"),
                fixed: note("var kind: ToOne<Kind>", lists: "(indexes: [])"))
        }

        private func note(_ properties: String, lists: String = "") -> String {
            """
            @StoredItem\(lists)
            struct Note {
                \(properties)
            }
            """
        }
    }

#endif
