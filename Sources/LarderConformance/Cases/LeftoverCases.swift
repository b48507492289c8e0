import Larder

/// Steps that make a type of which the store still has rows that the app has given up.
enum LeftoverCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A step is refused if it would bring rows back that the app has given up", proves: 12
        ) { world in
            let store = try fill(world)
            let before = try HistoryCases.stored(world, store)

            for step in [inserting(), moving] {
                let refused = try world.makeStore(storing: history(step))
                let error = try expectError(.schemaMismatch) { try refused.setup() }

                try expect(
                    error.message,
                    equals: """
                        The step 2 → 3 makes items of Author, and the store has items of Author, which version 2 \
                        does not declare.
                        """)
                try expect(error.itemType, equals: "Author")
                try expect(try HistoryCases.stored(world, store), equals: before)
            }

            // As the error advises.
            let today = try HistoryCases.open(
                world, history(inserting(Delete("Author").entityMapping), second: [Person.self, Author.self]))
            try expect(try today.items(Today.all), equals: persons(and: 9))
        }
        ConformanceCase(
            "A step is refused if a type that it makes and its original name are both stored", proves: 12
        ) { world in
            let store = try fill(world)
            let before = try HistoryCases.stored(world, store)
            let second: [any DataStoreItem.Type] = [Person.self, Author.self]

            let refused = try world.makeStore(storing: history(inserting(), second: second))
            let error = try expectError(.schemaMismatch) { try refused.setup() }

            try expect(
                error.message,
                equals: """
                    The step 2 → 3 makes items of Author, and the store has items of Author and of Person, which is \
                    the original name of Author; version 3 declares only Author.
                    """)
            try expect(error.itemType, equals: "Author")
            try expect(try HistoryCases.stored(world, store), equals: before)

            // A mapping says which rows are meant, and does so for later openings.
            for _ in 1...2 {
                let today = try HistoryCases.open(
                    world, history(inserting(Keep("Author").entityMapping), second: second))
                try expect(
                    try today.items(Today.all),
                    equals: [
                        Today(5, .text("Eve"), .null), Today(7, .text("Fay"), .null),
                        Today(9, .text("Cid"), .null),
                    ])
            }
        }
        ConformanceCase(
            "A step makes rows besides those under the original name if nothing was given up", proves: 12
        ) { world in
            let store = try HistoryCases.open(
                world, SchemaHistory([SchemaVersion("2", storing: [Person.self])]))
            try store.writeSync { try $0.insert(contentsOf: people) }

            let today = try HistoryCases.open(world, history(inserting()))

            try expect(try today.items(Today.all), equals: persons(and: 9))
        }
        ConformanceCase(
            "An original name that was forgotten for a while is refused once both types are stored",
            proves: 12
        ) { world in
            let store = try world.open(Person.self)
            try store.writeSync { try $0.insert(contentsOf: people) }
            _ = try world.reopen(Author.self)
            let before = try HistoryCases.stored(world, store)

            let refused = try world.makeStore(Versioned<Renamed>.self)
            let error = try expectError(.schemaMismatch) { try refused.setup() }

            try expect(
                error.message,
                equals: """
                    The store has items of Author and of Person, which is the original name of Author; the app declares \
                    only Author.
                    """)
            try expect(error.itemType, equals: "Author")
            try expect(try HistoryCases.stored(world, store), equals: before)
            try expect(try world.reopen(Person.self).items(Person.all), equals: people)
        }
    }

    /// Leaves a closed store of version 2, with persons, and with authors that this version does not have.
    private static func fill(_ world: ConformanceWorld) throws -> any DataStore {
        let first = SchemaVersion("1", storing: [Person.self, Author.self])
        let early = try HistoryCases.open(world, SchemaHistory([first]))
        try early.writeSync { accessor in
            try accessor.insert(contentsOf: people)
            try accessor.insert(contentsOf: [Author(5, .text("Eve")), Author(7, .text("Fay"))])
        }
        let store = try HistoryCases.open(
            world, SchemaHistory([first, SchemaVersion("2", storing: [Person.self])]))
        try expect(try store.items(Person.all), equals: people)
        try world.closeAll()
        return store
    }

    /// The history whose version 3 calls persons authors.
    ///
    /// In version 4 nothing says that they had another name.
    private static func history(
        _ step: SchemaStep, second: [any DataStoreItem.Type] = [Person.self]
    ) -> SchemaHistory {
        SchemaHistory(
            [
                SchemaVersion("1", storing: [Person.self, Author.self]), SchemaVersion("2", storing: second),
                SchemaVersion("3", storing: [Versioned<Renamed>.self]),
                SchemaVersion("4", storing: [Today.self]),
            ], steps: [step])
    }

    /// The step that adds an author, with another mapping.
    private static func inserting(_ other: EntityMapping? = nil) -> SchemaStep {
        SchemaStep(from: "2", to: "3") {
            if let other { other }
            Insert("Author") { _, new in try new.make(id: .integer(9))["name"] = .value("Cid") }
        }
    }

    private static let moving = SchemaStep(from: "2", to: "3") {
        Transform("Person", to: "Author") { _, new in _ = try new.make() }
    }

    private static let people = [Person(1, .text("Ada")), Person(2, .text("Bob"))]

    /// The persons as authors of today, and the one that the step adds.
    private static func persons(and added: Int64) -> [Today] {
        people.map { Today($0.id, $0.values[0], .null) } + [Today(added, .text("Cid"), .null)]
    }

    private typealias Person = Versioned<PersonVersion>
    private typealias Author = Versioned<AuthorVersion>
    private typealias Today = Versioned<Latest>

    private enum PersonVersion: ItemVersion {
        static let schema = EntitySchema(
            "Person", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum AuthorVersion: ItemVersion {
        static let schema = EntitySchema(
            "Author", attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum Renamed: ItemVersion {
        static let schema = EntitySchema(
            "Author", originalName: "Person",
            attributes: [.attribute("id", Int64.self), .attribute("name", String.self)])
    }

    private enum Latest: ItemVersion {
        static let schema = EntitySchema(
            "Author",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String.self),
                .attribute("note", String?.self),
            ])
    }
}
