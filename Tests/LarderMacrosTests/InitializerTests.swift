#if Macros

    import Testing

    struct InitializerTests {
        @Test(arguments: [
            ("var a: Int = 1", "a: Int = 1"),
            ("var a: Int?", "a: Int? = nil"),
            ("var a: Optional<Int>", "a: Optional<Int> = nil"),
            ("var a: Swift.Optional<Int>", "a: Swift.Optional<Int> = nil"),
            ("var a: Int? = 3", "a: Int? = 3"),
            ("var a: [Int]", "a: [Int]"),
            ("var a: [String: [Int]] = [\"x\": [-1]]", "a: [String: [Int]] = [\"x\": [-1]]"),
            ("var a: Kind = .other // why", "a: Kind = Self._defaultValue(a: ())"),
            ("var `default`: Int = Defaults.x", "`default`: Int = Self._defaultValue(default: ())"),
            ("var `default`: Int", "`default`: Int"),
            ("@Clamped var a: Int = 0", "a: Int = 0"),
            ("var a: Int { didSet { print(a) } }", "a: Int"),
            ("var a: Int = 1 { willSet { print(a) } }", "a: Int = 1"),
        ])
        func `a parameter has the default of its property`(property: String, parameter: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: Int
                        \(property.replacing("var ", with: "public var "))
                    }
                    """)

            #expect(expanded.contains("public init(\n        id: Int,\n        \(parameter)\n    )"))
        }

        @Test func `a default that may not be public is in a function that is not`() {
            let source = """
                struct Note {
                    public var a: Int = Defaults.a
                    public var b: String = "x"
                }
                """
            let expanded = expansion(of: "@StoredItem public \(source)")

            #expect(
                expanded.contains(
                    """
                        @usableFromInline nonisolated static func _defaultValue(a: Void) -> Int {
                            Defaults.a
                        }
                    """))
            #expect(!expanded.contains("_defaultValue(b"))
            #expect(!expansion(of: "@StoredItem \(source)").contains("_defaultValue"))
        }

        @Test func `properties that are less visible than the item have an initializer of their own`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: Int
                        var state: State = Defaults.state
                        public var text: String
                        private var trace: Optional<Trace>
                        var tags: ToMany<Tag>
                    }
                    """)

            #expect(
                expanded.contains(
                    """
                        nonisolated public init(
                            id: Int,
                            text: String
                        ) {
                            self.id = id
                            self.text = text
                            self.trace = nil
                            self.tags = .notGiven
                        }

                        @_disfavoredOverload nonisolated init(
                            id: Int,
                            state: State = Defaults.state,
                            text: String,
                            tags: ToMany<Tag> = .notGiven
                        ) {
                            self.id = id
                            self.state = state
                            self.text = text
                            self.tags = tags
                            self.trace = nil
                        }

                        @_disfavoredOverload nonisolated fileprivate init(
                            id: Int,
                            state: State = Defaults.state,
                            text: String,
                            trace: Optional<Trace> = nil,
                            tags: ToMany<Tag> = .notGiven
                        ) {
                            self.id = id
                            self.state = state
                            self.text = text
                            self.trace = trace
                            self.tags = tags
                        }
                    """))
            #expect(!expanded.contains("_defaultValue"))
        }

        @Test func `a property without a value is taken by the item's initializer`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        let id: Int
                        private var text: String
                        private var size: Int = 0
                    }
                    """)

            #expect(expanded.contains("    nonisolated init(\n        id: Int,\n        text: String,\n"))
            #expect(!expanded.contains("fileprivate init("))
        }

        @Test func `of two initializers, the one that the app has written is left to it`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        let id: Int
                        private var size: Int = 0
                        init(id: Int) { self.id = id }
                    }
                    """)

            #expect(!expanded.contains("    nonisolated init(\n"))
            #expect(
                expanded.contains("nonisolated fileprivate init(\n        id: Int,\n        size: Int = 0\n"))
        }

        @Test func `an initializer of the app that takes all properties is the only one that does`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        let id: Int
                        private var size: Int = 0
                        init(id: Int, size: Int = 0) { (self.id, self.size) = (id, size) }
                    }
                    """)

            #expect(!expanded.contains("init(\n"))
        }

        @Test func `each level of access has an initializer with the properties that are as visible`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: Int
                        public var text: String
                        var state: State = .draft
                        private var trace: Int = 0
                    }
                    """)

            for (start, names) in [
                ("nonisolated public", ["id: Int", "text: String"]),
                ("@_disfavoredOverload nonisolated", ["id: Int", "text: String", "state: State = .draft"]),
                (
                    "@_disfavoredOverload nonisolated fileprivate",
                    ["id: Int", "text: String", "state: State = .draft", "trace: Int = 0"]
                ),
            ] {
                let list = names.map { "        \($0)" }.joined(separator: ",\n")
                #expect(expanded.contains("    \(start) init(\n\(list)\n    ) {"), "\(expanded)")
            }
        }

        @Test(arguments: ["", "public "])
        func `a property that is declared twice is left to Swift to report`(access: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    \(access)struct Note {
                        var text: String
                        var text: String
                    }
                    """)

            #expect(expanded.contains("static let schema"))
        }

        @Test func `several properties of one declaration are several columns`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: Int
                        var x, y: Double, z: Int = 2
                    }
                    """)

            #expect(expanded.contains("        x: Double,\n        y: Double,\n        z: Int = 2\n"))
            #expect(expanded.contains("let z = Larder.Attribute<Note, Int>(column: 3)"))
        }

        @Test func `a name in backticks is stored without them`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        @Indexed var `default`: Int
                    }
                    """)

            #expect(expanded.contains("self.`default` = `default`"))
            #expect(expanded.contains("let `default` = Larder.Attribute<Note, Int>(indexedColumn: 1)"))
            #expect(expanded.contains(".attribute(\"default\", Int.self),"))
            #expect(expanded.contains("indexes: [.index(\"default\")]"))
            #expect(expanded.contains("self.`default` = try row.value(at: 1)"))
            #expect(expanded.contains("try row.set(self.`default`, at: 1)"))
        }

        @Test(arguments: [
            "static var count: Int = 0", "var total: Int { 0 }", "var total: Int { get { 0 } set {} }",
        ])
        func `static and computed properties are not stored`(property: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: Int
                        \(property)
                    }
                    """)

            #expect(expanded.contains("init(\n        id: Int\n    )"))
            #expect(!expanded.contains("column: 1"))
        }

        @Test func `an initialiser with the same labels is left to the app`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        let id: Int
                        var text: String
                        init(id: Int, text: String) { self.id = id; self.text = text }
                    }
                    """)

            #expect(!expanded.contains("nonisolated init(\n"))
        }

        @Test func `an initialiser with other labels stands beside the generated one`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        let id: Int
                        var text: String
                        init(text: String) { self.init(id: 0, text: text) }
                    }
                    """)

            #expect(expanded.contains("init(\n        id: Int,\n        text: String\n    )"))
        }

        @Test func `an initial value of several lines keeps its text`() {
            let expanded = expansion(
                of: #"""
                    @StoredItem
                    public struct Note {
                        public let id: Int
                        var text: String = """
                            one
                              two
                            """
                    }
                    """#)

            let expected = #"""
                        text: String = """
                            one
                              two
                            """
                """#
            #expect(expanded.contains(expected))
        }
    }

#endif
