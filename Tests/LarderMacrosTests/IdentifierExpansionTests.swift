#if Macros

    import Testing

    struct IdentifierExpansionTests {
        @Test(arguments: [
            "UUID", "Foundation.UUID", "ItemID<Note>", "Larder.ItemID<Note>", "ItemID<Self>",
            "ItemID<App.Note>",
        ])
        func `an id that needs nothing from the app is made by the initialiser`(type: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: \(type)
                    }
                    """)

            #expect(expanded.contains("        id: \(type) = \(type)()\n"))
        }

        @Test(arguments: ["Int64", "Int", "String", "ItemID<Other>"])
        func `an id that only the app knows has to be passed`(type: String) {
            let expanded = expansion(
                of: """
                    @StoredItem
                    public struct Note {
                        public let id: \(type)
                    }
                    """)

            #expect(expanded.contains("        id: \(type)\n"))
            #expect(expanded.contains(".attribute(\"id\", \(type).self),"))
        }

        @Test func `a declared id is not added again and keeps column 0 wherever it stands`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        var text: String
                        let id: Int64
                    }
                    """)

            #expect(!expanded.contains("Larder.ItemID"))
            #expect(expanded.contains("init(\n        id: Int64,\n        text: String\n    )"))
            #expect(expanded.contains("let id = Larder.Attribute<Note, Int64>(column: 0)"))
            #expect(expanded.contains("let text = Larder.Attribute<Note, String>(column: 1)"))
        }

        @Test func `a static id is no id`() {
            let expanded = expansion(
                of: """
                    @StoredItem
                    struct Note {
                        static let id = 1
                    }
                    """)

            #expect(expanded.contains("    let id: Larder.ItemID<Note>\n"))
        }
    }

#endif
