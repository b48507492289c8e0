#if Macros

    import Testing

    /// Structs to which Swift adds a memberwise initialiser, through which rows are then decoded.
    struct SwiftInitializerTests {
        @Test func `where Swift's initialiser says all, only rows need another`() {
            expectExtension(
                of: """
                    struct Note {
                        let id: Int
                        @Indexed var text: String = ""
                        var length: Int?
                    }
                    """,
                """
                    \(rowInitializer) {
                        try self.init(
                            id: row.value(at: 0),
                            text: row.value(at: 1),
                            length: row.value(at: 2))
                    }
                """)
        }

        @Test func `an id that is made by itself may be left out`() {
            expectExtension(
                of: """
                    struct Note {
                        let id: UUID
                        var text: String
                    }
                    """,
                """
                    nonisolated init(
                        text: String
                    ) {
                        self.init(id: UUID(), text: text)
                    }

                    \(rowInitializer) {
                        try self.init(
                            id: row.value(at: 0),
                            text: row.value(at: 1))
                    }
                """)
        }

        @Test func `an id that is all there is may be left out`() {
            expectExtension(
                of: """
                    struct Note {
                    }
                    """,
                """
                    nonisolated init() {
                        self.init(id: Larder.ItemID<Note>())
                    }

                    \(rowInitializer) {
                        try self.init(
                            id: row.value(at: 0))
                    }
                """)
        }

        @Test func `the generated id, which Swift puts last, is the first parameter`() {
            expectExtension(
                of: """
                    fileprivate struct Note {
                        var text: String
                        var kind: Kind = .other
                    }
                    """,
                """
                    nonisolated fileprivate init(
                        id: Larder.ItemID<Note> = Larder.ItemID<Note>(),
                        text: String,
                        kind: Kind = .other
                    ) {
                        self.init(text: text, kind: kind, id: id)
                    }

                    \(rowInitializer.replacing("nonisolated ", with: "nonisolated fileprivate ")) {
                        try self.init(
                            text: row.value(at: 1),
                            kind: row.value(at: 2),
                            id: row.value(at: 0))
                    }
                """)
        }

        @Test func `a conformance that the app has written needs the extension all the same`() {
            expectExpansion(
                of: """
                    @StoredItem
                    struct Note: DataStoreItem {
                        let id: Int
                    }
                    """,
                to: """
                    struct Note: DataStoreItem {
                        let id: Int

                        nonisolated struct Attributes: Larder.StoredAttributes {
                            let id = Larder.Attribute<Note, Int>(column: 0)
                        }

                        nonisolated static let attributes = Attributes()

                        nonisolated static let schema = Larder.EntitySchema(
                            "Note",
                            attributes: [
                                .attribute("id", Int.self),
                            ]
                        )

                        nonisolated func encode(to row: inout Larder.RowWriter) throws(Larder.DataStoreError) {
                            try row.set(self.id, at: 0)
                        }
                    }

                    extension Note {
                        \(rowInitializer) {
                            try self.init(
                                id: row.value(at: 0))
                        }
                    }
                    """,
                conformances: [])
        }

        @Test(arguments: [
            "public struct Note { public let id: Int }",
            "package struct Note { package let id: Int }",
            "struct Note { let id: Int; init(number: Int) { id = number } }",
            "struct Note { let id: Int\n#if DEBUG\nfunc show() {}\n#endif\n}",
            "struct Note { let id: Int; private var text: String = \"\" }",
            "struct Note { let id: Int; @Clamped var size: Int = 0 }",
            "struct Note { let id: Int; var size: Optional<Int> }",
            "struct Note { let id: Int; var `default`: Int }",
            "struct Note { let id: Int; var a: Int; var b: Int { init(c) { a = c } get { a } set { a = newValue } } }",
            "enum Diary { @StoredItem struct Note { let id: UUID; var kind: Kind } }",
            "enum Diary { @StoredItem struct Note { let id: Int; @Attribute(fallback: Kind.other) var kind: Kind } }",
        ])
        func `where Swift adds no initialiser that would do, the struct has its own`(declaration: String) {
            let mark = declaration.contains("@StoredItem") ? "" : "@StoredItem "

            let expanded = expansion(of: mark + declaration)

            #expect(expanded.contains("self.id = try row.value(at: 0)\n"))
            #expect(!expanded.contains("self.init("))
        }

        @Test func `a nested struct is decoded through Swift's initialiser where no type is to be named`() {
            let expanded = expansion(
                of: """
                    enum Diary {
                        @StoredItem
                        struct Note {
                            let id: Int
                            var kind: Kind
                        }
                    }
                    """)

            #expect(expanded.contains("            kind: row.value(at: 1))\n"))
        }

        private let rowInitializer =
            "nonisolated init(row: borrowing Larder.RowReader) throws(Larder.DataStoreError)"

        /// Expects the extension to have these members.
        private func expectExtension(
            of declaration: String, _ members: String,
            sourceLocation: Testing.SourceLocation = #_sourceLocation
        ) {
            let expanded = expansion(of: "@StoredItem\n\(declaration)")

            let parts = expanded.split(separator: "extension Note: nonisolated Larder.DataStoreItem {\n")
            let found = parts.count == 2 ? String(parts[1]) : nil
            #expect(found == members + "\n}", sourceLocation: sourceLocation)
        }
    }

#endif
