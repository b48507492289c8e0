import Testing

/// What the documentation says does not compile, beside what does.
@Suite(.enabled(if: Compiler.isThere))
struct MisuseTests {
    private static let items = """
        @StoredItem
        struct Recipe {
            var name: String
            var rating: Double
            var cookedAt: Date
        }

        """

    /// Complaints about the body of a function.
    private func complaints(about body: String, isAsync: Bool = false) throws -> [String] {
        var complaints: [Compiler.Complaint] = []
        try withCompiler { compiler in
            complaints = try compiler.complaints(
                about: Self.items + """
                    func use(
                        _ store: any DataStore, _ child: ChildDataStore, _ accessor: DataStoreReadAccessor,
                        _ recipe: Recipe, _ map: ImportMap<Recipe, String>
                    ) \(isAsync ? "async " : "")throws {
                        \(body)
                    }
                    """, options: ["-module-name", "App"], findsRaces: true)
        }
        return complaints.map(\.text)
    }

    private func expect(_ complaints: [String], toContain words: String) {
        #expect(complaints.contains { $0.contains(words) }, "\(complaints)")
    }

    @Test func `a read block cannot change anything`() throws {
        expect(
            try complaints(about: "_ = try store.read { try $0.insert(recipe) }"),
            toContain: "value of type 'DataStoreReadAccessor' has no member 'insert'")
    }

    @Test(arguments: [
        "_ = try store.read { accessor in Task { try accessor.items(for: Recipe.all) } }",
        "_ = try store.writeSync { accessor in Task { try accessor.deleteItems(for: Recipe.all) } }",
        "try store.writeSync { let handle = try $0.insert(recipe); Task { handle.name = \"Soup\" } }",
    ])
    func `an accessor or a handle cannot go to another task`(_ call: String) throws {
        expect(
            try complaints(about: call),
            toContain: "passing closure as a 'sending' parameter risks causing data races")
    }

    @Test(arguments: ["DataStoreReadAccessor", "DataStoreReadWriteAccessor", "Mutable<Recipe>"])
    func `accessors and handles are not Sendable`(_ type: String) throws {
        let body = "func send(_: some Sendable) {}; func pass(_ value: \(type)) { send(value) }"

        expect(
            try complaints(about: body),
            toContain: "type '\(type)' does not conform to the 'Sendable' protocol")
    }

    @Test(arguments: [
        (
            "try store.writeSync { try $0.insert(recipe) }",
            "'writeSync' is unavailable from asynchronous contexts; "
                + "Use writeAsync, which does not block the thread."
        ),
        ("try store.flush()", "expression is 'async' but is not marked with 'await'"),
        ("_ = try store.merge(child)", "expression is 'async' but is not marked with 'await'"),
        ("_ = try store.mergePreview(child)", "expression is 'async' but is not marked with 'await'"),
        (
            "_ = try store.importItems(from: [\"Soup\"], using: map, committingEvery: 10)",
            "expression is 'async' but is not marked with 'await'"
        ),
    ])
    func `a call that blocks the thread does not compile in async code`(
        _ call: String, _ words: String
    ) throws {
        expect(try complaints(about: call, isAsync: true), toContain: words)
    }

    @Test(arguments: [("name", "String"), ("cookedAt", "Date")])
    func `text and dates have no sum`(_ attribute: String, _ type: String) throws {
        expect(
            try complaints(about: "_ = try accessor.sum(\\.\(attribute), for: Recipe.all)"),
            toContain: "requires that '\(type)' conform to 'SummableAttributeValue'")
    }

    @Test func `the right forms of these calls compile`() throws {
        let complaints = try complaints(
            about: """
                _ = try store.read { accessor in
                    let recipes = try accessor.items(for: Recipe.all)
                    return Task { recipes.map(\\.name) }
                }
                _ = try accessor.sum(\\.rating, for: Recipe.all)
                try await store.writeAsync { accessor in
                    let handle = try accessor.insert(recipe)
                    handle.name = "Soup"
                }
                try await store.flush()
                _ = try await store.mergePreview(child)
                _ = try await store.merge(child)
                _ = try await store.importItems(from: ["Soup"], using: map, committingEvery: 10)
                """, isAsync: true)

        #expect(complaints == [])
    }
}
