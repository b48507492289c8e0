#if Macros

    import Testing

    struct SchemaTests {
        @Test(arguments: [("(\"Entry\")", "Entry"), ("", "Note"), ("(nil)", "Note"), ("()", "Note")])
        func `the entity has the given name or that of the struct`(arguments: String, name: String) {
            let expanded = expansion(
                of: """
                    @StoredItem\(arguments)
                    struct Note {
                        var text: String
                    }
                    """)

            #expect(expanded.contains("Larder.EntitySchema(\n        \"\(name)\",\n"))
        }

        @Test(arguments: [
            ("(originalName: \"Memo\")", "\"Note\", originalName: \"Memo\",\n"),
            ("(\"Paper\", originalName: \"Memo\")", "\"Paper\", originalName: \"Memo\",\n"),
            ("(originalName: nil)", "\"Note\",\n"),
        ])
        func `the schema has the name of earlier versions`(arguments: String, entry: String) {
            let expanded = expansion(
                of: """
                    @StoredItem\(arguments)
                    struct Note {
                        var text: String
                    }
                    """)

            #expect(expanded.contains("Larder.EntitySchema(\n        " + entry))
        }

        @Test func `compound indexes follow those of single properties`() {
            let expanded = expansion(
                of: """
                    @StoredItem(indexes: [["city", "rating"], ["city"]], uniques: [["city", "name"]])
                    struct Place {
                        @Larder.Unique var name: String
                        var city: String
                        @Indexed var rating: Double
                    }
                    """)

            let expected = """
                indexes: [.unique("name"), .index("rating"), .index("city", "rating"), .index("city"), \
                .unique("city", "name")]
                """
            #expect(expanded.contains(expected))
        }

        @Test func `an index of a text may ignore case and diacritics`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Place {
                        @Unique(.caseInsensitive) @Indexed var name: String
                        @Larder.Indexed([.caseInsensitive, .diacriticInsensitive]) var city: String?
                        @Unique @Indexed(.caseInsensitive) var slug: String
                        @Indexed(.exact) var rating: Double
                    }
                    """)

            let expected = """
                indexes: [.unique("name", .caseInsensitive), .index("name"), \
                .index("city", [.caseInsensitive, .diacriticInsensitive]), .unique("slug"), \
                .index("slug", .caseInsensitive), .index("rating")]
                """
            #expect(expanded.contains(expected))
        }

        @Test func `a text in a compound index may ignore case and diacritics`() {
            let expanded = expansion(
                of: """
                    @StoredItem(
                        indexes: [["city", "name[cd]"], ["name[d]", "city"]],
                        uniques: [["city", "name[c]"], ["name[c]", "name"]])
                    struct Place {
                        @Attribute(storedAs: "title") var name: String
                        var city: String
                    }
                    """)

            let expected = """
                indexes: [.index("city", "title[cd]"), .index("title[d]", "city"), .unique("city", "title[c]"), \
                .unique("title[c]", "title")]
                """
            #expect(expanded.contains(expected))
        }

        @Test func `there is no list of indexes where there is no index`() {
            let expanded = expansion(
                of: """
                    @StoredItem(indexes: [], uniques: [])
                    struct Note {
                        var text: String
                    }
                    """)

            #expect(!expanded.contains("indexes:"))
        }

        @Test(arguments: [
            ("var a: Int", ".attribute(\"a\", Int.self),"),
            ("var a: Int? = 3", ".attribute(\"a\", Int?.self, default: 3),"),
            (
                "@Attribute(originalName: \"b\") var a: Int = 1",
                ".attribute(\"a\", Int.self, originalName: \"b\", default: 1),"
            ),
            ("@Attribute(originalName: nil) var a: Int", ".attribute(\"a\", Int.self),"),
            (
                "@Attribute(originalName: \"a\") var a: Int",
                ".attribute(\"a\", Int.self, originalName: \"a\"),"
            ),
            (
                "@Attribute(storedAs: \"b\", originalName: \"a\") var a: Int = 1",
                ".attribute(\"b\", Int.self, property: \"a\", originalName: \"a\", default: 1),"
            ),
            ("@Attribute(storedAs: \"a\") var a: Int", ".attribute(\"a\", Int.self),"),
            ("@Attribute(storedAs: nil) var a: Int", ".attribute(\"a\", Int.self),"),
            ("var a: any Shape", ".attribute(\"a\", (any Shape).self),"),
        ])
        func `an entry says the type, the earlier name and the initial value`(property: String, entry: String)
        {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        \(property)
                    }
                    """)

            #expect(expanded.contains(entry))
        }

        @Test func `indexes, rules and relationships have the names of the store`() {
            let expanded = expansion(
                of: """
                    @StoredItem(indexes: [["title", "kind"]])
                    struct Note {
                        @Unique @Attribute(storedAs: "note_title") var title: String
                        @Indexed @Attribute(storedAs: "title") var heading: String
                        @Relationship(deleteRule: .deny, storedAs: "kind_id") var kind: ToOne<Kind>
                        @Relationship(storedAs: "labels") var tags: ToMany<Tag>
                    }
                    """)

            let indexes = """
                indexes: [.unique("note_title"), .index("title"), .index("note_title", "kind_id")]
                """
            #expect(expanded.contains(indexes))
            #expect(expanded.contains(".attribute(\"kind_id\", ToOne<Kind>.self, property: \"kind\"),"))
            #expect(expanded.contains(".relationship(\"labels\", ToMany<Tag>.self, property: \"tags\"),"))
            #expect(expanded.contains(".reference(\"kind_id\", deleteRule: .deny),"))
        }

        @Test(arguments: [
            ("fallback: .other", ", fallback: .other"), ("fallback: nil", ", fallback: nil"), ("", ""),
        ])
        func `a fallback is used when the row is read`(argument: String, generated: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        @Attribute(\(argument)) var kind: Kind?
                    }
                    """)

            #expect(expanded.contains("            kind: row.value(at: 1\(generated)),\n"))
        }
    }

#endif
