#if Macros

    import Testing

    struct AccessLevelTests {
        @Test(arguments: [
            ("public ", "public "), ("package ", "package "), ("internal ", ""), ("", ""),
            ("fileprivate ", "fileprivate "), ("private ", "fileprivate "),
        ])
        func `generated members are seen wherever the struct is`(written: String, generated: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    \(written)struct Note {
                        var text: String
                    }
                    """)

            #expect(expanded.contains("\n    \(generated)let id: Larder.ItemID<Note>\n"))
            #expect(expanded.contains("\n    nonisolated \(generated)init(\n"))
            #expect(
                expanded.contains(
                    "\n    nonisolated \(generated)struct Attributes: Larder.StoredAttributes {\n"))
            #expect(expanded.contains("\n        \(generated)let id = Larder.Attribute<"))
            #expect(expanded.contains("\n    nonisolated \(generated)static let attributes = "))
            #expect(expanded.contains("\n    nonisolated \(generated)static let schema = "))
            #expect(expanded.contains("\n    nonisolated \(generated)init(row: "))
            #expect(expanded.contains("\n    nonisolated \(generated)func encode(to row: "))
        }

        @Test(arguments: [
            ("public", "public "), ("package", "package "), ("internal", ""),
            ("public private(set)", "public "),
            ("private(set)", ""), ("fileprivate", "fileprivate "), ("private", "fileprivate "),
        ])
        func `an attribute is seen as far as its property`(written: String, generated: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        \(written) var text: String
                    }
                    """)

            #expect(expanded.contains("\n        \(generated)let text = Larder.Attribute<"))
        }

        @Test func `an attribute is seen no further than the struct`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        public var text: String
                    }
                    """)

            #expect(expanded.contains("\n        let text = Larder.Attribute<"))
        }

        @Test(arguments: [
            ("enum", ""), ("public enum", "public "), ("private struct", "fileprivate "),
            ("extension", "public "),
        ])
        func `generated members are seen no further than the type around`(header: String, generated: String) {
            let expanded = expansion(
                of: """
                    \(header) Diary {
                        @StoredItem
                        public struct Note {
                            public var text: String
                        }
                    }
                    """)

            #expect(expanded.contains("    nonisolated \(generated)static let schema = "))
            #expect(expanded.contains("    \(generated)let text = Larder.Attribute<"))
        }

        @Test func `a struct in a public extension is public`() {
            let expanded = expansion(
                of: """
                    public extension Kitchen {
                        @StoredItem
                        struct Note {
                            var text: String
                        }
                    }
                    """)

            #expect(expanded.contains("public let id: Larder.ItemID<Note>"))
            #expect(expanded.contains("public static let schema"))
        }
    }

#endif
