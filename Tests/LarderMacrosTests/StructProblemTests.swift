#if Macros

    import Testing

    struct StructProblemTests {
        @Test func `a class is refused and can be made a struct`() {
            expectProblems(
                in: """
                    @StoredItem
                    public class Note {
                        var text: String = ""
                    }
                    """,
                ExpectedProblem(
                    "notAStruct",
                    "@StoredItem belongs on a struct, and 'Note' is a class; make it a struct, whose "
                        + "values can be "
                        + "kept outside of the store",
                    line: 2, column: 8, fixIt: "Change 'class' to 'struct'"),
                fixed: """
                    @StoredItem
                    public struct Note {
                        var text: String = ""
                    }
                    """)
        }

        @Test(arguments: ["final class Note {}", "class Note: Base {}", "class Note {\n    deinit {}\n}"])
        func `a class that a struct cannot simply replace gets no fix-it`(declaration: String) {
            expectProblems(
                in: "@StoredItem\n\(declaration)",
                ExpectedProblem(
                    "notAStruct",
                    "@StoredItem belongs on a struct, and 'Note' is a class; make it a struct, whose "
                        + "values can be "
                        + "kept outside of the store",
                    line: 2, column: declaration.hasPrefix("final") ? 7 : 1))
        }

        @Test(arguments: [("enum", "an enum"), ("actor", "an actor")])
        func `an enum or an actor is refused`(keyword: String, kind: String) {
            expectProblems(
                in: """
                    @StoredItem
                    \(keyword) Note {
                    }
                    """,
                ExpectedProblem(
                    "notAStruct",
                    "@StoredItem belongs on a struct, and 'Note' is \(kind); make it a struct, whose "
                        + "values can be "
                        + "kept outside of the store",
                    line: 2, column: 1))
        }

        @Test func `a protocol is refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    protocol Note {
                    }
                    """,
                ExpectedProblem(
                    "notAStruct",
                    "@StoredItem belongs on a struct, and this is something else; make it a struct, "
                        + "whose values "
                        + "can be kept outside of the store",
                    line: 1, column: 1))
        }

        @Test func `a generic struct is refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Box<Content> {
                        var content: Content
                    }
                    """,
                ExpectedProblem(
                    "genericStruct",
                    "a generic struct does not have a single schema to store; remove the generic parameters of 'Box', "
                        + "or write one struct for each use of it",
                    line: 2, column: 11))
        }

        @Test func `a struct in a generic type is refused`() {
            expectProblems(
                in: """
                    struct Box<Content> {
                        @StoredItem
                        struct Note {
                            var text: String
                        }
                    }
                    """,
                ExpectedProblem(
                    "genericSurroundings",
                    "'Note' is inside a generic type, so it does not have a single schema to store; move it out",
                    line: 3, column: 12))
        }

        @Test func `a struct that is private to another type can be made fileprivate`() {
            expectProblems(
                in: """
                    enum Kitchen {
                        @StoredItem
                        private struct Note {
                            var text: String
                        }
                    }
                    """,
                ExpectedProblem(
                    "privateInType",
                    "'Note' is private to the type around it, so its conformance to DataStoreItem "
                        + "cannot see it; "
                        + "make it fileprivate",
                    line: 3, column: 5, fixIt: "Change 'private' to 'fileprivate'"),
                fixed: """
                    enum Kitchen {
                        @StoredItem
                        fileprivate struct Note {
                            var text: String
                        }
                    }
                    """)
        }

        @Test(arguments: ["final class RecipeTests", "extension RecipeTests", "private enum RecipeTests"])
        func `a struct in a type that is private to another type is refused`(header: String) {
            expectProblems(
                in: """
                    \(header) {
                        private enum Fixture {
                            struct Kitchen {
                                @StoredItem
                                struct Note {
                                    var text: String
                                }
                            }
                        }
                    }
                    """,
                ExpectedProblem(
                    "privateSurroundings",
                    "'Note' is inside 'Fixture', which is private to the type around it, so the conformance of "
                        + "'Note' to DataStoreItem cannot see it; make 'Fixture' fileprivate",
                    line: 5, column: 20))
        }

        @Test(arguments: ["State", "[State]?", "Self.State", "[String: Note.State]"])
        func `a type that is private to the struct can be made fileprivate`(type: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        private enum State: String, AttributeValue {
                            case draft
                        }
                        private var state: \(type)
                    }
                    """,
                ExpectedProblem(
                    "privateType",
                    "'State' is private to 'Note', so the attribute of 'state' cannot name it; "
                        + "make it fileprivate",
                    line: 6, column: 17, fixIt: "Change 'private' to 'fileprivate'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        fileprivate enum State: String, AttributeValue {
                            case draft
                        }
                        private var state: \(type)
                    }
                    """)
        }

        @Test(arguments: ["var state: Kitchen.State", "@Transient private var state: State = .draft"])
        func `a type that is private to the struct may stay so if it is not stored`(property: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        private enum State: String { case draft }
                        \(property)
                    }
                    """)

            #expect(expanded.contains("extension Note: nonisolated Larder.DataStoreItem"))
        }

        @Test(arguments: ["private enum Fixture", "private extension Fixture"])
        func `a struct in a private type of the file is stored`(header: String) {
            let expanded = expansion(
                of: """
                    \(header) {
                        enum Kitchen {
                            @StoredItem
                            struct Note {
                                var text: String
                            }
                        }
                    }
                    """)

            #expect(expanded.contains("extension Fixture.Kitchen.Note: nonisolated Larder.DataStoreItem"))
        }

        @Test(arguments: [
            ("struct Attributes {}", "Attributes", 12), ("typealias Attributes = Int", "Attributes", 15),
            ("static let attributes = 1", "attributes", 16), ("static var schema: Int { 1 }", "schema", 16),
        ])
        func `a member that the expansion adds cannot be declared`(member: String, name: String, column: Int)
        {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        \(member)
                    }
                    """,
                ExpectedProblem(
                    "reservedMember", "@StoredItem adds '\(name)' itself; rename this one", line: 3,
                    column: column))
        }

        @Test func `properties may be called attributes and schema`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        var attributes: String
                        var schema: Int
                    }
                    """)

            #expect(expanded.contains("let schema = Larder.Attribute<Note, Int>(column: 2)"))
        }

        @Test(arguments: ["names.first", "\"\"", "\"a\\(b)\""])
        func `the name of earlier versions has to be a literal`(argument: String) {
            expectProblems(
                in: """
                    @StoredItem(originalName: \(argument))
                    struct Note {
                        var text: String
                    }
                    """,
                ExpectedProblem(
                    "originalNameIsNotLiteral",
                    "'originalName' is read from the source; write it as a string literal that is not empty",
                    line: 1, column: 27))
        }

        @Test(arguments: ["names.first", "\"\"", "\"a\\(b)\""])
        func `the entity's name has to be a literal`(argument: String) {
            expectProblems(
                in: """
                    @StoredItem(\(argument))
                    struct Note {
                        var text: String
                    }
                    """,
                ExpectedProblem(
                    "entityName",
                    "the name of the entity is read from the source; write it as a string literal that "
                        + "is not empty",
                    line: 1, column: 13))
        }
    }

#endif
