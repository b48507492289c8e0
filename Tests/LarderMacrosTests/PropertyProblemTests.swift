#if Macros

    import Testing

    struct PropertyProblemTests {
        @Test(arguments: [
            ("1", "Int"), ("-1", "Int"), ("1.5", "Double"), ("-2.5", "Double"), ("\"\"", "String"),
            ("true", "Bool"),
        ])
        func `a missing type is added where a literal tells it`(value: String, type: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var size = \(value) // why
                    }
                    """,
                ExpectedProblem(
                    "missingType",
                    "a macro sees only what is written, and the type of 'size' is not; "
                        + "add it, as in 'var size: \(type)'",
                    line: 3, column: 9, fixIt: "Add ': \(type)'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        var size: \(type) = \(value) // why
                    }
                    """)
        }

        @Test(arguments: ["Kind.other", "Date()", "-x", "[1]"])
        func `a missing type is left to the app where the value does not tell it`(value: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var kind = \(value)
                    }
                    """,
                ExpectedProblem(
                    "missingType",
                    "a macro sees only what is written, and the type of 'kind' is not; "
                        + "add it, as in 'var kind: SomeType'",
                    line: 3, column: 9))
        }

        @Test(arguments: ["if big { 1 } else { 2 }", "switch big { case true: 1; case false: 2 }"])
        func `a value that is an if or a switch is refused`(value: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var level: Int = \(value)
                    }
                    """,
                ExpectedProblem(
                    "branchingValue",
                    "the value of 'level' is repeated as a default argument, which cannot be an 'if' or a 'switch'; "
                        + "write it as a closure that is called, or a static constant",
                    line: 3, column: 22))
        }

        @Test func `the value of a transient property may branch`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        var text: String
                        @Transient private var level: Int = if big { 1 } else { 2 }
                        @Transient var depth: Int = if big { 1 } else { 2 }
                    }
                    """)

            #expect(
                expanded.contains(
                    """
                            depth: Int = { () -> Int in
                                if big {
                                    1
                                } else {
                                    2
                                }
                            }()
                    """))
            #expect(!expanded.contains("        level: Int ="))
        }

        @Test func `a closure that is called may branch`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        var level: Int = { if big { 1 } else { 2 } }()
                    }
                    """)

            #expect(expanded.contains(".attribute(\"level\", Int.self, default:"))
        }

        @Test func `a constant can be made a variable`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        private let text: String
                    }
                    """,
                ExpectedProblem(
                    "constantProperty",
                    "'id' is the only constant among stored properties; make 'text' a 'var', "
                        + "or a static or computed property",
                    line: 3, column: 13, fixIt: "Change 'let' to 'var'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        private var text: String
                    }
                    """)
        }

        @Test func `a constant beside the id is told without a fix-it, which would change the id too`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        let id: Int, text: String
                    }
                    """,
                ExpectedProblem(
                    "constantProperty",
                    "'id' is the only constant among stored properties; make 'text' a 'var', "
                        + "or a static or computed property",
                    line: 3, column: 5))
        }

        @Test(arguments: ["(Int, Int)", "(x: Int, y: Int)?", "()"])
        func `a tuple is refused`(type: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var size: \(type)
                    }
                    """,
                ExpectedProblem(
                    "tupleProperty",
                    "'size' is a tuple, which cannot be stored; use one property for each part, "
                        + "or a Codable struct that conforms to CodableAttribute",
                    line: 3, column: 15))
        }

        @Test(arguments: ["() -> Void", "(() -> Void)?", "@Sendable (Int) -> Int", "Optional<() -> Void>"])
        func `a function is refused`(type: String) {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var action: \(type)
                    }
                    """,
                ExpectedProblem(
                    "functionProperty",
                    "'action' holds a function, which cannot be stored; make it a method or a computed "
                        + "property",
                    line: 3, column: 17))
        }

        @Test func `a type in parentheses is no tuple`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        var text: (String)
                    }
                    """)

            #expect(expanded.contains(".attribute(\"text\", (String).self)"))
        }

        @Test func `several properties in one pattern are refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var (x, y): (Int, Int)
                    }
                    """,
                ExpectedProblem(
                    "tuplePattern",
                    "a column holds one property; declare each of these properties on its own",
                    line: 3, column: 9))
        }

        @Test func `a property called self is refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var `self`: String
                    }
                    """,
                ExpectedProblem(
                    "selfProperty",
                    "'self' names the item itself in the code that reads and writes it; rename this property",
                    line: 3, column: 9))
        }

        @Test func `an implicitly unwrapped property can be made optional`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        var text: String!
                    }
                    """,
                ExpectedProblem(
                    "implicitlyUnwrapped",
                    "'text' is implicitly unwrapped, which would hide a stored nil; write '?' instead of '!'",
                    line: 3, column: 21, fixIt: "Change '!' to '?'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        var text: String?
                    }
                    """)
        }

        @Test func `a lazy property can be made a plain one`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        /// In short.
                        lazy var summary: String = ""
                        private lazy var length = 0
                    }
                    """,
                ExpectedProblem(
                    "lazyProperty",
                    "'summary' is lazy, so reading it would change the item; make it a computed property, "
                        + "or remove 'lazy' to store it",
                    line: 4, column: 5, fixIt: "Remove 'lazy'"),
                ExpectedProblem(
                    "lazyProperty",
                    "'length' is lazy, so reading it would change the item; make it a computed property, "
                        + "or remove 'lazy' to store it",
                    line: 5, column: 13, fixIt: "Remove 'lazy'"),
                fixed: """
                    @StoredItem
                    struct Note {
                        /// In short.
                        var summary: String = ""
                        private var length = 0
                    }
                    """)
        }

        @Test func `a stored property in a condition of the compiler is refused`() {
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        #if DEBUG
                            var trace: String = ""
                            var total: Int { 0 }
                            #if os(Linux)
                                var depth = 0
                            #endif
                        #endif
                    }
                    """,
                ExpectedProblem(
                    "conditionalProperty",
                    "a macro cannot tell whether 'trace' is compiled; move the property out of '#if'",
                    line: 4, column: 13),
                ExpectedProblem(
                    "conditionalProperty",
                    "a macro cannot tell whether 'depth' is compiled; move the property out of '#if'",
                    line: 7, column: 17))
        }

        @Test func `a mark in a condition of the compiler is refused`() {
            let message = "a macro cannot tell whether this mark is compiled; move it out of '#if'"
            expectProblems(
                in: """
                    @StoredItem
                    struct Note {
                        #if os(iOS)
                        @Unique @Clamped
                        #else
                        @Larder.Indexed(.caseInsensitive)
                        #if DEBUG
                        @Attribute(originalName: "key")
                        #endif
                        #endif
                        var slug: String
                        #if os(iOS)
                        @available(iOS 18, *)
                        #endif
                        var title: String
                    }
                    """,
                ExpectedProblem("conditionalMark", message, line: 4, column: 5),
                ExpectedProblem("conditionalMark", message, line: 6, column: 5),
                ExpectedProblem("conditionalMark", message, line: 8, column: 5),
                macros: allMacros.filter { $0.key == "StoredItem" })
        }
    }

#endif
