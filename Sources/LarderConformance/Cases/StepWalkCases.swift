import Larder

/// Features of steps beside each other: walks and insertions, old and new names, rows that a closure keeps.
enum StepWalkCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase(
            "A walk over rows visits those that were there when it began, whatever its closure inserts",
            proves: 12
        ) { world in
            try Fixture.store(in: world)
            let visited = Locked<[AnyItemID]>([])

            let step = SchemaStep(from: "1", to: "2") {
                Keep("Draft")
            }.before { accessor in
                func insert(_ id: Int64) throws {
                    try accessor.insert("Draft", id: .integer(id)) { $0["text"] = .value("n") }
                }
                try insert(9)
                try accessor.rows.forEachRow(of: "Draft") { row in
                    guard case .integer(let id) = try row.id else { return }
                    visited.withLock { $0.append(.integer(id)) }
                    // One after the last row, and one between the rows.
                    try insert(id + 100)
                    if id == 2 { try insert(5) }
                    try accessor.rows.forEachRow(of: "Kind") { _ in }
                }
                try accessor.rows.forEachRow(of: "Draft") { row in
                    let id = try row.id
                    visited.withLock { $0.append(id) }
                }
            }
            let store = try StepCases.open(world, Fixture.first, by: step)

            let all: [Int64] = [1, 2, 5, 9, 101, 102, 109]
            try expect(visited.withLock { $0 }, equals: ([1, 2, 9] + all).map { .integer($0) })
            try expect(try store.items(Fixture.Draft.all).map(\.id), equals: all)
        }
        ConformanceCase(
            "A walk over rows sees what its closure does to those that are yet to come", proves: 12
        ) { world in
            try Fixture.store(in: world)
            let visited = Locked<[String]>([])

            let step = SchemaStep(from: "1", to: "2") {
                Keep("Draft")
            }.before { accessor in
                for id in 3...600 as ClosedRange<Int64> {
                    try accessor.insert("Draft", id: .integer(id)) { $0["text"] = .value("\(id)") }
                }
                try accessor.rows.forEachRow(of: "Draft") { row in
                    guard case .integer(let id) = try row.id, id > 2 else { return }
                    let text = try row["text", as: String.self]
                    visited.withLock { $0.append(text) }
                    // Near, and hundreds of rows on.
                    for distance in [1, 400] as [Int64] where id == 3 {
                        try accessor.delete("Draft", at: .integer(id + distance))
                        try accessor.update("Draft", at: .integer(id + distance + 1)) {
                            $0["text"] = .value("new")
                        }
                    }
                }
            }
            _ = try StepCases.open(world, Fixture.first, by: step)

            var expected = (3...600).map { "\($0)" }
            (expected[2], expected[402 - 1]) = ("new", "new")
            expected.removeAll { ["4", "403"].contains($0) }
            try expect(visited.withLock { $0 }, equals: expected)
        }
        ConformanceCase(
            "A new attribute may have the old name of a renamed one, and does not get its values", proves: 12
        ) { world in
            try Fixture.store(in: world)
            typealias Tag = Versioned<RenamedTag>
            typealias Kind = Versioned<RenamedKind>
            enum Recipe: TaggedVersion {
                typealias Tag = Versioned<RenamedTag>
                static let schema = EntitySchema(
                    "Recipe",
                    attributes: [
                        .attribute("id", Int64.self), .attribute("kind", ToOne<Versioned<RenamedKind>>?.self),
                    ],
                    relationships: [.relationship("tags", ToMany<Tag>.self)])
            }

            // Once without a pass over the rows, and once with one.
            let store = try StepCases.open(
                world, [Kind.self, Tag.self, Tagged<Recipe>.self, Fixture.Draft.self],
                by: SchemaStep(from: "1", to: "2") {
                    Keep("Tag").renaming("name", to: "title")
                    Transform("Kind") { _, new in _ = try new.make() }.renaming("name", to: "title")
                })

            try expect(
                try store.items(Tag.all),
                equals: [
                    Tag(1, .text("quick"), .null), Tag(2, .text("sweet"), .null),
                    Tag(3, .text("vegan"), .null),
                ])
            try expect(
                try store.items(Kind.all),
                equals: [Kind(1, .null, .text("Soup")), Kind(2, .null, .text("Cake"))])
            try Fixture.expectLinks(Fixture.links, of: Tagged<Recipe>.self, in: store)
        }
        ConformanceCase(
            "Rows that a closure keeps are found again and stored when it ends", proves: 12
        ) { world in
            try Fixture.store(in: world)
            let count: Int64 = 3000

            let store = try StepCases.open(
                world, Fixture.first + [Versioned<Label>.self],
                by: SchemaStep(from: "1", to: "2") {
                    Insert("Label") { _, new in
                        var made: [DestinationRow] = []
                        for id in 0..<count {
                            try expect(try !new.contains("Label", id: .integer(id)), "a new row")
                            made.append(try new.make(id: .integer(id)))
                            try expect(try new.contains("Label", id: .integer(id / 2)), "a row that was made")
                        }
                        for (number, row) in made.enumerated() { try row.set("count", to: Int64(number) * 2) }
                    }
                })

            let labels = try store.items(Versioned<Label>.all)
            try expect(labels.map(\.id), equals: Array(0..<count))
            try expect(labels.map(\.values), equals: (0..<count).map { [.integer($0 * 2)] })
        }
    }

    private typealias Fixture = StepFixture

    private enum RenamedTag: ItemVersion {
        static let schema = EntitySchema(
            "Tag",
            attributes: [
                .attribute("id", Int64.self), .attribute("title", String.self),
                .attribute("name", String?.self),
            ])
    }

    private enum RenamedKind: ItemVersion {
        static let schema = EntitySchema(
            "Kind",
            attributes: [
                .attribute("id", Int64.self), .attribute("name", String?.self),
                .attribute("title", String.self),
            ])
    }

    private enum Label: ItemVersion {
        static let schema = EntitySchema(
            "Label", attributes: [.attribute("id", Int64.self), .attribute("count", Int64.self)])
    }
}
