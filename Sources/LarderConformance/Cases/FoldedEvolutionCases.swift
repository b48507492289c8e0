import Larder

/// Indexes without regard to case come and go from version to version of an app.
enum FoldedEvolutionCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("An index without regard to case can be added to stored items", proves: 7, 12) {
            world in
            try world.storeMenus()

            let store = try world.reopen(Versioned<FoldedTitle>.self)
            typealias Item = Versioned<FoldedTitle>

            try expect(
                try store.items(Item.all), equals: Menu.items.map { Item($0.id, values: $0.values) })
            try expect(titles(.equals, "SOUP", of: Item.self), gives: [1, 3], in: store)
            try expect(titles(.hasPrefix, "b\u{DB}", of: Item.self), gives: [2], in: store)
            try store.writeSync { accessor in
                try accessor.insert(Item(5, .text("SOUP"), .integer(1), .text("A\u{0}B"), .real(1)))
                try accessor.delete(id: 3, of: Item.self)
            }
            try expect(titles(.equals, "soup", of: Item.self), gives: [1, 5], in: store)
            try expect(notes("a\u{0}b", of: Item.self), gives: [4, 5], in: store)
        }
        ConformanceCase("An index without regard to case can be dropped and comes back", proves: 7, 12) {
            world in
            try world.storeMenus()
            _ = try world.reopen(Versioned<FoldedTitle>.self)
            let plain = try world.reopen(Menu.Original.self)
            try plain.writeSync { accessor in
                try accessor.insert(Menu.Original(5, .text("SOUP"), .integer(1), .null, .real(0)))
                try accessor.delete(id: 1, of: Menu.Original.self)
            }

            let store = try world.reopen(Versioned<FoldedTitle>.self)

            try expect(titles(.equals, "soup", of: Versioned<FoldedTitle>.self), gives: [3, 5], in: store)
        }
        ConformanceCase("A text with an index without regard to case can be renamed", proves: 7, 12) {
            world in
            try world.storeMenus()
            _ = try world.reopen(Versioned<FoldedTitle>.self)

            let store = try world.reopen(Versioned<FoldedName>.self)

            try expect(titles(.equals, "soup", of: Versioned<FoldedName>.self), gives: [1, 3], in: store)
            let again = try world.reopen(Versioned<FoldedName>.self)
            try expect(titles(.equals, "SOUP", of: Versioned<FoldedName>.self), gives: [1, 3], in: again)
        }
        ConformanceCase("Uniqueness without regard to case is refused over texts that clash", proves: 11, 12)
        {
            world in
            try world.storeMenus()
            let original = try world.reopen(Menu.Original.self)
            try original.writeSync { accessor in
                try accessor.delete(id: 3, of: Menu.Original.self)
                try accessor.insert(Menu.Original(5, .text("SOUP"), .integer(1), .null, .real(0)))
            }
            try world.closeAll()

            let refused = try world.makeStore(Versioned<UniqueFoldedTitle>.self)
            let error = try expectError(.uniqueViolation) { try refused.setup() }

            try expect(
                error.message,
                equals: "The items 1 and 5 of Menu have the same title without regard to case, "
                    + "\"Soup\" and \"SOUP\", which has to be unique.")
            try expect(error.attribute, equals: "title")
            let again = try world.reopen(Menu.Original.self)
            try again.writeSync { try $0.delete(id: 5, of: Menu.Original.self) }
            let store = try world.reopen(Versioned<UniqueFoldedTitle>.self)
            try expectError(.uniqueViolation, writingTo: store) { accessor in
                try accessor.insert(
                    Versioned<UniqueFoldedTitle>(6, .text("sOUP"), .integer(1), .null, .real(0)))
            }
        }
        ConformanceCase("Uniqueness of several attributes may lose the regard for case", proves: 11, 12) {
            world in
            typealias Folded = Versioned<FoldedPair>
            try world.storeMenus()
            let exact = try world.reopen(Versioned<ExactPair>.self)
            try exact.writeSync {
                try $0.insert(Versioned<ExactPair>(5, .text("SOUP"), .integer(500), .null, .real(0)))
            }
            try world.closeAll()

            let refused = try world.makeStore(Folded.self)
            let error = try expectError(.uniqueViolation) { try refused.setup() }

            try expect(
                error.message,
                equals: "The items 1 and 5 of Menu have the same price 500 and title without regard to case, "
                    + "\"Soup\" and \"SOUP\", which has to be unique.")
            try expect(error.attribute, equals: "price, title")
            let again = try world.reopen(Versioned<ExactPair>.self)
            try again.writeSync { try $0.delete(id: 5, of: Versioned<ExactPair>.self) }
            let store = try world.reopen(Folded.self)
            try expectError(.uniqueViolation, writingTo: store) {
                try $0.insert(Folded(6, .text("sOUP"), .integer(500), .null, .real(0)))
            }
            try store.writeSync { try $0.insert(Folded(7, .text("sOUP"), .integer(501), .null, .real(0))) }
            try expect(titles(.equals, "SOUP", of: Folded.self), gives: [1, 3, 7], in: store)
            let last = try world.reopen(Versioned<ExactPair>.self)
            try last.writeSync {
                try $0.insert(Versioned<ExactPair>(8, .text("SOUP"), .integer(501), .null, .real(0)))
            }
        }
        ConformanceCase("Steps fold the texts that they write and rename", proves: 7, 11, 12) { world in
            try StepFixture.store(in: world)
            let others = Array(StepFixture.first.dropLast())
            let second = others + [Versioned<FoldedDraft>.self]
            let third = others + [Versioned<RenamedDraft>.self]

            let plan = MigrationPlan.through(
                [StepFixture.first, second, third],
                by: [
                    SchemaStep(from: "1", to: "2") {
                        Transform("Draft") { old, new in
                            let draft = try new.make()
                            let isFirst = try old["text", as: String.self] == "x"
                            try draft.set("text", to: isFirst ? "Stra\u{DF}e" : "CAF\u{C9}")
                        }
                    },
                    SchemaStep(from: "2", to: "3") {
                        Keep("Draft").renaming("text", to: "title")
                    }
                    .after { accessor in
                        try accessor.insert("Draft", id: .integer(8)) { $0["title"] = .value("Soup") }
                        try accessor.update("Draft", at: .integer(2)) { $0["title"] = .value("Pie") }
                    },
                ])
            let store = try world.makeStore(storing: third, migration: plan)
            try store.setup()

            typealias Draft = Versioned<RenamedDraft>
            try expect(titles(.equals, "STRASSE", of: Draft.self), gives: [1], in: store)
            try expect(titles(.equals, "PIE", of: Draft.self), gives: [2], in: store)
            try expect(titles(.equals, "SOUP", of: Draft.self), gives: [8], in: store)
            try expect(titles(.equals, "caf\u{E9}", of: Draft.self), gives: [Int64](), in: store)
            for text in ["strasse", "pIE", "sOUP"] {
                try expectError(.uniqueViolation, writingTo: store) {
                    try $0.insert(Draft(9, .text(text)))
                }
            }
        }
        ConformanceCase("A step to texts that differ in case alone changes nothing", proves: 11, 12) {
            world in
            try StepFixture.store(in: world)
            let types = Array(StepFixture.first.dropLast()) + [Versioned<FoldedDraft>.self]

            let error = try expectError(.uniqueViolation) {
                _ = try StepCases.open(
                    world, types,
                    by: SchemaStep(from: "1", to: "2") {
                        Transform("Draft") { old, new in
                            let draft = try new.make()
                            try draft.set("text", to: old["text", as: String.self] == "x" ? "Soup" : "SOUP")
                        }
                    })
            }

            try expect(error.itemType, equals: "Draft")
            try expect(error.attribute, equals: "text")
            try StepFixture.expectUnchanged(world)
        }
        ConformanceCase("Only texts have an index without regard to case", proves: 12) { world in
            let all: [any DataStoreItem.Type] = [
                Versioned<FoldedPrice>.self, Versioned<FoldedID>.self, Versioned<FoldedWeight>.self,
                Versioned<FoldedUnknown>.self,
            ]
            for wrong in all {
                let store = try world.makeStore(storing: [wrong])
                try expectError(.invalidSchema) { try store.setup() }
            }
        }
    }

    private static func titles<Version: ItemVersion>(
        _ kind: TextTest.Kind, _ text: String, of type: Versioned<Version>.Type
    ) -> DataStoreRequest<Versioned<Version>> {
        request(.text(column: 1, TextTest(kind, text, ignoresCase: true)))
    }

    private static func notes<Version: ItemVersion>(
        _ text: String, of type: Versioned<Version>.Type
    ) -> DataStoreRequest<Versioned<Version>> {
        request(.text(column: 3, TextTest(.equals, text, ignoresCase: true, ignoresDiacritics: true)))
    }

    private static func request<Version: ItemVersion>(
        _ filter: FilterNode
    ) -> DataStoreRequest<Versioned<Version>> {
        DataStoreRequest(RequestCore(filter: filter))
    }

    private static func menu(_ indexes: [IndexDeclaration]) -> EntitySchema {
        EntitySchema("Menu", attributes: Menu.OriginalMenu.schema.attributes, indexes: indexes)
    }

    private enum FoldedTitle: ItemVersion {
        static let schema = menu([
            .index("title"), .index("title", .caseInsensitive),
            .index("note", [.caseInsensitive, .diacriticInsensitive]),
        ])
    }

    private enum UniqueFoldedTitle: ItemVersion {
        static let schema = menu([.unique("title", .caseInsensitive)])
    }

    private enum FoldedDraft: ItemVersion {
        static let schema = EntitySchema(
            "Draft", attributes: [.attribute("id", Int64.self), .attribute("text", String.self)],
            indexes: [.unique("text", .caseInsensitive)])
    }

    private enum RenamedDraft: ItemVersion {
        static let schema = EntitySchema(
            "Draft", attributes: [.attribute("id", Int64.self), .attribute("title", String.self)],
            indexes: [.unique("title", .caseInsensitive)])
    }

    private enum FoldedPrice: ItemVersion {
        static let schema = menu([.index("price", .caseInsensitive)])
    }

    private enum ExactPair: ItemVersion {
        static let schema = menu([.unique("price", "title")])
    }

    private enum FoldedPair: ItemVersion {
        static let schema = menu([.unique("price", "title[c]")])
    }

    private enum FoldedWeight: ItemVersion {
        static let schema = menu([.index("title", "weight[c]")])
    }

    private enum FoldedUnknown: ItemVersion {
        static let schema = menu([.index("price", "name[cd]")])
    }

    private enum FoldedID: ItemVersion {
        static let schema = menu([.index("id", .caseInsensitive)])
    }

    private enum FoldedName: ItemVersion {
        static let schema = EntitySchema(
            "Menu",
            attributes: [
                .attribute("id", Int64.self),
                .attribute("name", String.self, originalName: "title"),
                .attribute("price", Int32.self),
                .attribute("note", String?.self), .attribute("weight", Float.self),
            ],
            indexes: [.index("name", .caseInsensitive)])
    }
}
